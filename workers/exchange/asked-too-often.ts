import type { AskedTooOften } from '../../application/market-data/source-prices.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { detailsIn } from '../middleware/details-in.ts';

/** The source of these prices was asked as often as it may be for what is shown, and nothing is known that could be shown as stale. */
export function askedTooOften(c: AppContext, { retryAfter_ms }: AskedTooOften): ApiError {
  const retryAfter = Math.max(1, Math.ceil(retryAfter_ms / 1_000));
  c.set('retryAfter', retryAfter);
  return apiError('SERVICE_UNAVAILABLE', 'the source of these prices is asked too often', detailsIn(c, { retryAfter }));
}
