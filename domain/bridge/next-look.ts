import { DAY_MS, HOUR_MS, MINUTE_MS } from '../calendar/durations.ts';
import { isEnded, type Transfer } from './transfer.ts';

const REST_MS_MIN = 1_000;
/** Parts of the wait so far, after which it is looked at again: soon at first, and seldom where nothing comes of it. */
const PARTS_SOON = 10;
const PARTS_LATER = 60;
const REST_MS_MAX = HOUR_MS;
/** After its end, funds may still be lost or come: it is looked at so often, for so long. */
const REST_AFTER_END_MS = HOUR_MS;
const WATCHED_AFTER_END_MS = DAY_MS;
/** Signers that were away are told that it is paid out so often, for so long: who does not come back by then is replaced, or asks its chain. */
const REST_UNTOLD_MS = DAY_MS;
const TOLD_MS_MAX = 90 * DAY_MS;
/** A fee that is due and not credited is tried again so often on the first day, and for so long. */
const REST_UNCREDITED_MS = HOUR_MS;
const REST_UNCREDITED_LATER_MS = DAY_MS;
const CREDITED_MS_MAX = 90 * DAY_MS;
/** Until a deposit has come into the vault's account, payouts may wait for it: so often in the first hour, and as an uncredited fee after that. */
const REST_UNSWEPT_MS = 15_000;
/** A refund that nothing begins is looked at each hour for so long, and less and less often after that, each day at the least: a sixtieth of sixty days is one. */
const WATCHED_REFUNDABLE_MS = 7 * DAY_MS;
/** Signers are asked again so often for a reference that too few of them know, as long as it is kept. */
const REST_UNKNOWN_MS = 15_000;

/** When a transfer that was just looked at is looked at again by itself, Unix ms; null: no more. It follows from what is stored, so it is the same for an instance that has just begun. */
export function nextLook(
  transfer: Transfer,
  {
    createdAt,
    now,
    isUntold = false,
    isFeeOwed = false,
    isSweepOwed = false,
    unknownUntil = 0,
  }: {
    readonly createdAt: number;
    readonly now: number;
    readonly isUntold?: boolean;
    readonly isFeeOwed?: boolean;
    readonly isSweepOwed?: boolean;
    readonly unknownUntil?: number;
  },
): number | null {
  const changedAt = lastChangeAt(transfer, createdAt);
  const waited = Math.max(0, now - changedAt);
  if (isEnded(transfer) && isSweepOwed && waited < HOUR_MS) return now + REST_UNSWEPT_MS;
  if (isEnded(transfer) && waited < WATCHED_AFTER_END_MS) return now + REST_AFTER_END_MS;
  if (isEnded(transfer) && (isFeeOwed || isSweepOwed) && waited < CREDITED_MS_MAX)
    return now + (waited < 2 * DAY_MS ? REST_UNCREDITED_MS : REST_UNCREDITED_LATER_MS);
  if (isEnded(transfer)) return isUntold && waited < TOLD_MS_MAX ? now + REST_UNTOLD_MS : null;
  const soon = Math.min(waited / PARTS_SOON, MINUTE_MS);
  // Whoever pays in waits for an answer.
  const later = isForPayer(transfer) ? 0 : Math.min(waited / PARTS_LATER, restMax(transfer, waited));
  const usual = now + Math.max(REST_MS_MIN, Math.ceil(soon), Math.ceil(later));
  const at = now <= unknownUntil ? Math.min(usual, now + REST_UNKNOWN_MS) : usual;
  const { until } = transfer;
  return until !== null && until > now ? Math.min(at, until) : at;
}

/** Whether it has ended, and was looked at for as long as its funds may still be lost: what it has earned is due. */
export function isWatchOver(
  transfer: Transfer,
  { createdAt, now }: { readonly createdAt: number; readonly now: number },
) {
  return isEnded(transfer) && now - lastChangeAt(transfer, createdAt) >= WATCHED_AFTER_END_MS;
}

/**
 * From when on another refund may be tried, Unix ms: whoever does not take one has time to mend that.
 *
 * @param tried how many came to nothing
 */
export function nextRefund(transfer: Transfer, tried: number, createdAt: number): number {
  const rest = tried === 0 ? 0 : Math.min(MINUTE_MS * 4 ** (tried - 1), DAY_MS);
  return lastChangeAt(transfer, createdAt) + rest;
}

/** A refund that nothing has begun for so long waits for people, or for a chain's fees to fall. */
function restMax({ state }: Transfer, waited: number): number {
  return state === 'refundable' && waited >= WATCHED_REFUNDABLE_MS ? DAY_MS : REST_MS_MAX;
}

function lastChangeAt({ history }: Transfer, createdAt: number): number {
  return history.at(-1)?.at ?? createdAt;
}

function isForPayer({ state }: Transfer): boolean {
  return state === 'awaiting_funds' || state === 'confirming';
}
