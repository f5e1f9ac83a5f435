import type { Session } from '../local/session.ts';

const WAIT_MS_MAX = 60_000;
/** Between two looks, twice as long each time: a user may ask 300 times a minute. */
const STEP_MS_MIN = 100;
const STEP_MS_MAX = 1_000;
const ENDED = ['EXECUTED', 'CANCELLED', 'REJECTED'];

export interface OrderTerms {
  readonly assetId: string;
  readonly side: 'BUY' | 'SELL';
  readonly quantity: number;
  /** At market where it is left out. */
  readonly limitPrice?: number;
  readonly isPreIPO?: boolean;
}

export interface OrderAnswer {
  readonly orderId: string;
  readonly status: string;
  readonly filledQuantity: number;
  readonly averagePrice?: number;
  readonly isRestrictedOrder: boolean;
}

/** Places an order and says so. */
export async function placeOrder(session: Session, terms: OrderTerms, say: (text: string) => void): Promise<string> {
  const { assetId, side, quantity, limitPrice, isPreIPO } = terms;
  const orderType = limitPrice === undefined ? 'market' : 'limit';
  const body = { assetId, side, orderType, quantity, limitPrice, isPreIPO };
  const { data } = await session.call<{ data: { orderId: string; status: string } }>('POST /v1/orders', body);
  const price = limitPrice === undefined ? 'at market' : `at ${limitPrice}`;
  say(`  ${side} ${quantity} ${price}${isPreIPO === true ? ' when it lists' : ''}   ${data.orderId}   ${data.status}`);
  return data.orderId;
}

/** Follows an order until it has executed, and says each state that it is seen in. @throws Error when it ends otherwise, or not in time */
export async function followToExecution(
  session: Session,
  orderId: string,
  say: (text: string) => void,
): Promise<OrderAnswer> {
  const begun = Date.now();
  let seen = 'PENDING';
  for (let step_ms = STEP_MS_MIN; ; step_ms = Math.min(STEP_MS_MAX, 2 * step_ms)) {
    const { data: order } = await session.call<{ data: OrderAnswer }>(`GET /v1/orders/${orderId}`);
    if (order.status !== seen) say(`      ${elapsed(begun)}   ${order.status}${describe(order)}`);
    seen = order.status;
    if (seen === 'EXECUTED') return order;
    if (ENDED.includes(seen)) throw new Error(`order ${orderId} ended ${seen}`);
    if (Date.now() > begun + WAIT_MS_MAX) throw new Error(`order ${orderId} is still ${seen} after ${elapsed(begun)}`);
    await new Promise((resolve) => setTimeout(resolve, step_ms));
  }
}

function describe({ filledQuantity, averagePrice, isRestrictedOrder }: OrderAnswer): string {
  if (averagePrice === undefined) return '';
  return ` ${filledQuantity} at ${averagePrice}${isRestrictedOrder ? ', from a restricted lot' : ''}`;
}

function elapsed(since_ms: number): string {
  return `${((Date.now() - since_ms) / 1_000).toFixed(1)} s`;
}
