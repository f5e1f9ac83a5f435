import { fillProgress } from '../../domain/ledger/fill-progress.ts';
import type { AccountBalance } from '../../domain/ledger/records.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import type { AccountOrder } from '../../domain/orders/account-order.ts';
import { remainingOf } from '../../domain/orders/remaining-of.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import type {
  OwnAdjustmentMessage,
  OwnBalance,
  OwnBalanceMessage,
  OwnFillMessage,
  OwnOrder,
  OwnOrderMessage,
} from '../../protocol/feeds/server-message.ts';
import type { OwnChannel } from '../../protocol/feeds/topic.ts';
import type { Told } from './account-state.ts';

/** In what numbers a market's integers are said. */
export interface Scales {
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly quoteScale: number;
}

/** An asset as balances name it; null for what is nobody's property (allowances, position limits). */
export interface NamedAsset {
  readonly symbol: string;
  readonly scale: number;
}

/** What is known of markets and assets: scales and symbols, which never change. */
export interface Names {
  readonly markets: ReadonlyMap<string, Scales>;
  readonly assets: ReadonlyMap<string, NamedAsset | null>;
}

export function ownOrder(order: AccountOrder, { priceScale, quantityScale, quoteScale }: Scales): OwnOrder {
  const { quantity, filled, filledNotional, status } = order;
  const price = (scaled: number | null): number | null => (scaled === null ? null : fromScaled(scaled, priceScale));
  return {
    symbol: order.book,
    order_id: order.id,
    client_order_id: order.clientOrderId,
    side: order.side,
    order_type: order.type,
    time_in_force: order.timeInForce,
    price: price(order.price),
    stop_price: price(order.stopPrice),
    size: fromScaled(quantity, quantityScale),
    filled_size: fromScaled(filled, quantityScale),
    remaining_size: fromScaled(remainingOf(order), quantityScale),
    average_price: filled === 0 ? null : averagePrice(filledNotional, quoteScale, filled, quantityScale),
    status,
    reason: order.code,
    expires_at: order.expiresAt,
  };
}

export function ownBalance(
  { available, held, unsettled }: Pick<AccountBalance, 'available' | 'held' | 'unsettled'>,
  { symbol, scale }: NamedAsset,
): OwnBalance {
  const waiting = unsettled === undefined ? {} : { unsettled: fromScaled(unsettled, scale) };
  return { asset: symbol, free: fromScaled(available, scale), locked: fromScaled(held, scale), ...waiting };
}

function adjustment(
  { book, side, trade, to }: Extract<Told, { type: 'adjusted' }>,
  { priceScale, quantityScale, quoteScale }: Scales,
) {
  const feeOf = (terms: { readonly buyerFee: number; readonly sellerFee: number }): number =>
    fromScaled(side === 'buy' ? terms.buyerFee : terms.sellerFee, quoteScale);
  return {
    type: to === null ? 'trade_bust' : 'trade_correction',
    symbol: book,
    trade_id: trade.id,
    order_id: side === 'buy' ? trade.buyOrder : trade.sellOrder,
    side,
    price: fromScaled(trade.price, priceScale),
    size: fromScaled(trade.quantity, quantityScale),
    fee: feeOf(trade),
    corrected_price: to && fromScaled(to.price, priceScale),
    corrected_fee: to === null ? 0 : feeOf(to),
  } as const;
}

/** Null for what no message tells of. */
export function ownMessage(
  told: Told,
  channel: OwnChannel,
  prev_sequence: number,
  names: Names,
): OwnOrderMessage | OwnFillMessage | OwnAdjustmentMessage | OwnBalanceMessage | null {
  const { sequence, time: timestamp } = told;
  const place = { channel, sequence, prev_sequence, timestamp } as const;
  if (told.type === 'balance') {
    const asset = names.assets.get(told.balance.asset);
    return asset == null ? null : { type: 'balance', ...ownBalance(told.balance, asset), ...place };
  }
  const scales = names.markets.get(told.type === 'adjusted' ? told.book : told.order.book);
  if (scales === undefined) return null;
  if (told.type === 'adjusted') return { ...adjustment(told, scales), ...place };
  const order = ownOrder(told.order, scales);
  if (told.type === 'order') return { type: 'order', ...order, ...place };
  const { trade } = told;
  const { symbol, order_id, client_order_id, order_type, side, size, filled_size } = order;
  const progress = fillProgress(trade, side);
  return {
    type: 'fill',
    symbol,
    trade_id: trade.id,
    order_id,
    client_order_id,
    order_type,
    side,
    price: fromScaled(trade.price, scales.priceScale),
    size: fromScaled(trade.quantity, scales.quantityScale),
    fee: fromScaled(side === 'buy' ? trade.buyerFee : trade.sellerFee, scales.quoteScale),
    liquidity: trade.takerSide === side ? 'taker' : 'maker',
    order_size: size,
    filled_size,
    remaining_size: progress ? fromScaled(progress.remaining, scales.quantityScale) : order.remaining_size,
    average_price: order.average_price ?? 0,
    ...place,
    timestamp: trade.executedAt,
  };
}
