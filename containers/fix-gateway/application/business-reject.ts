import { type FixMessage, textOf, typeOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';
import type { Outgoing } from './application.ts';

/** BusinessMessageReject(j). @param reason BusinessRejectReason(380) */
export function businessReject(message: FixMessage, reason: string, text: string): Outgoing {
  return {
    type: MSG_TYPE.BusinessMessageReject,
    body: [
      [TAG.RefSeqNum, textOf(message, TAG.MsgSeqNum) ?? ''],
      [TAG.RefMsgType, typeOf(message)],
      [TAG.BusinessRejectReason, reason],
      [TAG.Text, text],
    ],
  };
}
