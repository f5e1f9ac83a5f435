import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { dayOrMoment } from './day-or-moment.ts';

/** Query of a list in order of time: from `from` on, before `to`; a date stands for its first moment in UTC. */
export const timeRangeQuery = {
  from: moment('Only what happened at this time or later.'),
  to: moment('Only what happened before this time.'),
};

function moment(description: string) {
  return dayOrMoment()
    .optional()
    .openapi({
      description: `${description} ISO 8601: a date, which begins at midnight UTC, or a date and time.`,
    });
}

/** Why a range is none; null for one that is, also where nothing lies in it. */
export function rangeFailure(range: {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}): ApiError | null {
  const [from, to] = [momentOf(range.from), momentOf(range.to)];
  if (from === null || to === null || from <= to) return null;
  return apiError('VALIDATION_ERROR', 'the range ends before it begins', { field: 'to' });
}

/** Unix milliseconds of a moment in a query, or null where it was left out. */
export function momentOf(text: string | undefined): number | null {
  return text === undefined ? null : Date.parse(text);
}
