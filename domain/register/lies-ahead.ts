import { DAY_MS } from '../calendar/durations.ts';

/**
 * Whether what an agent states, a day or a moment of ISO 8601, lies more than so many days ahead. One day bears what is recorded already: it is tomorrow
 * somewhere, and clocks differ.
 */
export function liesAhead(stated: string, { now, days }: { readonly now: number; readonly days: number }): boolean {
  return Date.parse(stated) > now + days * DAY_MS;
}
