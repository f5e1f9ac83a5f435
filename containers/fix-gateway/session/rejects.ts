import { type Field, type FixMessage, textOf, typeOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import { SESSION_REJECT_TEXT } from '../dictionary/session-reject-reason.ts';
import type { Fault } from '../dictionary/validate-message.ts';

/** Body of a session-level Reject(3). */
export function rejectOf(message: FixMessage, { reason, tag }: Fault): Field[] {
  const sequence = textOf(message, TAG.MsgSeqNum) ?? '';
  const type = typeOf(message);
  const body: Field[] = [];
  if (sequence !== '') body.push([TAG.RefSeqNum, sequence]);
  body.push([TAG.Text, SESSION_REJECT_TEXT[reason]]);
  if (tag !== null) body.push([TAG.RefTagID, String(tag)]);
  if (type !== '') body.push([TAG.RefMsgType, type]);
  body.push([TAG.SessionRejectReason, String(reason)]);
  return body;
}

/** Body of the BusinessMessageReject(j) of a MsgType that the application does not take (BusinessRejectReason 3). */
export function unsupportedType(message: FixMessage): Field[] {
  return [
    [TAG.RefSeqNum, textOf(message, TAG.MsgSeqNum) ?? ''],
    [TAG.Text, 'Unsupported Message Type'],
    [TAG.RefMsgType, typeOf(message)],
    [TAG.BusinessRejectReason, '3'],
  ];
}

const REVERSED = [
  [TAG.OnBehalfOfCompID, TAG.DeliverToCompID],
  [TAG.OnBehalfOfSubID, TAG.DeliverToSubID],
  [TAG.OnBehalfOfLocationID, TAG.DeliverToLocationID],
] as const;

/** Routing of an answer: on whose behalf a message came is to whom the answer is delivered, and the other way round. */
export function reversedRoute(message: FixMessage): Field[] {
  return REVERSED.flatMap((pair) =>
    [pair, pair.toReversed()].flatMap(([from, to]): Field[] => {
      const value = textOf(message, from as number) ?? '';
      return value === '' ? [] : [[to as number, value]];
    }),
  );
}
