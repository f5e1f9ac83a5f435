import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { TRUSTED_ORIGINS } from './trusted-origins.ts';

/** Why a request from this Origin is refused, or null. Clients other than browsers send none. */
export function originFailure(c: AppContext): ApiError | null {
  const origin = c.req.header('origin');
  if (origin === undefined || TRUSTED_ORIGINS.allows(origin, c.env)) return null;
  return apiError('FORBIDDEN', 'requests from this origin are not taken', { origin });
}
