import { DAY_MS, MINUTE_MS } from '../calendar/durations.ts';
import { newYorkDate, newYorkTime } from '../calendar/new-york-time.ts';
import type { OrderType, TimeInForce } from '../orders/order.ts';

/** Times in force of orders of partners. */
export const PARTNER_TIMES_IN_FORCE = ['day', 'gtc', 'ioc', 'fok'] as const;

export type PartnerTimeInForce = (typeof PARTNER_TIMES_IN_FORCE)[number];

/** Times in force of orders that partners read: keys of investors' accounts place by the exchange's own words. */
export const READ_TIMES_IN_FORCE = [...PARTNER_TIMES_IN_FORCE, 'gtd', 'post_only'] as const;

/** What an order has where its partner says nothing: a market order trades at once or not at all. */
export function timeInForceOf(
  said: PartnerTimeInForce | undefined,
  type: Extract<OrderType, 'limit' | 'market'>,
): PartnerTimeInForce {
  return said ?? (type === 'market' ? 'ioc' : 'day');
}

const MINUTES_OF_DAY = DAY_MS / MINUTE_MS;

/** The same in the words of the exchange: `day` is good until the day of the order ends in New York. */
export function termsOfTimeInForce(
  timeInForce: PartnerTimeInForce,
  placedAt: number,
): { readonly timeInForce: TimeInForce; readonly expiresAt: number | null } {
  switch (timeInForce) {
    case 'day':
      return { timeInForce: 'GTD', expiresAt: endOfNewYorkDay(placedAt) };
    case 'gtc':
      return { timeInForce: 'GTC', expiresAt: null };
    case 'ioc':
      return { timeInForce: 'IOC', expiresAt: null };
    case 'fok':
      return { timeInForce: 'FOK', expiresAt: null };
  }
}

/** Midnight on New York's clock, which is never changed at that time. */
function endOfNewYorkDay(at_ms: number): number {
  return newYorkTime(newYorkDate(at_ms), MINUTES_OF_DAY);
}
