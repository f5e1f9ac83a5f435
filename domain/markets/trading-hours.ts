import { isNyseOpen, nextNyseOpening } from '../calendar/nyse-session.ts';
import type { OrderStatus, OrderTerms } from '../orders/order.ts';

/** When orders of a market may go to its broker. `nyse`: in the core session of the New York Stock Exchange. */
export const TRADING_HOURS = ['always', 'nyse'] as const;

export type TradingHours = (typeof TRADING_HOURS)[number];

/** When a market opens next, Unix milliseconds; null while it is open. */
export function opensAt(hours: TradingHours | undefined, now_ms: number): number | null {
  if ((hours ?? 'always') === 'always' || isNyseOpen(now_ms)) return null;
  return nextNyseOpening(now_ms);
}

interface Waiting extends Pick<OrderTerms, 'expiresAt'> {
  readonly status: OrderStatus;
  readonly filled: number;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

/**
 * When the market opens for which an order waits, Unix milliseconds; null for one that waits for none: it has ended or filled in part, its market was open
 * since it was placed, so that its broker has it, or its time is over before.
 */
export function waitsUntil(hours: TradingHours | undefined, order: Waiting, now_ms: number): number | null {
  const opens = opensAt(hours, now_ms);
  if (opens === null || order.status !== 'open' || order.filled > 0) return null;
  if (opensAt(hours, order.createdAt) !== opens) return null;
  return order.expiresAt !== null && order.expiresAt <= opens ? null : opens;
}

/** Whether an order can wait until its market opens; one at market is an IOC. */
export function waitsForOpening({ timeInForce }: Pick<OrderTerms, 'timeInForce'>): boolean {
  return timeInForce !== 'IOC' && timeInForce !== 'FOK';
}
