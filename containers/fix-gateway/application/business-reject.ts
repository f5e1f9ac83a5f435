import { type FixMessage, textOf, typeOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import type { Outgoing } from './application.ts';

/** BusinessRejectReason(380). */
export const BUSINESS_REJ = { OTHER: '0', NOT_AVAILABLE: '4', NOT_AUTHORIZED: '6' } as const;

/** What a request is called by. */
const REQUEST_IDS = [TAG.MDReqID, TAG.SecurityReqID, TAG.ClOrdID];

/** BusinessMessageReject(j). @param reason BusinessRejectReason(380) */
export function businessReject(message: FixMessage, reason: string, text: string): Outgoing {
  const requestId = REQUEST_IDS.map((tag) => textOf(message, tag)).find((id) => id !== null);
  return {
    type: MSG_TYPE.BusinessMessageReject,
    body: [
      [TAG.RefSeqNum, textOf(message, TAG.MsgSeqNum) ?? ''],
      [TAG.RefMsgType, typeOf(message)],
      ...(requestId == null ? [] : ([[TAG.BusinessRejectRefID, requestId]] as const)),
      [TAG.BusinessRejectReason, reason],
      [TAG.Text, text],
    ],
  };
}
