import type { FeedRefusal } from '../../application/market-data/open-feed.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { gateUnavailable } from './gate-unavailable.ts';

/** What is answered instead of a feed's connection. */
export function feedRefused(refusal: FeedRefusal): ApiError {
  switch (refusal.reason) {
    case 'gate_unavailable':
      return gateUnavailable();
    case 'too_many_connections':
      return apiError('RATE_LIMIT_EXCEEDED', 'too many connections', { connections: refusal.connectionsMax });
  }
}
