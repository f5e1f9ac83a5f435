import type { Instrument } from '../../data/catalog/instruments.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { OrderTerms } from '../../domain/orders/order.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { OrderReport } from '../../durable-objects/order-book/api.ts';
import type { CheckRefusal } from './checks/check-order.ts';
import type { AskedOrder, CheckedOrder } from './checks/checked-order.ts';
import { isKept } from './is-kept.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import type { OrderRequest } from './order-request.ts';
import type { RoutePlacement } from './routes/execution-route.ts';

export interface PlacedOrder {
  readonly report: OrderReport;
  /** The terms as placed, scaled by the market. */
  readonly terms: OrderTerms;
  readonly market: Market;
  readonly asset: Instrument['asset'];
}

interface PlacementRefusal {
  readonly failure: OrderEntryFailure;
  /** The order that was stored as rejected, for `error.details.orderId`; null when none was. */
  readonly orderId: string | null;
}

export type PlacementOutcome = Result<PlacedOrder, PlacementRefusal>;

/**
 * One order on its way through order entry. Its state says what is to be done with it; the functions of this file are all the transitions.
 *
 * | state | what is done | leads to |
 * |---|---|---|
 * | `asked` | the checks (`afterChecks`) | `checked`, `failed`, `ended` |
 * | `checked` | its route is given it (`afterRoute`) | `failed`, `unexplained`, `postponed`, `ended` |
 * | `failed` | its route, else the ledger, stores it as rejected (`afterKeeping`) | `failed`, `unexplained`, `postponed`, `ended` |
 * | `unexplained` | the ledger is asked what became of its id (`afterInquiry`) | `postponed`, `ended` |
 * | `postponed` | nothing in this round (`nextRound`, `givenUp`) | `asked`, `ended` |
 * | `ended` | nothing | – |
 *
 * Nothing leads back within a round, and `hasRound` bounds the rounds.
 */
export type Placement = Asked | Checked | Failed | Unexplained | Postponed | Ended;

interface InState<State extends string> {
  readonly state: State;
  /** What the caller is told if nothing more becomes of it. */
  readonly outcome: PlacementOutcome;
}

export interface Asked extends InState<'asked'> {
  readonly request: OrderRequest;
}

export interface Checked extends InState<'checked'> {
  readonly order: CheckedOrder;
}

export interface Failed extends InState<'failed'> {
  readonly order: AskedOrder;
  readonly failure: OrderEntryFailure;
}

export interface Unexplained extends InState<'unexplained'> {
  readonly order: AskedOrder;
}

export interface Postponed extends InState<'postponed'> {
  readonly request: OrderRequest;
  /** Its id is spent: the next round tries the one that follows from it. */
  readonly isIdSpent: boolean;
}

export type Ended = InState<'ended'>;

/**
 * What is known of an order of which its route says nothing. `spent`: the ledger has given the id up, and the order may be tried under
 * another one. `never_placed`: nothing was admitted under the id, and it is too old to be admitted any more. A route that is `unavailable`
 * may have executed it before: then its outcome is `unknown`.
 */
export type Fate = 'spent' | 'never_placed' | 'unknown';

/**
 * Rounds of an order that has to be tried again: always a second one, further ones only while they go quickly, as when a repeated
 * request passes through the ids that earlier attempts have spent.
 */
const ROUNDS_MIN = 2;
const ROUNDS_MAX = 16;
const FURTHER_ROUNDS_WITHIN_MS = 3_000;

/** Whether this round, counted from 0, is made, so long after the first began. */
export function hasRound(round: number, elapsed_ms: number): boolean {
  return round < ROUNDS_MIN || (round < ROUNDS_MAX && elapsed_ms <= FURTHER_ROUNDS_WITHIN_MS);
}

const NOTHING_DONE: PlacementOutcome = err({ failure: { reason: 'unavailable' }, orderId: null });

export function asked(request: OrderRequest): Asked {
  return { state: 'asked', request, outcome: NOTHING_DONE };
}

