import { EVENT_BOUNDS } from '../../domain/events/event-bounds.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** There are as many as there may be; some have to go first. */
export function tooMany(bound: keyof typeof EVENT_BOUNDS): ApiError {
  return apiError('CONFLICT', 'there are as many as there may be', {
    reason: 'too_many',
    [bound]: EVENT_BOUNDS[bound],
  });
}
