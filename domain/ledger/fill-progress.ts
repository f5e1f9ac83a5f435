import type { Side } from '../orders/order.ts';
import type { Trade } from './records.ts';

/** What an order has filled with a trade, and has left to fill. */
export interface FillProgress {
  readonly filled: number;
  readonly remaining: number;
}

/** Of one side; null for a trade from before books said so. */
export function fillProgress(trade: Trade, side: Side): FillProgress | null {
  const { buyFilled, buyRemaining, sellFilled, sellRemaining } = trade;
  const [filled, remaining] = side === 'buy' ? [buyFilled, buyRemaining] : [sellFilled, sellRemaining];
  return filled === undefined || remaining === undefined ? null : { filled, remaining };
}