export function afterChecks({ outcome }: Asked, check: Result<CheckedOrder, CheckRefusal>): Checked | Failed | Ended {
  if (check.ok) return { state: 'checked', order: check.value, outcome };
  const { failure, asked: order } = check.error;
  // What an earlier round has asked for may be done: no later check undoes that.
  if (order === null) return ended(isUnknown(outcome) ? outcome : err({ failure, orderId: null }));
  return { state: 'failed', order, failure, outcome };
}

export function afterRoute({ order, outcome }: Checked, said: RoutePlacement): Exclude<Placement, Asked | Checked> {
  if (said.type === 'refused' && !said.stored && isKept(said.failure))
    return { state: 'failed', order, failure: said.failure, outcome };
  return concluded(order, said, outcome);
}

/** @param said that it was stored, or what became of the order that stood under its id already */
export function afterKeeping(
  { order, failure, outcome }: Failed,
  said: RoutePlacement,
): Unexplained | Postponed | Ended {
  return concluded(order, said.type === 'recorded' ? { type: 'refused', failure, stored: true } : said, outcome);
}

/** The same where its route was to store it: what the route does not know to be stored, the ledger stores. */
export function afterRouteKeeping(placement: Failed, said: RoutePlacement): Failed | Unexplained | Postponed | Ended {
  const isUnknown = said.type === 'refused' && said.failure.reason === 'outcome_unknown';
  return said.type === 'unavailable' || isUnknown ? placement : afterKeeping(placement, said);
}

/** @param round the one in which the order has no answer: in one that is surely followed by another, its id is tried again */
export function afterInquiry({ order: { request } }: Unexplained, fate: Fate, round: number): Postponed | Ended {
  switch (fate) {
    case 'spent':
      return { state: 'postponed', request, isIdSpent: true, outcome: NOTHING_DONE };
    case 'never_placed':
      return ended(err({ failure: { reason: 'request_too_old' }, orderId: null }));
    case 'unknown': {
      const outcome = err({ failure: { reason: 'outcome_unknown' as const }, orderId: request.orderId });
      if (round + 1 >= ROUNDS_MIN) return ended(outcome);
      return { state: 'postponed', request, isIdSpent: false, outcome };
    }
  }
}

/** Something failed that should not: nobody can say what became of the order. What has ended stays as it is. */
export function interrupted(placement: Placement): Ended {
  if (placement.state === 'ended') return placement;
  const { orderId } = 'request' in placement ? placement.request : placement.order.request;
  return ended(err({ failure: { reason: 'outcome_unknown' }, orderId }));
}

/** It is not tried again: a postponed order ends with what is known of it. */
export function givenUp(placement: Placement): Placement {
  return placement.state === 'postponed' ? ended(placement.outcome) : placement;
}

/** @param orderId the request's own id, or the one that follows where it is spent */
export function nextRound({ request, outcome }: Postponed, orderId: string): Asked {
  return { state: 'asked', request: { ...request, orderId }, outcome };
}

function concluded(
  order: AskedOrder,
  said: RoutePlacement,
  outcome: PlacementOutcome,
): Unexplained | Postponed | Ended {
  const { request, terms, instrument } = order;
  switch (said.type) {
    case 'placed':
      return ended(ok({ report: said.report, terms, market: said.market, asset: instrument.asset }));
    case 'refused':
      return ended(err({ failure: said.failure, orderId: said.stored ? request.orderId : null }));
    case 'stale':
      return { state: 'postponed', request, isIdSpent: false, outcome };
    case 'unavailable':
      return { state: 'unexplained', order, outcome };
    case 'recorded':
      throw new Error('an order that passed its checks was recorded as rejected');
  }
}

function isUnknown(outcome: PlacementOutcome): boolean {
  return !outcome.ok && outcome.error.failure.reason === 'outcome_unknown';
}

function ended(outcome: PlacementOutcome): Ended {
  return { state: 'ended', outcome };
}
