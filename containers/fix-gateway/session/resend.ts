import { type Field, textOf, typeOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { readMessage } from '../codec/read-message.ts';
import { TAG } from '../codec/tags.ts';
import type { SentMessage } from './session-store.ts';
import { splitOwn } from './split-own.ts';

/** A message of an answer to a ResendRequest, still without PossDupFlag and the fields of every header. */
export interface Resent {
  readonly type: string;
  readonly sequence: number;
  /** Null for a gap fill, which is sent for the first time. */
  readonly sentAt: string | null;
  readonly header: readonly Field[];
  readonly body: readonly Field[];
}

/** What is sent for the numbers from `begin` to `end`: what was kept, and one gap fill for each run of what was not. */
export function resendOf(sent: readonly SentMessage[], begin: number, end: number): Resent[] {
  const resent: Resent[] = [];
  let covered = begin;
  for (const { sequence, text } of sent) {
    const read = text === null ? null : readMessage(text);
    if (!read?.ok) continue;
    if (sequence > covered) resent.push(gapFill(covered, sequence));
    const message = read.value;
    resent.push({ type: typeOf(message), sequence, sentAt: textOf(message, TAG.SendingTime), ...splitOwn(message) });
    covered = sequence + 1;
  }
  if (covered <= end) resent.push(gapFill(covered, end + 1));
  return resent;
}

function gapFill(sequence: number, next: number): Resent {
  const body: Field[] = [
    [TAG.NewSeqNo, String(next)],
    [TAG.GapFillFlag, 'Y'],
  ];
  return { type: MSG_TYPE.SequenceReset, sequence, sentAt: null, header: [], body };
}
