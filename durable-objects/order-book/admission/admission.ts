import type { AmendmentAdmission, HeldAssets, Holds, OrderAdmission } from '../../../domain/ledger/records.ts';
import { isAtBroker, type Market, notional, takesIndications } from '../../../domain/markets/market.ts';
import type { MarketPrices } from '../../../domain/markets/price-band.ts';
import { type AmendedTerms, amendedTerms } from '../../../domain/order-entry/amended-terms.ts';
import { isNotionalExact } from '../../../domain/order-entry/exact-notional.ts';
import { exposureOf, holdsOf } from '../../../domain/order-entry/holds.ts';
import { incomingOf, priceMostOf } from '../../../domain/order-entry/incoming.ts';
import { limitPriceOf, type PriceFailure } from '../../../domain/order-entry/limit-price.ts';
import { allows } from '../../../domain/order-state/order-state.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { ErrorCode } from '../../../protocol/errors/error-code.ts';
import type { AmendOrder, LiveOrder } from '../engine/engine.ts';
import type { AdmittedOrder, JournaledAmend, JournaledConversion } from '../journal/journal-entry.ts';
import type { AmendCommand, BookRefusal, ConvertCommand, PlaceCommand, RejectCommand } from '../rpc/commands.ts';
import type { LedgerOrder, OrderLot } from './ledger-order.ts';

/** A placement as its book would place it, and what it would hold. */
export interface PreparedOrder {
  readonly command: PlaceCommand;
  /** The rules that it was prepared under: the market's may be others when it is placed. */
  readonly market: Market;
  /** The engine's limit: the client's, or the collar of an order without one. */
  readonly limit: number;
  readonly holds: Holds;
  /** Of a sell on a routed market: no execution counts at a higher price; undefined for any other. */
  readonly priceMost: number | undefined;
  /** What the best displayed bid pays, for a sell under daily limits; null for others. */
  readonly bestBid: number | null;
  readonly preparedAt: number;
}

/**
 * What a placement asks of the ledger, worked out before admission: the collar of orders without a limit, the price band, the holds.
 * @param bestBid asked for a sell under daily limits alone
 */
export function prepareOrder(
  command: PlaceCommand,
  market: Market,
  prices: MarketPrices,
  now_ms: number,
  bestBid: () => number | null = () => null,
): Result<PreparedOrder, PriceFailure> {
  const { terms } = command;
  const limit = limitPriceOf(terms, market, prices);
  if (!limit.ok) return limit;
  const holds = holdsOf(market, {
    side: terms.side,
    limit: limit.value,
    remaining: terms.quantity,
    makerFeeBps: market.makerFeeBps,
    takerFeeBps: market.takerFeeBps,
    feeNumerator: 0,
    allowanceAsset: command.allowanceAsset,
    positionAsset: command.positionAsset,
    rate: command.rate,
    isNonBinding: isIndication(market, terms),
  });
  const paid = command.daily !== null && terms.side === 'sell' ? bestBid() : null;
  if (paid !== null && !isNotionalExact(market, paid, terms.quantity)) return err({ reason: 'notional_too_large' });
  const priceMost = priceMostIn(market, { ...terms, limit: limit.value }, prices);
  return ok({ command, market, limit: limit.value, holds, priceMost, bestBid: paid, preparedAt: now_ms });
}

/** The highest price that executions of the order count at: only a sell that is handed over has one. */
function priceMostIn(
  market: Market,
  order: Pick<LedgerOrder, 'side' | 'limit' | 'quantity'>,
  prices: MarketPrices,
): number | undefined {
  if (order.side === 'buy' || !isAtBroker(market)) return undefined;
  return priceMostOf(market, order, { ...prices, reference: prices.reference ?? market.referencePrice });
}

/** What executions of the order may bring from outside, where it is handed over. */
function incomingIn(market: Market, order: Pick<LedgerOrder, 'side' | 'remaining' | 'priceMost'>): number | undefined {
  return isAtBroker(market) ? incomingOf(market, order) : undefined;
}

