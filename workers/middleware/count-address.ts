import { askAddress } from '../../application/identity/ask-gate.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { gateUnavailable } from '../responses/gate-unavailable.ts';
import type { AppContext } from './app-env.ts';
import { clientAddressOf } from './client-address.ts';
import { detailsIn } from './details-in.ts';

/**
 * Counts a request without a valid credential against its address. Returns the error to answer when the address has used up its
 * bucket, else null.
 */
export async function countAddress(c: AppContext): Promise<ApiError | null> {
  const clientAddress = clientAddressOf(c);
  const answer = await askAddress(c.env, { bucket: 'public', cost: 1, clientAddress });
  if (answer === null) return gateUnavailable();
  c.set('rate', answer.rate);
  return answer.type === 'limited' ? rateExceeded(c, answer.retryAfter) : null;
}

export function rateExceeded(c: AppContext, retryAfter: number): ApiError {
  c.set('retryAfter', retryAfter);
  return apiError('RATE_LIMIT_EXCEEDED', 'too many requests', detailsIn(c, { retryAfter }));
}
