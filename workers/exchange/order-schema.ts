import { z } from '@hono/zod-openapi';
import { instrumentOf } from '../../application/order-entry/checks/instrument-cache.ts';
import type { ScaledOrder } from '../../data/orders/account-orders.ts';
import { type TradingHours, waitsUntil } from '../../domain/markets/trading-hours.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { PRICE_SCALE_WITHOUT_MARKET } from '../../domain/order-entry/without-market.ts';
import { INDICATION_STATES, indicationStateOf } from '../../domain/order-state/indication-state.ts';
import { orderStateOf } from '../../domain/order-state/order-state.ts';
import type { OrderType } from '../../domain/orders/order.ts';
import { remainingOf } from '../../domain/orders/remaining-of.ts';
import { averagePrice } from '../../domain/portfolio/average-price.ts';
import { createdAtOf } from '../responses/created-at-of.ts';

export const OrderSide = z.enum(['BUY', 'SELL']);

/** An order (X-AOR-01 to X-AOR-12) with the optional fields of docs/design/matching.md#optional-fields. */
export const Order = z
  .object({
    orderId: z.string(),
    assetId: z.string(),
    side: OrderSide,
    orderType: z
      .enum(['market', 'limit'])
      .openapi({ description: 'Of a stop order what it becomes when it triggers.' }),
    quantity: z.number(),
    limitPrice: z.number().optional(),
    stopPrice: z.number().optional().openapi({ description: 'Trigger of a stop order.' }),
    isPreIPO: z.boolean(),
    indication: z.enum(INDICATION_STATES).optional().openapi({
      description:
        'Of a pre-IPO order, a non-binding indication of interest: INDICATED while it is PENDING, CONVERTED once it is EXECUTED as a firm order, WITHDRAWN when its account cancelled it, LAPSED when anything else ended it.',
    }),
    isRestrictedOrder: z.boolean().openapi({ description: 'Sells from a lot within its hold period.' }),
    status: z.enum(['PENDING', 'MATCHED', 'PARTIALLY_FILLED', 'EXECUTED', 'CANCELLED', 'REJECTED']),
    filledQuantity: z.number(),
    remainingQuantity: z.number().optional().openapi({
      description:
        'While the order is partially filled, and once self-trade prevention has taken from it: what it may yet fill.',
    }),
    averagePrice: z.number().optional().openapi({ description: 'Of what has been filled.' }),
    timeInForce: z.string(),
    expiresAt: z.iso.datetime().optional(),
    clientOrderId: z.string().optional(),
    code: z.string().optional().openapi({ description: 'Why it was rejected.' }),
    createdAt: z.iso.datetime(),
    waitsUntil: z.iso
      .datetime()
      .optional()
      .openapi({ description: 'While the market is closed: when it opens, and the order goes to the broker.' }),
    executedAt: z.iso.datetime().optional(),
    cancelledAt: z.iso.datetime().optional(),
  })
  .openapi('ExchangeOrder');

/** Orders as the ledger has them, with the openings that they wait for. */
export async function orderViews(env: Env, found: readonly ScaledOrder[]): Promise<z.infer<typeof Order>[]> {
  const open = found.filter(({ order }) => order.status === 'open').map(({ order }) => order.book);
  const hours = new Map<string, TradingHours>();
  const books = new Set(open.filter((book) => book !== null));
  const read = async (symbol: string) => {
    const instrument = await instrumentOf(env, { symbol });
    if (instrument !== null && instrument !== 'unavailable')
      hours.set(symbol, instrument.market?.tradingHours ?? 'always');
  };
  await Promise.all(Array.from(books, read));
  const now = Date.now();
  return found.map((scaled) => {
    const { order } = scaled;
    const waiting = { ...order, createdAt: createdAtOf(order.id) };
    return orderView(scaled, waitsUntil(hours.get(order.book ?? ''), waiting, now));
  });
}

export async function readOrderView(env: Env, found: ScaledOrder): Promise<z.infer<typeof Order>> {
  const [view] = await orderViews(env, [found]);
  if (view === undefined) throw new Error('every order has a view');
  return view;
}

function orderView(
  { order, quantityScale, priceScale, quoteScale }: ScaledOrder,
  opens: number | null,
): z.infer<typeof Order> {
  const status = orderStateOf(order.status);
  const unscaled = (price: number) => fromScaled(price, priceScale ?? PRICE_SCALE_WITHOUT_MARKET);
  const price = order.price === null ? null : unscaled(order.price);
  const orderType = WIRE_TYPE[order.type];
  const indication = order.preIpo === 1 ? indicationStateOf(order.status, order.code) : null;
  return {
    orderId: order.id,
    assetId: order.assetId,
    side: order.side === 'buy' ? 'BUY' : 'SELL',
    orderType,
    quantity: fromScaled(order.quantity, quantityScale),
    ...(orderType === 'limit' && price !== null ? { limitPrice: price } : {}),
    ...(order.stopPrice === null ? {} : { stopPrice: unscaled(order.stopPrice) }),
    isPreIPO: order.preIpo === 1,
    ...(indication === null ? {} : { indication }),
    isRestrictedOrder: order.restricted === 1,
    status,
    filledQuantity: fromScaled(order.filled, quantityScale),
    ...(tellsRemaining(order) ? { remainingQuantity: fromScaled(remainingOf(order), quantityScale) } : {}),
    ...(order.filled > 0
      ? { averagePrice: averagePrice(order.filledNotional, quoteScale ?? 0, order.filled, quantityScale) }
      : {}),
    timeInForce: order.timeInForce,
    ...optionalTime('expiresAt', order.expiresAt),
    ...(order.clientOrderId === null ? {} : { clientOrderId: order.clientOrderId }),
    ...(status === 'REJECTED' && order.code !== null ? { code: order.code } : {}),
    createdAt: new Date(createdAtOf(order.id)).toISOString(),
    ...optionalTime('waitsUntil', opens),
    ...optionalTime('executedAt', order.executedAt),
    ...optionalTime('cancelledAt', order.cancelledAt),
  };
}

/** X-AOR-10; and wherever a reader that subtracts would be wrong, because self-trade prevention has taken from the order. */
function tellsRemaining(order: ScaledOrder['order']): boolean {
  const status = orderStateOf(order.status);
  if (status === 'CANCELLED' || status === 'REJECTED') return false;
  return status === 'PARTIALLY_FILLED' || remainingOf(order) !== order.quantity - order.filled;
}

/** A stop order is held off-book until its trigger, then it is a market or limit order (X-AST-16). */
const WIRE_TYPE: Readonly<Record<OrderType, 'market' | 'limit'>> = {
  market: 'market',
  limit: 'limit',
  stop_loss: 'market',
  stop_loss_limit: 'limit',
  take_profit: 'market',
  take_profit_limit: 'limit',
  limit_maker: 'limit',
};

function optionalTime<Name extends string>(name: Name, at: number | null): Partial<Record<Name, string>> {
  return at === null ? {} : ({ [name]: new Date(at).toISOString() } as Record<Name, string>);
}
