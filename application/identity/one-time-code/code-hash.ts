import { derivedMac, masterKeysOf } from '../../../data/keys/master-keys.ts';
import { rateSubjectOf, widestSubjectOf } from '../../../domain/limits/address.ts';

/**
 * What is stored of a one-time code: HMAC-SHA256 over phone, client and code, under a key derived from IAM_KEY_ENCRYPTION_KEY, because the
 * million codes there are could all be tried against a plain hash.
 */
export function codeHashOf(phone: string, code: string, env: Env, clientId = ''): Promise<string> {
  return keyedHash(codeText(phone, code, clientId), env);
}

/** The same under each key that may have been the newest when the code was sent. */
export async function codeHashesOf(phone: string, code: string, env: Env, clientId = ''): Promise<string[]> {
  const keys = await masterKeysOf(env.IAM_KEY_ENCRYPTION_KEY);
  return Promise.all(keys.map((key) => derivedMac(key, 'one-time-code', codeText(phone, code, clientId))));
}

function codeText(phone: string, code: string, clientId: string): string {
  return `${phone}\n${code}${clientId === '' ? '' : `\nfor ${clientId}`}`;
}

/** What is stored of an address that asks for a phone's code or tries one: a keyed hash of both, of an IPv6 address that of its /64. */
export function addressHashOf(phone: string, clientAddress: string, env: Env): Promise<string> {
  return keyedHash(`${phone}\naddress ${rateSubjectOf(clientAddress)}`, env);
}

/** The same of all lines that one subscriber may command together. */
export function siteHashOf(phone: string, clientAddress: string, env: Env): Promise<string> {
  return keyedHash(`${phone}\nsite ${widestSubjectOf(clientAddress)}`, env);
}

/** What is stored of a number that is nobody's. */
export function numberHashOf(phone: string, env: Env): Promise<string> {
  return keyedHash(`${phone}\nnumber`, env);
}

/**
 * Under the newest key: a count that goes by such a hash begins anew once a key takes another's place.
 *
 * @param use each has a key of its own
 */
export async function keyedHash(
  text: string,
  env: Pick<Env, 'IAM_KEY_ENCRYPTION_KEY'>,
  use = 'one-time-code',
): Promise<string> {
  const [key] = await masterKeysOf(env.IAM_KEY_ENCRYPTION_KEY);
  return derivedMac(key, use, text);
}
