import { checkSum } from '../../containers/fix-gateway/codec/check-sum.ts';
import { SOH } from '../../containers/fix-gateway/codec/fix-message.ts';

const TIME = /<TIME(?:([+-])(\d+))?>/g;
const TRAILER = `${SOH}10=`;

/** Fills in times (`<TIME>`, `<TIME+10>` in seconds), BodyLength and CheckSum, where a script leaves them out. */
export function completeMessage(text: string, now_ms: number): string {
  const timed = text.replaceAll(TIME, (_, sign, seconds) =>
    timeText(now_ms + (sign === '-' ? -1 : 1) * Number(seconds ?? 0) * 1_000),
  );
  const trailer = timed.lastIndexOf(TRAILER);
  const body = trailer < 0 ? timed : timed.slice(0, trailer + 1);
  const message = body.includes(`${SOH}9=`) ? body : withLength(body);
  return message + (trailer < 0 ? `10=${checkSum(message)}${SOH}` : timed.slice(trailer + 1));
}

function withLength(body: string): string {
  const afterBegin = body.indexOf(SOH) + 1;
  return `${body.slice(0, afterBegin)}9=${body.length - afterBegin}${SOH}${body.slice(afterBegin)}`;
}

function timeText(time_ms: number): string {
  return new Date(time_ms).toISOString().slice(0, 19).replaceAll('-', '').replace('T', '-');
}
