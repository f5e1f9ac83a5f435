/**
 * The same instant `months` calendar months later (earlier when negative), in UTC; a day that the month lacks becomes its last day.
 *
 * @example addMonths(Date.UTC(2024, 1, 29), 12) // 2025-02-28T00:00:00Z
 */
export function addMonths(at: number, months: number): number {
  const date = new Date(at);
  const day = date.getUTCDate();
  date.setUTCDate(1);
  date.setUTCMonth(date.getUTCMonth() + months);
  const lastDay = new Date(Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 0)).getUTCDate();
  date.setUTCDate(Math.min(day, lastDay));
  return date.getTime();
}
