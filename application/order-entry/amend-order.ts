import { uuidv7 } from 'uuidv7';
import type { Instrument } from '../../data/catalog/instruments.ts';
import { findOrder, type ScaledOrder } from '../../data/orders/account-orders.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import { scaledOrder } from '../../data/orders/book-orders.ts';
import type { ExecutionRouteName } from '../../domain/assets/asset.ts';
import { lockupFailure } from '../../domain/assets/issuer-lockup.ts';
import { routeOfAsset } from '../../domain/assets/route-of.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import type { Market } from '../../domain/markets/market.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { accreditationFailure } from '../../domain/order-entry/accreditation-failure.ts';
import { instrumentFailure } from '../../domain/order-entry/instrument-failure.ts';
import { keyLimitsFailure } from '../../domain/order-entry/key-limits-failure.ts';
import { scaledAmount } from '../../domain/order-entry/scaled-amount.ts';
import { traderOf } from '../../domain/order-entry/trader-of.ts';
import { PRICE_SCALE_WITHOUT_MARKET } from '../../domain/order-entry/without-market.ts';
import { isFinal } from '../../domain/order-state/order-state.ts';
import { type StandingTerms, standingTermsOf } from '../../domain/orders/standing-terms.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { AmendCommand, OrderReport } from '../../durable-objects/order-book/api.ts';
import { reportOfExisting } from '../../durable-objects/order-book/api.ts';
import { projected } from '../ledger/projected.ts';
import { settleBeforeRead } from '../ledger/settle-before-read.ts';
import { instrumentOf } from './checks/instrument-cache.ts';
import { type OrderLimits, orderLimits } from './checks/order-limits.ts';
import { readFacts } from './checks/read-facts.ts';
import type { OrderEntryContext } from './order-entry-context.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';
import { recordRefusedAmendment } from './refusals/record-refusals.ts';
import type { AmendedInstrument, RouteAmendment } from './routes/execution-route.ts';
import { EXECUTION_ROUTES, findOrderAtRoutes } from './routes/execution-routes.ts';

/** New total quantity, limit price and trigger in JSON numbers; null leaves as is. */
export interface AmendRequest {
  readonly orderId: string;
  readonly quantity: number | null;
  readonly price: number | null;
  /** Of a stop that awaits its trigger. */
  readonly stopPrice: number | null;
  /** Profile A: partially filled orders cannot be modified. */
  readonly unfilledOnly: boolean;
}

interface Amended {
  readonly report: OrderReport;
  readonly market: Market;
  /** Whether the order has the terms that were asked for; a broker may not have answered yet. */
  readonly isApplied: boolean;
  readonly terms: StandingTerms;
}

export type AmendOutcome = Result<Amended, OrderEntryFailure>;

/** `unreadable`: ledger or D1 do not say what the order is; nothing was asked of its route. The others are its route's. */
type Attempt = AmendOutcome | 'unreadable' | 'stale' | 'unavailable';

const ROUNDS_MAX = 3;

interface Round {
  /** Counted from 0. */
  readonly round: number;
  /** Whether a route was asked in an earlier one, and did not say what became of it. */
  readonly outcomeUnknown: boolean;
}

/** Amends an order of the caller's account; every check of placing runs again, and where one fails the order stays as it was. */
export async function amendOrder(context: OrderEntryContext, request: AmendRequest): Promise<AmendOutcome> {
  const outcome = await attemptToAmend(context, request);
  if (!outcome.ok) await recordRefusedAmendment(context, request, outcome.error);
  return outcome;
}

async function attemptToAmend(context: OrderEntryContext, request: AmendRequest): Promise<AmendOutcome> {
  let outcomeUnknown = false;
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const attempt = await tryToAmend(context, request, { round, outcomeUnknown });
    if (attempt === 'unreadable') break;
    if (attempt === 'unavailable') outcomeUnknown = true;
    else if (attempt !== 'stale') return attempt;
  }
  return err({ reason: outcomeUnknown ? 'outcome_unknown' : 'unavailable' });
}

async function tryToAmend(
  context: OrderEntryContext,
  request: AmendRequest,
  { round, outcomeUnknown }: Round,
): Promise<Attempt> {
  const { env, principal } = context;
  if (principal.facts === null) return err({ reason: 'order_not_found' });
  // What was checked before has moved since; D1, where facts and rules are read again, must show it.
  if (round > 0 && !(await projected(env))) return 'unreadable';
  const wanted = { id: request.orderId, account: principal.facts.accountId, owner: principal.owner };
  const found = await findAmended(env, wanted);
  if (found === 'unreadable') return found;
  if (found === null) return err({ reason: 'order_not_found' });
  if (context.isRepetition === true && round === 0) {
    const done = await asAmendedBefore(env, request, found);
    if (done !== null) return done;
  }
  const { order } = found;
  const { status } = order;
  if (isFinal(status)) return err({ reason: 'order_not_modifiable', status, cause: 'final' });
  const facts = round === 0 ? principal.facts : await readFacts(env, principal).catch(() => 'unreadable' as const);
  if (facts === 'unreadable') return facts;
  const checked = await checkAmendment(context, facts, request, order, round > 0);
  // What an earlier round has asked for may be done: no later check undoes that.
  if (!checked.ok) return outcomeUnknown ? err({ reason: 'outcome_unknown' }) : checked;
  const { route, instrument, command } = checked.value;
  return attemptOf(await EXECUTION_ROUTES[route].amend(env, instrument, command), command, order);
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
  const unscaled = (price: number | null) => (price === null ? null : fromScaled(price, priceScale));
  if ((request.quantity ?? quantity) !== quantity) return null;
  if (request.price !== null && request.price !== unscaled(order.price)) return null;
  if (request.stopPrice !== null && request.stopPrice !== unscaled(order.stopPrice)) return null;
  const instrument = await instrumentOf(env, { symbol: order.book });
  if (instrument === null || instrument === 'unavailable' || instrument.market === null) return null;
  const report = reportOfExisting({ ...order, restricted: order.restricted === 1 });
  return ok({ report, market: instrument.market, isApplied: true, terms: standingTermsOf(order) });
}

