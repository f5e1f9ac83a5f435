import { BODY_BYTES_MAX, type FixMessage, integerOf, textOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';

const NO_ENCRYPTION = '0';
/** A peer that is dead is found after 2.4 intervals at the latest: one that wants longer ones asks for none. */
const HEARTBEAT_S_MAX = 3_600;
/** What we send is no longer than what we take: a book of 1,000 levels a side, or a list of 1,000 pairs, has some hundred thousand bytes. */
const MESSAGE_BYTES_MAX = BODY_BYTES_MAX;

/**
 * Why a session cannot be held as its Logon asks (FIX 4.4 volume 2, Logon); null where it can. Nothing is passed over: a peer that asks for
 * encryption would take plain text for it.
 *
 * @param isTest whether orders of this gateway are no real ones
 */
export function logonRefusal(logon: FixMessage, isTest: boolean): string | null {
  const encryption = textOf(logon, TAG.EncryptMethod);
  if (encryption !== NO_ENCRYPTION)
    return `EncryptMethod(98)=${encryption} is not offered: only 0, none; TLS encrypts the connection`;
  const heartbeat_s = integerOf(logon, TAG.HeartBtInt);
  if (heartbeat_s === null || heartbeat_s < 0 || heartbeat_s > HEARTBEAT_S_MAX)
    return `HeartBtInt(108) must be 0, for none, to ${HEARTBEAT_S_MAX} seconds`;
  const bytesMax = textOf(logon, TAG.MaxMessageSize);
  if (bytesMax !== null && Number(bytesMax) < MESSAGE_BYTES_MAX)
    return `MaxMessageSize(383) must be at least ${MESSAGE_BYTES_MAX}, or absent: messages of that length are sent`;
  const test = textOf(logon, TAG.TestMessageIndicator);
  if (test === null || (test === 'Y') === isTest) return null;
  return `TestMessageIndicator(464)=${test} is wrong: this is ${isTest ? 'a test' : 'the production'} environment`;
}
