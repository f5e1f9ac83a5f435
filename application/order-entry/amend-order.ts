import { uuidv7 } from 'uuidv7';
import type { Instrument } from '../../data/catalog/instruments.ts';
import { findOrder, type ScaledOrder } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { scaledOrder } from '../../data/orders/book-orders.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { fromScaled, toScaled } from '../../domain/money/scaled.ts';
import type { OrderStatus, Side } from '../../domain/orders/order.ts';
import type { AmendCommand, BookResult, OrderReport } from '../../durable-objects/order-book/api.ts';
import { reportOfExisting } from '../../durable-objects/order-book/api.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { findOpenOrder } from '../order-book/open-orders.ts';
import { submitToBook } from '../order-book/submit-to-book.ts';
import { accreditationFailure } from './checks/accreditation-failure.ts';
import { instrumentOf } from './checks/instrument-cache.ts';
import { instrumentFailure } from './checks/instrument-failure.ts';
import { keyLimitsFailure } from './checks/key-limits-failure.ts';
import { limitsOf, type OrderLimits } from './checks/limits-of.ts';
import { readFacts } from './checks/read-facts.ts';
import { traderFailure } from './checks/trader-failure.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { failureOfRefusal } from './routes/failure-of-refusal.ts';

/** New total quantity and limit price in JSON numbers; null leaves as is. */
export interface AmendRequest {
  readonly orderId: string;
  readonly quantity: number | null;
  readonly price: number | null;
  /** Profile A: partially filled orders cannot be modified. */
  readonly unfilledOnly: boolean;
}

export type AmendOutcome =
  | { readonly ok: true; readonly report: OrderReport; readonly instrument: Instrument }
  | { readonly ok: false; readonly failure: OrderEntryFailure };

const ROUNDS_MAX = 3;

/** Amends an order of the caller's account; every check of placing runs again, and where one fails the order stays as it was. */
export async function amendOrder(context: OrderEntryContext, request: AmendRequest): Promise<AmendOutcome> {
  const { env, principal } = context;
  let facts = principal.facts;
  if (facts === null) return refused({ reason: 'order_not_found' });
  const { accountId } = facts;
  let outcomeUnknown = false;

  for (let round = 0; round < ROUNDS_MAX; round++) {
    // What was checked before has moved since; D1, where facts and rules are read again, must show it.
    if (round > 0 && !(await projected(env))) break;
    const found = await findAmended(env, { id: request.orderId, account: accountId, owner: principal.owner });
    if (found === 'behind') break;
    if (found === null) return refused({ reason: 'order_not_found' });
    const { order } = found;
    const { status } = order;
    if (context.isRepetition === true && round === 0) {
      const done = await asAmendedBefore(env, request, found);
      if (done !== null) return done;
    }
    if (order.open === 0 || order.book === null) return refused({ reason: 'order_not_modifiable', status });
    if (round > 0) {
      const reread = await readFacts(env, principal).catch(() => 'unavailable' as const);
      if (reread === 'unavailable') break;
      facts = reread;
    }
    const check = await checkAmendment(context, facts, request, { ...order, book: order.book }, round > 0);
    if (!check.ok) return refused(check.failure);
    const result = (await submitToBook(env, order.book, [check.command]))?.[0];
    outcomeUnknown ||= result?.type === 'unavailable';
    if (result?.type === 'unavailable' || isStale(result)) continue;
    return outcomeOf(result, check.instrument, status);
  }
  return refused({ reason: outcomeUnknown ? 'outcome_unknown' : 'unavailable' });
}

/**
 * A repetition whose order has the terms that it asks for is done: the first request did it, or they were so before. Null where it has
 * others, or they cannot be known.
 */
async function asAmendedBefore(
  env: Env,
  request: AmendRequest,
  { order, quantityScale, priceScale }: ScaledOrder,
): Promise<AmendOutcome | null> {
  if (priceScale === null || order.book === null) return null;
  const quantity = fromScaled(order.quantity, quantityScale);
  const price = order.price === null ? null : fromScaled(order.price, priceScale);
  if ((request.quantity ?? quantity) !== quantity) return null;
  if (request.price !== null && request.price !== price) return null;
  const instrument = await instrumentOf(env, { symbol: order.book });
  if (instrument === null || instrument === 'unavailable') return null;
  return { ok: true, report: reportOfExisting({ ...order, restricted: order.restricted === 1 }), instrument };
}

