import type { AmendmentAdmission, OrderAdmission } from '../../../domain/ledger/records.ts';
import { type Market, notional } from '../../../domain/markets/market.ts';
import { priceBand } from '../../../domain/markets/price-band.ts';
import { collaredPrice } from '../../../domain/order-entry/collar.ts';
import { isNotionalExact, PRICE_MAX } from '../../../domain/order-entry/exact-notional.ts';
import { exposureOf, type Holds, holdsOf } from '../../../domain/order-entry/holds.ts';
import { hasTooManySlices } from '../../../domain/order-entry/terms-failure.ts';
import { allows } from '../../../domain/order-state/order-state.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import type { LiveOrder } from '../engine/engine.ts';
import type { AdmittedOrder, JournaledAmend } from '../journal/journal-entry.ts';
import type { AmendCommand, BookRefusal, PlaceCommand } from '../rpc/commands.ts';
import type { LedgerOrder, OrderLot } from './ledger-order.ts';

/** A placement as its book would place it, and what it would hold. */
export interface PreparedOrder {
  readonly command: PlaceCommand;
  /** The rules that it was prepared under: the market's may be others when it is placed. */
  readonly market: Market;
  /** The engine's limit: the client's, or the collar of an order without one. */
  readonly limit: number;
  readonly holds: Holds;
  /** What the best displayed bid pays, for a sell under daily limits; null for others. */
  readonly bestBid: number | null;
  readonly preparedAt: number;
}

export type Prepared<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly refusal: BookRefusal };

/**
 * What a placement asks of the ledger, worked out before admission: the collar of orders without a limit, the price band, the holds.
 * @param last last trade price of the book, null before the first
 * @param bestBid asked for a sell under daily limits alone
 */
export function prepareOrder(
  command: PlaceCommand,
  market: Market,
  last: number | null,
  now_ms: number,
  bestBid: () => number | null = () => null,
): Prepared<PreparedOrder> {
  const { terms } = command;
  if (Math.max(terms.price ?? 0, terms.stopPrice ?? 0) > PRICE_MAX) return refuse({ reason: 'notional_too_large' });
  const limit = collaredPrice(terms, market, last);
  if (limit === null) return refuse({ reason: 'no_reference_price' });
  const band = priceBand(market, last);
  if (terms.price !== null && band !== null && (terms.price < band.low || terms.price > band.high)) {
    return refuse({ reason: 'outside_price_band', ...band });
  }
  if (!isNotionalExact(market, limit, terms.quantity)) return refuse({ reason: 'notional_too_large' });

  const holds = holdsOf(market, {
    side: terms.side,
    limit,
    remaining: terms.quantity,
    makerFeeBps: market.makerFeeBps,
    takerFeeBps: market.takerFeeBps,
    feeNumerator: 0,
    allowanceAsset: command.allowanceAsset,
    positionAsset: command.positionAsset,
  });
  const paid = command.daily !== null && terms.side === 'sell' ? bestBid() : null;
  if (paid !== null && !isNotionalExact(market, paid, terms.quantity)) return refuse({ reason: 'notional_too_large' });
  return { ok: true, value: { command, market, limit, holds, bestBid: paid, preparedAt: now_ms } };
}

/** What a prepared order asks of the ledger. */
export function admissionOf(prepared: PreparedOrder): OrderAdmission {
  const { command, market, holds, preparedAt } = prepared;
  const { allowanceAsset, positionAsset } = command;
  const status = command.terms.stopPrice === null ? 'open' : 'pending_trigger';
  const asked = { ...holds, status, allowanceAsset, positionAsset, code: null, daily: dailyOf(prepared) } as const;
  return orderAdmission(command, market, preparedAt, asked);
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

/** A prepared order as it is placed once the ledger has admitted it, with its lots and what they come to. */
export function admittedOrder(
  { command, market, limit }: PreparedOrder,
  lots: readonly OrderLot[],
  restricted: boolean,
  requires: number,
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
    },
    price: terms.price,
    makerFeeBps: market.makerFeeBps,
    takerFeeBps: market.takerFeeBps,
    allowanceAsset: command.allowanceAsset,
    positionAsset: command.positionAsset,
    restricted,
    lots,
  };
}

/** A placement that the book refuses by itself: recorded as rejected with its code, holding nothing. */
export function rejectedAdmission(command: PlaceCommand, market: Market, code: string, now_ms: number): OrderAdmission {
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
  'status' | 'reserve' | 'allowanceAsset' | 'allowance' | 'positionAsset' | 'position' | 'code' | 'daily'
>;

function orderAdmission(command: PlaceCommand, market: Market, createdAt: number, asked: Asked): OrderAdmission {
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
    factsVersion: command.factsVersion,
    rulesVersion: command.rulesVersion,
    createdAt,
    code: asked.code,
    daily: asked.daily,
  };
}