/** What a prepared order asks of the ledger. */
export function admissionOf(prepared: PreparedOrder): OrderAdmission {
  const { command, market, holds, priceMost, preparedAt } = prepared;
  const { allowanceAsset, positionAsset } = command;
  const { side, quantity } = command.terms;
  const incoming = incomingIn(market, { side, remaining: quantity, priceMost });
  const status = command.terms.stopPrice === null ? 'open' : 'pending_trigger';
  const asked = {
    ...holds,
    status,
    allowanceAsset,
    positionAsset,
    code: null,
    daily: dailyOf(prepared),
    incoming,
  } as const;
  return orderAdmission(command, market, preparedAt, asked);
}

/** Whether an order of the market is a bid that binds nobody before the issuer's listing event; the issuer's own offer is firm. */
function isIndication(market: Pick<Market, 'route'>, { side }: Pick<OrderTerms, 'side'>): boolean {
  return side === 'buy' && takesIndications(market);
}

/** What the order counts against the daily limits of its key; null where it has none. */
function dailyOf({ command, market, limit, bestBid }: PreparedOrder): OrderAdmission['daily'] {
  const { daily, terms } = command;
  if (daily === null) return null;
  const { makerFeeBps, takerFeeBps } = market;
  const unfilled = { side: terms.side, limit, remaining: terms.quantity, filledNotional: 0 };
  const exposure = exposureOf(market, { ...unfilled, makerFeeBps, takerFeeBps, feeNumerator: 0 });
  // The limit of a sell is a floor: what takes from the bids that are there trades at theirs.
  const atBid = bestBid === null || bestBid <= limit ? 0 : notional(market, bestBid, terms.quantity);
  return { ...daily, ...exposure, notional: Math.max(exposure.notional, atBid) };
}

/** What the lots of an order come to: whom it may meet. */
export interface AdmittedTerms {
  readonly restricted: boolean;
  readonly requires: number;
  readonly family: readonly string[] | null;
}

/** A prepared order as it is placed once the ledger has admitted it, with its lots and what they come to. */
export function admittedOrder(
  { command, market, limit, priceMost }: PreparedOrder,
  lots: readonly OrderLot[],
  { restricted, requires, family }: AdmittedTerms,
): AdmittedOrder {
  const { terms } = command;
  return {
    terms: {
      type: 'place',
      orderId: command.orderId,
      account: command.account,
      keyId: command.keyId,
      side: terms.side,
      orderType: terms.type,
      timeInForce: terms.timeInForce,
      quantity: terms.quantity,
      price: limit,
      stopPrice: terms.stopPrice ?? 0,
      expiresAt: terms.expiresAt ?? 0,
      selfTradePrevention: terms.selfTradePrevention,
      hidden: terms.hidden,
      displayQuantity: terms.displayQuantity ?? 0,
      attributes: command.attributes,
      requires,
      family,
      priceMost,
    },
    price: terms.price,
    makerFeeBps: market.makerFeeBps,
    takerFeeBps: market.takerFeeBps,
    allowanceAsset: command.allowanceAsset,
    positionAsset: command.positionAsset,
    restricted,
    lots,
    ...(command.allowanceAsset === null || command.rate == null ? {} : { rate: command.rate }),
  };
}

/** A placement that order entry or the book refuses: recorded as rejected with its code, holding nothing. */
export function rejectedAdmission(
  command: PlaceCommand | RejectCommand,
  market: Market,
  code: ErrorCode,
  now_ms: number,
): OrderAdmission {
  return orderAdmission(command, market, now_ms, { ...HOLDS_NOTHING, status: 'rejected', code });
}

const HOLDS_NOTHING = {
  reserve: 0,
  allowanceAsset: null,
  allowance: 0,
  positionAsset: null,
  position: 0,
  daily: null,
} as const;

/** What depends on whether the order may be admitted. */
type Asked = Pick<
  OrderAdmission,
  'status' | 'reserve' | 'allowanceAsset' | 'allowance' | 'positionAsset' | 'position' | 'code' | 'daily' | 'incoming'
>;

