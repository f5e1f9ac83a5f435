import { isNyseOpen, nextNyseOpening } from '../calendar/nyse-session.ts';
import type { OrderTerms } from '../orders/order.ts';

/** When orders of a market may go to its broker. `nyse`: in the core session of the New York Stock Exchange. */
export const TRADING_HOURS = ['always', 'nyse'] as const;

export type TradingHours = (typeof TRADING_HOURS)[number];

/** When a market opens next, Unix milliseconds; null while it is open. */
export function opensAt(hours: TradingHours | undefined, now_ms: number): number | null {
  if ((hours ?? 'always') === 'always' || isNyseOpen(now_ms)) return null;
  return nextNyseOpening(now_ms);
}

/** Whether an order can wait until its market opens; one at market is an IOC. */
export function waitsForOpening({ timeInForce }: Pick<OrderTerms, 'timeInForce'>): boolean {
  return timeInForce !== 'IOC' && timeInForce !== 'FOK';
}
