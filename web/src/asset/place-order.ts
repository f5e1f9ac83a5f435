import { book, dataOf, exchange, sent } from '../api/client.ts';
import type { OrderPreview } from '../api/queries.ts';
import { sendOnce } from '../api/send-once.ts';
import type { Decimal } from '../numbers/decimal.ts';
import { needsPrice, needsStopPrice, type TicketForm } from './ticket-rules.ts';

/** An order for the book of a pair. */
function bookOrder(symbol: string, form: TicketForm) {
  const { side, type, timeInForce, size, price, stopPrice, expiresAt } = form;
  return {
    symbol,
    side,
    type,
    size: sent(size ?? '0'),
    time_in_force: timeInForce,
    ...(needsPrice(type) && price !== null && { price: sent(price) }),
    ...(needsStopPrice(type) && stopPrice !== null && { stop_price: sent(stopPrice) }),
    ...(timeInForce === 'GTD' && expiresAt !== null && { expires_at: sent(String(expiresAt)) }),
  };
}

/** Where an order goes: into the book of a pair, or to where its asset is executed. */
export type Destination = { readonly pair: string } | { readonly assetId: string; readonly isIndication: boolean };

/** What an order would do, wherever it is executed. */
export interface TicketPreview extends OrderPreview {
  readonly takerFeeBps: Decimal | null;
  /** When it would go to its broker; null for now, and for an order that meets a book. */
  readonly waitsUntil: string | null;
  /** Elsewhere nobody promises what is displayed. */
  readonly isElsewhere: boolean;
  /** False where nobody says now what is displayed there. */
  readonly isEstimated: boolean;
}

export async function previewOrder(to: Destination, form: TicketForm, signal: AbortSignal): Promise<TicketPreview> {
  if ('pair' in to) {
    const preview = await dataOf(book.POST('/v1/orders/preview', { body: bookOrder(to.pair, form), signal }));
    return { ...preview, takerFeeBps: null, waitsUntil: null, isElsewhere: false, isEstimated: true };
  }
  const body = exchangeOrder(to.assetId, form, to.isIndication);
  const { data } = await dataOf(exchange.POST('/v1/orders/preview', { body, signal }));
  return {
    symbol: data.market,
    side: data.side === 'BUY' ? 'buy' : 'sell',
    type: data.orderType,
    time_in_force: data.timeInForce,
    size: data.quantity,
    price: data.limitPrice,
    worst_price: data.worstPrice,
    estimated_filled_size: data.estimatedFilledQuantity,
    estimated_average_price: data.estimatedAveragePrice,
    estimated_fee: data.estimatedFee,
    estimated_total: data.estimatedTotal,
    held_asset: data.heldAsset,
    held: data.held,
    available: data.available,
    takerFeeBps: data.takerFeeBps,
    waitsUntil: data.waitsUntil,
    isElsewhere: true,
    isEstimated: data.isEstimated,
  };
}

export interface Placed {
  readonly orderId: string;
  readonly status: string;
}

/** Places it in the book, once, whatever becomes of the connection meanwhile. */
export function placeInBook(symbol: string, form: TicketForm, onAsking: () => void): Promise<Placed> {
  const body = bookOrder(symbol, form);
  return sendOnce(
    `order ${symbol} ${JSON.stringify(form)}`,
    async (key) => {
      const order = await dataOf(book.POST('/v1/orders', { body, params: { header: { 'Idempotency-Key': key } } }));
      return { orderId: order.order_id, status: order.status };
    },
    { onAsking },
  );
}

/** An order for where its asset is executed. */
function exchangeOrder(assetId: string, form: TicketForm, isIndication: boolean) {
  const { side, type, timeInForce, size, price, expiresAt } = form;
  return {
    assetId,
    side: side === 'buy' ? ('BUY' as const) : ('SELL' as const),
    orderType: type === 'market' ? ('market' as const) : ('limit' as const),
    quantity: sent(size ?? '0'),
    ...(type !== 'market' && price !== null && { limitPrice: sent(price) }),
    ...(isIndication ? { isPreIPO: true } : { timeInForce }),
    ...(timeInForce === 'GTD' && expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  };
}

/** Places it where the asset is executed: at a broker, at the prime broker, or as an indication. */
export function placeElsewhere(
  assetId: string,
  form: TicketForm,
  isIndication: boolean,
  onAsking: () => void,
): Promise<Placed> {
  const body = exchangeOrder(assetId, form, isIndication);
  return sendOnce(
    `order ${assetId} ${JSON.stringify(form)}`,
    async (key) => {
      const { data } = await dataOf(
        exchange.POST('/v1/orders', { body, params: { header: { 'Idempotency-Key': key } } }),
      );
      return { orderId: data.orderId, status: data.status };
    },
    { onAsking },
  );
}