function orderAdmission(
  command: PlaceCommand | RejectCommand,
  market: Market,
  createdAt: number,
  asked: Asked,
): OrderAdmission {
  const { terms } = command;
  // Written out because it runs once an order: spreading takes several times as long.
  return {
    id: command.orderId,
    account: command.account,
    owner: command.owner,
    keyId: command.keyId,
    side: terms.side,
    type: terms.type,
    timeInForce: terms.timeInForce,
    quantity: terms.quantity,
    price: terms.price,
    stopPrice: terms.stopPrice,
    expiresAt: terms.expiresAt,
    clientOrderId: command.clientOrderId,
    status: asked.status,
    reserveAsset: reserveAssetOf(terms.side, market),
    reserve: asked.reserve,
    allowanceAsset: asked.allowanceAsset,
    allowance: asked.allowance,
    positionAsset: asked.positionAsset,
    position: asked.position,
    // What is refused already was checked under whatever versions.
    factsVersion: command.type === 'place' ? command.factsVersion : 0,
    rulesVersion: command.type === 'place' ? command.rulesVersion : 0,
    createdAt,
    code: asked.code,
    daily: asked.daily,
    rateVersion: command.type === 'place' ? command.rate?.version : undefined,
    preIpo: isIndication(market, terms) ? true : undefined,
    incoming: asked.incoming,
    investor: command.investor,
    identityEndsAt: command.type === 'place' ? command.identityEndsAt : undefined,
  };
}

/** What an order of this side holds. */
function reserveAssetOf(side: OrderTerms['side'], { quoteAsset, baseAsset }: Market): string {
  return side === 'buy' ? quoteAsset : baseAsset;
}

export interface PreparedAmendment {
  readonly admission: AmendmentAdmission;
  readonly journaled: JournaledAmend;
  /** Of the order's owner, now. */
  readonly family: readonly string[] | null;
}

/**
 * What an amendment holds beyond what its order holds already; the new terms must be valid in themselves.
 * @param live the order as the engine has it
 */
export function prepareAmendment(
  command: AmendCommand,
  order: LedgerOrder,
  live: Pick<LiveOrder, 'requires' | 'displayQuantity' | 'stopPrice' | 'pendingTrigger' | 'price'>,
  market: Market,
  prices: MarketPrices,
  now_ms: number,
): Result<PreparedAmendment, BookRefusal> {
  if (!allows(order.status, 'amend'))
    return err({ reason: 'order_not_modifiable', status: order.status, cause: 'final' });
  const { checkedOver } = command;
  if (checkedOver !== null && (checkedOver.quantity !== order.quantity || checkedOver.price !== order.price))
    return err({ reason: 'stale' });
  if (command.unfilledOnly && !allows(order.status, 'amend_unfilled'))
    return err({ reason: 'order_not_modifiable', status: order.status, cause: 'partially_filled' });
  const displayQuantity = live.displayQuantity === 0 ? null : live.displayQuantity;
  const stopPrice = live.pendingTrigger ? live.stopPrice : null;
  // A stop without a limit that has triggered stands where the band of that moment let it, and stays there.
  const limit = order.price === null && !live.pendingTrigger ? live.price : order.limit;
  const terms = amendedTerms(command, { ...order, limit, displayQuantity, stopPrice }, market, prices);
  if (!terms.ok) return terms;
  // Self-trade prevention may have taken from the order what has not filled: the engine would have nothing left of it.
  if (order.remaining + terms.value.quantity - order.quantity <= 0)
    return err({ reason: 'invalid_amendment', detail: 'quantity_not_above_filled' });
  const amended = { ...order, ...heldTerms(order, terms.value, isAtBroker(market)) };
  const fees = { makerFeeBps: order.makerFeeBps, takerFeeBps: order.takerFeeBps };
  if (!isNotionalExact({ ...market, ...fees }, amended.limit, amended.remaining))
    return err({ reason: 'notional_too_large' });
  const extra = extraHolds(order, holdsOf(market, amended), market);
  // Until the broker has answered, executions of the former terms count, too.
  const whole = {
    side: order.side,
    limit: Math.max(order.limit, terms.value.price),
    quantity: Math.max(order.quantity, terms.value.quantity),
  };
  if (
    whole.side === 'sell' &&
    isAtBroker(market) &&
    !isNotionalExact({ ...market, ...fees }, whole.limit, whole.quantity)
  )
    return err({ reason: 'notional_too_large' });
  const priceMost = priceMostIn(market, whole, prices);
  const incoming = extraIncoming(market, order, { ...amended, priceMost });
  return ok({
    admission: {
      id: command.amendmentId,
      orderId: command.orderId,
      account: command.account,
      ...extra,
      factsVersion: command.factsVersion,
      rulesVersion: command.rulesVersion,
      createdAt: now_ms,
      exposure: exposureOf(market, amended),
      limitedKey: command.limitedKey,
      incoming,
      identityEndsAt: command.identityEndsAt,
    },
    journaled: journaledAmendment(command, { ...terms.value, priceMost }, live.requires, extra),
    family: command.family ?? null,
  });
}