/** The order as its route has it; one that is not open there stands in the read model. */
async function findAmended(
  env: Env,
  wanted: { readonly id: string; readonly account: string; readonly owner: string },
): Promise<ScaledOrder | null | 'unreadable'> {
  const open = await findOrderAtRoutes(env, wanted, wanted.id);
  if (open !== null && open !== 'unknown') return scaledOrder(open);
  if (!(await settleBeforeRead(env, wanted.account))) return 'unreadable';
  return findOrder(orderStore(env), wanted);
}

/** What an amendment must know of its order. */
type AmendedOrder = Pick<
  ScaledOrder['order'],
  'book' | 'assetId' | 'side' | 'quantity' | 'price' | 'allowanceAsset' | 'positionAsset'
>;

interface CheckedAmendment {
  readonly route: ExecutionRouteName;
  readonly instrument: AmendedInstrument;
  readonly command: AmendCommand;
}

async function checkAmendment(
  { env, principal }: OrderEntryContext,
  facts: AccountFacts | null,
  request: AmendRequest,
  order: AmendedOrder,
  reread: boolean,
): Promise<Result<CheckedAmendment, OrderEntryFailure>> {
  const trader = traderOf(facts, Date.now());
  if (!trader.ok) return trader;
  const wanted = order.book === null ? { assetId: order.assetId } : { symbol: order.book };
  const instrument = await instrumentOf(env, wanted, reread);
  if (instrument === 'unavailable') return err({ reason: 'unavailable' });
  if (instrument === null) return err({ reason: 'order_not_found' });
  const { market, asset } = instrument;
  const side = order.side;
  const route = market?.route ?? routeOfAsset(asset);
  const failure =
    instrumentFailure(instrument, route) ??
    accreditationFailure(side, asset, trader.value) ??
    lockupFailure(side, asset, Date.now());
  if (failure !== null) return err(failure);

  const terms = scaleChange(request, instrument);
  if (!terms.ok) return terms;
  const limits = await orderLimits(env, principal, trader.value, side, instrument);
  if (!limits.ok) return limits;
  const outside =
    limitFailure(limits.value, order) ??
    keyLimitsFailure(principal, instrument, terms.value.quantity ?? order.quantity);
  if (outside !== null) return err(outside);
  const command: AmendCommand = {
    type: 'amend',
    amendmentId: uuidv7(),
    orderId: request.orderId,
    account: trader.value.accountId,
    ...terms.value,
    checkedOver: { quantity: order.quantity, price: order.price },
    unfilledOnly: request.unfilledOnly,
    limitedKey: limits.value.daily === null ? null : principal.keyId,
    factsVersion: trader.value.factsVersion,
    rulesVersion: market?.rulesVersion ?? 0,
    family: trader.value.family ?? null,
    identityEndsAt: trader.value.identityEndsAt,
  };
  return ok({ route, instrument, command });
}

type ChangedTerms = Pick<AmendCommand, 'quantity' | 'price' | 'stopPrice'>;

/** The new terms in the units of what the order is of. */
function scaleChange(request: AmendRequest, { asset, market }: Instrument): Result<ChangedTerms, OrderEntryFailure> {
  const quantity = request.quantity === null ? ok(null) : scaledAmount('quantity', request.quantity, asset.scale);
  if (!quantity.ok) return err({ reason: 'number_not_representable', field: 'quantity', error: quantity.error });
  const priceScale = market?.priceScale ?? PRICE_SCALE_WITHOUT_MARKET;
  const price = request.price === null ? ok(null) : scaledAmount('price', request.price, priceScale);
  if (!price.ok) return err({ reason: 'number_not_representable', field: 'price', error: price.error });
  const stopPrice = request.stopPrice === null ? ok(null) : scaledAmount('stopPrice', request.stopPrice, priceScale);
  if (!stopPrice.ok) return err({ reason: 'number_not_representable', field: 'stopPrice', error: stopPrice.error });
  return ok({ quantity: quantity.value, price: price.value, stopPrice: stopPrice.value });
}

/** The engine raises what an order draws on, it does not begin to draw: an order outside a limit cannot grow under it. */
function limitFailure(limits: OrderLimits, order: AmendedOrder): OrderEntryFailure | null {
  if (limits.allowanceAsset !== null && order.allowanceAsset === null)
    return { reason: 'outside_limit', limit: 'investment' };
  // Through any other credential the order would outgrow a limit that is aligned for its own key alone.
  if (order.positionAsset !== limits.positionAsset) return { reason: 'outside_limit', limit: 'position' };
  return null;
}

function attemptOf(
  amendment: RouteAmendment,
  { quantity, price, stopPrice }: AmendCommand,
  order: ScaledOrder['order'],
): Attempt {
  switch (amendment.type) {
    case 'amended': {
      const { report, market } = amendment;
      const isApplied = (quantity ?? report.quantity) === report.quantity && (price ?? report.price) === report.price;
      const terms = standingTermsOf({ ...order, stopPrice: stopPrice ?? order.stopPrice });
      return ok({ report, market, isApplied, terms });
    }
    case 'refused':
      // The route forgets final orders; the ledger still had this one as open when it was looked up.
      return err(
        amendment.failure.reason === 'order_not_found'
          ? { reason: 'order_not_modifiable', status: order.status, cause: 'final' }
          : amendment.failure,
      );
    case 'stale':
    case 'unavailable':
      return amendment.type;
  }
}
