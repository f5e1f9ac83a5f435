import { ApiProblem } from '../api/api-problem.ts';
import type { Overview, VenueMarketDetail } from './queries.ts';

/**
 * What an act that was not answered by success has come to. `step_up`: a fresh factor is wanted. `asked`: another operator is. `not_approved`: that
 * one has not approved it, or not in time, or it was used. `unknown`: it may be done. `refused`: it was not done.
 */
export type ActOutcome = 'step_up' | 'asked' | 'not_approved' | 'unknown' | 'refused';

/** @param mayBeDone an earlier try with the same key was not answered, so to be turned away says nothing of that one */
export function outcomeOf(error: unknown, mayBeDone: boolean): ActOutcome {
  if (!(error instanceof ApiProblem)) return mayBeDone ? 'unknown' : 'refused';
  if (error.code === 'STEP_UP_REQUIRED') return 'step_up';
  if (approvalAskedBy(error) !== null) return 'asked';
  if (error.details.reason === 'not_approved') return 'not_approved';
  return error.isOutcomeUnknown || (mayBeDone && error.isTurnedAway) ? 'unknown' : 'refused';
}

/** The approval that a call waits for; null where it failed otherwise. */
export function approvalAskedBy(error: unknown): string | null {
  if (!(error instanceof ApiProblem) || error.details.reason !== 'approval_required') return null;
  return typeof error.details.approval === 'string' ? error.details.approval : null;
}

/** An approval that was asked for, and the call that it is for. */
interface AskedApproval {
  readonly approval: string;
  /** Its fields and its reason, as text. */
  readonly call: string;
}

/** What was kept of it, null for nothing of use. */
export function askedBefore(kept: string | null): AskedApproval | null {
  try {
    const { approval, call } = (JSON.parse(kept ?? 'null') ?? {}) as Partial<AskedApproval>;
    return typeof approval === 'string' && typeof call === 'string' ? { approval, call } : null;
  } catch {
    return null;
  }
}

type Trading = Pick<NonNullable<Overview['trading']>, 'venueHalted'> & {
  readonly markets: Pick<NonNullable<Overview['trading']>['markets'], 'open'>;
  readonly books: Pick<NonNullable<Overview['trading']>['books'], 'liveOrders'>;
};

/** What the button of all trading does, and its numbers, as they were when it was pressed; null for a number that could not be read. */
export interface VenueAct {
  readonly verb: 'halt' | 'resume';
  readonly open: number | null;
  readonly liveOrders: number | null;
}

/** @param trading null where it could not be read: all trading can be halted even so */
export function venueActOf(trading: Trading | null, isHalted = trading?.venueHalted ?? false): VenueAct {
  return {
    verb: isHalted ? 'resume' : 'halt',
    open: trading === null ? null : Number(trading.markets.open),
    liveOrders: trading === null ? null : Number(trading.books.liveOrders),
  };
}

/** Whether there is still to do what the dialog was opened for. */
export function venueActHolds({ verb }: VenueAct, trading: Trading | null): boolean {
  return trading === null || trading.venueHalted === (verb === 'resume');
}

export type MarketAct = 'halt_market' | 'resume_market' | 'end_band' | 'set_band' | 'resume_book';

type MarketFacts = Pick<VenueMarketDetail, 'haltedUntil'> & {
  readonly rules: Pick<VenueMarketDetail['rules'], 'status' | 'bandHaltSeconds'>;
  readonly book: Pick<NonNullable<VenueMarketDetail['book']>, 'halted' | 'liveOrders'> | null;
};

/** Whether a market is still as it was when the dialog of the act was opened, as far as that act goes. */
export function marketActHolds(act: MarketAct, before: MarketFacts, now: MarketFacts): boolean {
  if (act === 'halt_market' || act === 'resume_market') return before.rules.status === now.rules.status;
  if (act === 'set_band') return before.rules.bandHaltSeconds === now.rules.bandHaltSeconds;
  if (act === 'end_band')
    return before.rules.bandHaltSeconds === now.rules.bandHaltSeconds && before.haltedUntil === now.haltedUntil;
  return now.book === null || (before.book?.halted ?? null) === now.book.halted;
}

/** Whether to offer the halt of a market: a halted one that shows open orders has not carried it out yet. */
export function haltOffered({ rules: { status }, book }: MarketFacts): 'halt' | 'again' | null {
  if (status === 'open') return 'halt';
  return status === 'halted' && Number(book?.liveOrders ?? 0) > 0 ? 'again' : null;
}