/**
 * By what an order holds for other terms. On a routed market the broker may execute the former ones until it has given the others, so that it
 * holds for as much and for as dear as either.
 */
export function heldTerms(
  { side, quantity, limit, remaining }: Pick<LedgerOrder, 'side' | 'quantity' | 'limit' | 'remaining'>,
  terms: Pick<AmendedTerms, 'quantity' | 'price'>,
  isExecutedElsewhere: boolean,
): Pick<LedgerOrder, 'limit' | 'remaining'> {
  const more = terms.quantity - quantity;
  if (!isExecutedElsewhere) return { limit: terms.price, remaining: remaining + more };
  const dearer = side === 'buy' ? Math.max(limit, terms.price) : Math.min(limit, terms.price);
  return { limit: dearer, remaining: remaining + Math.max(0, more) };
}

export interface PreparedConversion {
  readonly admission: AmendmentAdmission;
  readonly journaled: JournaledConversion;
}

/** What an indication holds once it is firm: all that its order at the listing price would. Null where that is beyond exact amounts. */
export function prepareConversion(
  command: ConvertCommand,
  order: LedgerOrder,
  market: Market,
  now_ms: number,
): PreparedConversion | null {
  const { conversionId, account, lot, orderId, offerId, quantity, price } = command;
  const { makerFeeBps, takerFeeBps } = order;
  if (!isNotionalExact({ ...market, makerFeeBps, takerFeeBps }, price, quantity)) return null;
  const firm = { ...order, isNonBinding: false, limit: price, remaining: quantity };
  const holds = holdsOf(market, firm);
  const reserveAsset = reserveAssetOf(order.side, market);
  // An indication draws on no allowance: only who is accredited indicates, and no limit binds them (X-AEP-34).
  const held = { ...holds, reserveAsset, allowanceAsset: null, positionAsset: null };
  const { factsVersion, rulesVersion } = command;
  return {
    admission: {
      id: conversionId,
      orderId,
      account,
      ...held,
      factsVersion,
      rulesVersion,
      createdAt: now_ms,
      exposure: exposureOf(market, firm),
      limitedKey: null,
      identityEndsAt: command.identityEndsAt,
    },
    journaled: {
      type: 'convert',
      conversionId,
      conversion: { orderId, offerId, quantity, price },
      account,
      ...held,
      lot,
      abandoned: false,
    },
  };
}

/** What an amended order may bring beyond what it may bring already. */
function extraIncoming(
  market: Market,
  order: LedgerOrder,
  amended: Pick<LedgerOrder, 'side' | 'remaining' | 'priceMost'>,
): number | undefined {
  const extra = (incomingIn(market, amended) ?? 0) - (incomingIn(market, order) ?? 0);
  return extra > 0 ? extra : undefined;
}

/** What an amendment holds beyond its order. */
function extraHolds(order: LedgerOrder, next: Holds, market: Market): HeldAssets {
  const reserve = Math.max(0, next.reserve - order.reserve);
  const allowance = Math.max(0, next.allowance - order.allowance);
  const position = Math.max(0, next.position - order.position);
  const reserveAsset = reserveAssetOf(order.side, market);
  const { allowanceAsset, positionAsset } = order;
  return { reserveAsset, reserve, allowanceAsset, allowance, positionAsset, position };
}

function journaledAmendment(
  { amendmentId, orderId, account, unfilledOnly }: AmendCommand,
  { quantity, price, stopPrice, priceMost }: AmendedTerms & Pick<AmendOrder, 'priceMost'>,
  requires: number,
  extra: HeldAssets,
): JournaledAmend {
  return {
    type: 'amend',
    amendmentId,
    amendment: {
      type: 'amend',
      orderId,
      quantity,
      price,
      ...(stopPrice === null ? {} : { stopPrice }),
      unfilledOnly,
      requires,
      ...(priceMost === undefined ? {} : { priceMost }),
    },
    reserve: extra.reserve,
    allowance: extra.allowance,
    position: extra.position,
    reserveAsset: extra.reserveAsset,
    allowanceAsset: extra.allowanceAsset,
    positionAsset: extra.positionAsset,
    account,
    lots: [],
    abandoned: false,
  };
}
