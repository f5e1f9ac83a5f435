import { addressGateName } from '../../domain/identity/gate-name.ts';
import { type ApiError, apiError } from './api-error.ts';
import type { AppContext } from './app-env.ts';
import { clientAddressOf } from './client-address.ts';

/**
 * Counts a request without a valid credential against its address. Returns the error to answer when the address has used up its
 * bucket, else null.
 */
export async function countAddress(c: AppContext, cost = 1): Promise<ApiError | null> {
  const clientAddress = clientAddressOf(c);
  const gate = c.env.GATE.getByName(addressGateName(clientAddress));
  const answer = await gate.admitAddress({ bucket: 'public', cost, clientAddress });
  c.set('rate', answer.rate);
  return answer.type === 'limited' ? rateExceeded(c, answer.retryAfter) : null;
}

export function rateExceeded(c: AppContext, retryAfter: number): ApiError {
  c.set('retryAfter', retryAfter);
  return apiError('RATE_LIMIT_EXCEEDED', 'too many requests', { retryAfter });
}
