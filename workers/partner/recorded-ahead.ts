import { BEFORE_ALL_DAYS, precedesAllDays } from '../../domain/register/first-day.ts';
import { liesAhead } from '../../domain/register/lies-ahead.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

const DAYS_AHEAD = 1;

/** What an agent has recorded lies behind, and on a day that may be meant. */
export function recordedAhead(
  stated: Readonly<Partial<Record<'record_date' | 'cap_table_updated_at', string | null>>>,
): ApiError | null {
  const now = Date.now();
  for (const field of ['record_date', 'cap_table_updated_at'] as const) {
    const text = stated[field] ?? null;
    if (text !== null && precedesAllDays(text))
      return apiError('VALIDATION_ERROR', `${field} ${BEFORE_ALL_DAYS}`, { field });
    if (liesAhead(stated[field] ?? '', { now, days: DAYS_AHEAD }))
      return apiError('VALIDATION_ERROR', `${field} lies ahead`, { field });
  }
  return null;
}