/** The order as its book has it; one that is not open there stands in the read model. */
async function findAmended(
  env: Env,
  wanted: { readonly id: string; readonly account: string; readonly owner: string },
): Promise<ScaledOrder | null | 'behind'> {
  const open = await findOpenOrder(env, wanted, wanted.id);
  if (open !== null && open !== 'unknown') return scaledOrder(open);
  if (!(await settleBeforeRead(env, wanted.account))) return 'behind';
  return findOrder(orderStore(env), wanted);
}

/** What an amendment must know of its order. */
interface AmendedOrder {
  readonly book: string;
  readonly side: string;
  readonly quantity: number;
  readonly price: number | null;
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
}

type AmendmentCheck =
  | { readonly ok: true; readonly command: AmendCommand; readonly instrument: Instrument }
  | { readonly ok: false; readonly failure: OrderEntryFailure };

async function checkAmendment(
  { env, principal }: OrderEntryContext,
  facts: AccountFacts | null,
  request: AmendRequest,
  order: AmendedOrder,
  reread: boolean,
): Promise<AmendmentCheck> {
  const unfit = traderFailure(facts);
  if (unfit !== null || facts === null) return refused(unfit ?? { reason: 'no_account' });
  const instrument = await instrumentOf(env, { symbol: order.book }, reread);
  if (instrument === 'unavailable') return refused({ reason: 'unavailable' });
  const market = instrument?.market ?? null;
  if (instrument === null || market === null) return refused({ reason: 'order_not_found' });
  const side = order.side as Side;
  const failure = instrumentFailure(instrument, 'internal') ?? accreditationFailure(side, instrument.asset, facts);
  if (failure !== null) return refused(failure);

  const quantity = request.quantity === null ? null : toScaled(request.quantity, market.quantityScale);
  if (quantity?.ok === false)
    return refused({ reason: 'number_not_representable', field: 'quantity', error: quantity.error });
  const price = request.price === null ? null : toScaled(request.price, market.priceScale);
  if (price?.ok === false) return refused({ reason: 'number_not_representable', field: 'price', error: price.error });
  const limited = await limitsOf(env, principal, facts, side, { ...instrument, market });
  if (!limited.ok) return refused(limited.failure);
  const outside =
    limitFailure(limited.limits, order) ?? keyLimitsFailure(principal, instrument, quantity?.value ?? order.quantity);
  if (outside !== null) return refused(outside);
  return {
    ok: true,
    instrument,
    command: {
      type: 'amend',
      amendmentId: uuidv7(),
      orderId: request.orderId,
      account: facts.accountId,
      quantity: quantity?.value ?? null,
      price: price?.value ?? null,
      checkedOver: { quantity: order.quantity, price: order.price },
      unfilledOnly: request.unfilledOnly,
      limitedKey: limited.limits.daily === null ? null : principal.keyId,
      factsVersion: facts.factsVersion,
      rulesVersion: market.rulesVersion,
    },
  };
}

/** The engine raises what an order draws on, it does not begin to draw: an order outside a limit cannot grow under it. */
function limitFailure(limits: OrderLimits, order: AmendedOrder): OrderEntryFailure | null {
  if (limits.allowanceAsset !== null && order.allowanceAsset === null)
    return { reason: 'outside_limit', limit: 'investment' };
  // Through any other credential the order would outgrow a limit that is aligned for its own key alone.
  if (order.positionAsset !== limits.positionAsset) return { reason: 'outside_limit', limit: 'position' };
  return null;
}

function isStale(result: BookResult | undefined): boolean {
  return result?.type === 'refused' && result.refusal.reason === 'stale';
}

function outcomeOf(result: BookResult | undefined, instrument: Instrument, status: OrderStatus): AmendOutcome {
  switch (result?.type) {
    case 'done':
      return { ok: true, report: result.report, instrument };
    case 'refused': {
      const { refusal } = result;
      // The book forgets final orders; the ledger still had this one as open when it was looked up.
      if (refusal.reason === 'order_not_found') return refused({ reason: 'order_not_modifiable', status });
      if (refusal.reason === 'stale' || instrument.market === null) return refused({ reason: 'unavailable' });
      return refused(failureOfRefusal(refusal, instrument.market));
    }
    case 'unavailable':
      return refused({ reason: 'unavailable' });
    case undefined:
      return refused({ reason: 'outcome_unknown' });
    case 'mass_cancelled':
      throw new Error(`an amendment was answered as a ${result.type}`);
  }
}

function refused<Failure extends OrderEntryFailure>(failure: Failure): { ok: false; failure: Failure } {
  return { ok: false, failure };
}