/** What an order of this side holds. */
function reserveAssetOf(side: OrderTerms['side'], { quoteAsset, baseAsset }: Market): string {
  return side === 'buy' ? quoteAsset : baseAsset;
}

export interface PreparedAmendment {
  readonly admission: AmendmentAdmission;
  readonly journaled: JournaledAmend;
}

/**
 * What an amendment holds beyond what its order holds already; the new terms must be valid in themselves.
 * @param live the order as the engine has it
 */
export function prepareAmendment(
  command: AmendCommand,
  order: LedgerOrder,
  { requires, displayQuantity }: Pick<LiveOrder, 'requires' | 'displayQuantity'>,
  market: Market,
  last: number | null,
  now_ms: number,
): Prepared<PreparedAmendment> {
  const quantity = command.quantity ?? order.quantity;
  const price = command.price ?? order.limit;
  if (!allows(order.status, 'amend')) return refuse({ reason: 'order_not_modifiable', status: order.status });
  const { checkedOver } = command;
  if (checkedOver !== null && (checkedOver.quantity !== order.quantity || checkedOver.price !== order.price))
    return refuse({ reason: 'stale' });
  if (command.unfilledOnly && !allows(order.status, 'amend_unfilled'))
    return refuse({ reason: 'order_not_modifiable', status: order.status });
  if (command.price !== null && order.price === null)
    return refuse({ reason: 'invalid_amendment', detail: 'no_price' });
  if (quantity <= order.filled) return refuse({ reason: 'invalid_amendment', detail: 'quantity_not_above_filled' });
  if (quantity < market.quantityMin) return refuse({ reason: 'invalid_amendment', detail: 'below_minimum' });
  if (quantity > market.quantityMax) return refuse({ reason: 'invalid_amendment', detail: 'above_maximum' });
  if (quantity % market.lotSize !== 0) return refuse({ reason: 'invalid_amendment', detail: 'not_on_lot' });
  if (hasTooManySlices(quantity, displayQuantity === 0 ? null : displayQuantity))
    return refuse({ reason: 'invalid_amendment', detail: 'too_many_slices' });
  if (price <= 0) return refuse({ reason: 'invalid_amendment', detail: 'not_positive' });
  if (price % market.tickSize !== 0) return refuse({ reason: 'invalid_amendment', detail: 'not_on_tick' });
  if (price > PRICE_MAX) return refuse({ reason: 'notional_too_large' });
  const band = priceBand(market, last);
  if (command.price !== null && band !== null && (price < band.low || price > band.high)) {
    return refuse({ reason: 'outside_price_band', ...band });
  }
  // The order's own fees, which it was admitted under: the market's may be lower by now.
  const { makerFeeBps, takerFeeBps } = order;
  if (!isNotionalExact({ ...market, makerFeeBps, takerFeeBps }, price, quantity))
    return refuse({ reason: 'notional_too_large' });
  const amended = { ...order, limit: price, remaining: order.remaining + quantity - order.quantity };
  const next = holdsOf(market, amended);
  const reserve = Math.max(0, next.reserve - order.reserve);
  const allowance = Math.max(0, next.allowance - order.allowance);
  const position = Math.max(0, next.position - order.position);
  const reserveAsset = reserveAssetOf(order.side, market);
  const { allowanceAsset, positionAsset } = order;
  return {
    ok: true,
    value: {
      admission: {
        id: command.amendmentId,
        orderId: command.orderId,
        account: command.account,
        reserveAsset,
        reserve,
        allowanceAsset,
        allowance,
        positionAsset,
        position,
        factsVersion: command.factsVersion,
        rulesVersion: command.rulesVersion,
        createdAt: now_ms,
        exposure: exposureOf(market, amended),
        limitedKey: command.limitedKey,
      },
      journaled: {
        type: 'amend',
        amendmentId: command.amendmentId,
        amendment: {
          type: 'amend',
          orderId: command.orderId,
          quantity,
          price,
          unfilledOnly: command.unfilledOnly,
          requires,
        },
        reserve,
        allowance,
        position,
        reserveAsset,
        allowanceAsset,
        positionAsset,
        account: command.account,
        lots: [],
        abandoned: false,
      },
    },
  };
}

function refuse(refusal: BookRefusal): { ok: false; refusal: BookRefusal } {
  return { ok: false, refusal };
}
