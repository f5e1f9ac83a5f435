import { calendarDate } from '../calendar/calendar-date.ts';
import { newYorkTime } from '../calendar/new-york-time.ts';

/** When a lock-up of this expiry date (YYYY-MM-DD) ends: as that day begins in New York. Unix milliseconds; null for none. */
export function lockupEndsAt(expiryDate: string | null): number | null {
  if (expiryDate === null) return null;
  const [year = 0, month = 0, day = 0] = expiryDate.split('-').map(Number);
  return newYorkTime(calendarDate(year, month, day), 0);
}
