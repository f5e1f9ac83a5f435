import { err, ok, type Result } from '../../../domain/result.ts';
import { checkSum } from './check-sum.ts';
import { LENGTH_TAG_OF } from './data-fields.ts';
import { BODY_BYTES_MAX, type Field, type FixMessage, SOH } from './fix-message.ts';
import { TAG } from './tags.ts';

/** A garbled message is ignored (FIX 4.4 volume 2): nothing in it can be trusted, its sequence number neither. */
export interface Garbled {
  readonly reason: string;
  readonly mayBeLogon: boolean;
}

const CHECK_SUM_LENGTH = '10=000\x01'.length;

/** Reads what the framer has cut. Of a message that is too long there are the first fields alone, and nothing proves them. */
export function readMessage(frame: string): Result<FixMessage, Garbled> {
  const fields: Field[] = [];
  const garbled = (reason: string) => err({ reason, mayBeLogon: frame.includes(`${SOH}35=A${SOH}`) });
  let at = 0;
  while (at < frame.length) {
    const equals = frame.indexOf('=', at);
    if (equals < 0) return garbled('a field has no value');
    const tag = frame.slice(at, equals);
    if (!/^-?\d{1,9}$/.test(tag)) return garbled('a tag is no number');
    const end = endOfValue(frame, equals + 1, Number(tag), fields.at(-1));
    if (end < 0) return garbled('a field does not end');
    fields.push([Number(tag), frame.slice(equals + 1, end)]);
    at = end + 1;
  }
  if (fields[0]?.[0] !== TAG.BeginString || fields[1]?.[0] !== TAG.BodyLength || fields[2]?.[0] !== TAG.MsgType)
    return garbled('the first three fields are out of order');
  if (Number(fields[1]?.[1]) > BODY_BYTES_MAX) return ok({ fields, text: frame, isCut: true });
  const last = fields.pop();
  if (last?.[0] !== TAG.CheckSum) return garbled('the check sum is not last');
  const bodyStart = frame.indexOf(SOH, frame.indexOf(`${SOH}9=`) + 1) + 1;
  const bodyEnd = frame.length - `10=${last[1]}${SOH}`.length;
  if (Number(fields[1]?.[1]) !== bodyEnd - bodyStart) return garbled('the body length is wrong');
  if (frame.length - bodyEnd !== CHECK_SUM_LENGTH || checkSum(frame.slice(0, bodyEnd)) !== last[1])
    return garbled('the check sum is wrong');
  return ok({ fields, text: frame });
}

function endOfValue(frame: string, from: number, tag: number, before: Field | undefined): number {
  if (before !== undefined && LENGTH_TAG_OF.get(tag) === before[0] && /^\d{1,7}$/.test(before[1])) {
    const end = from + Number(before[1]);
    if (frame[end] === SOH) return end;
  }
  return frame.indexOf(SOH, from);
}
