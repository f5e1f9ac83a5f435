import { book, dataOf, exchange, sent } from '../api/client.ts';
import { sendOnce } from '../api/send-once.ts';
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

export async function previewOrder(symbol: string, form: TicketForm, signal: AbortSignal) {
  return dataOf(book.POST('/v1/orders/preview', { body: bookOrder(symbol, form), signal }));
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

/** Places it where the asset is executed: at a broker, at the prime broker, or as an indication. */
export function placeElsewhere(
  assetId: string,
  form: TicketForm,
  isIndication: boolean,
  onAsking: () => void,
): Promise<Placed> {
  const { side, type, timeInForce, size, price, expiresAt } = form;
  const body = {
    assetId,
    side: side === 'buy' ? ('BUY' as const) : ('SELL' as const),
    orderType: type === 'market' ? ('market' as const) : ('limit' as const),
    quantity: sent(size ?? '0'),
    ...(type !== 'market' && price !== null && { limitPrice: sent(price) }),
    ...(isIndication ? { isPreIPO: true } : { timeInForce }),
    ...(timeInForce === 'GTD' && expiresAt !== null && { expiresAt: new Date(expiresAt).toISOString() }),
  };
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
