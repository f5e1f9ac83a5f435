import { HOUR_MS } from '../calendar/durations.ts';
import { changesShares } from './corporate-action.ts';

/** How long before its first effect an action is announced. */
export interface ActionNotice {
  /** Of what ends or divides holdings. */
  readonly sharesMs: number;
  /** Of anything else. */
  readonly otherMs: number;
}

/** Where a deployment says nothing: ten days, as 17 CFR 240.10b-17 has it of a split, and a day for everybody to look at anything else. */
const NOTICE_DEFAULT: ActionNotice = { sharesMs: 240 * HOUR_MS, otherMs: 24 * HOUR_MS };

/** No longer than an action may be announced ahead, by far. */
export const NOTICE_HOURS_MAX = 90 * 24;

/** What a deployment says, in hours; a number that is none is as good as nothing. */
export function noticeOf(shares: string | undefined, other: string | undefined): ActionNotice {
  const ms = (text: string | undefined, otherwise: number) => {
    const hours = text === undefined || text.trim() === '' ? Number.NaN : Number(text);
    return Number.isInteger(hours) && hours >= 0 && hours <= NOTICE_HOURS_MAX ? hours * HOUR_MS : otherwise;
  };
  return { sharesMs: ms(shares, NOTICE_DEFAULT.sharesMs), otherMs: ms(other, NOTICE_DEFAULT.otherMs) };
}

export function noticeMsOf({ sharesMs, otherMs }: ActionNotice, terms: Parameters<typeof changesShares>[0]): number {
  return changesShares(terms) ? sharesMs : otherMs;
}
