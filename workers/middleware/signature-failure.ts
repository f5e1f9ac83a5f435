import { SIGNATURE_WINDOW_MS } from '../../domain/identity/signed-text.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from './app-env.ts';
import { detailsIn } from './details-in.ts';

/** What a client may be told of a signature that does not hold. A wrong one and an unknown key stay one answer. */
export type SignatureFlaw = 'timestamp_malformed' | 'timestamp_stale' | 'signature_malformed' | 'signature_used';

/** 401 with its reason (docs/design/identity.md#signatures). */
export function signatureFailure(c: AppContext, reason: SignatureFlaw): ApiError {
  const serverTime = reason === 'timestamp_stale' ? { serverTime: Date.now() } : {};
  return apiError('UNAUTHORIZED', MESSAGES[reason], detailsIn(c, { reason, ...serverTime }));
}

const MESSAGES: Readonly<Record<SignatureFlaw, string>> = {
  timestamp_malformed: 'X-API-Timestamp is no Unix time in milliseconds, 13 digits',
  timestamp_stale: `X-API-Timestamp is more than ${SIGNATURE_WINDOW_MS / 1_000} s from now`,
  signature_malformed: 'X-API-Signature is not 64 lower-case hexadecimal digits',
  signature_used: 'X-API-Signature was used before',
};

/**
 * Why a signature was refused, as far as it is told. The age is asked of the timestamp alone, whosever key it is: else it would tell which keys there are.
 *
 * @param refusal for the log; `replayed` is of a signature that is right
 */
export function flawOf(refusal: string, timestamp: string): SignatureFlaw | null {
  if (refusal === 'timestamp_outside_window' || Math.abs(Date.now() - Number(timestamp)) > SIGNATURE_WINDOW_MS)
    return 'timestamp_stale';
  return refusal === 'replayed' ? 'signature_used' : null;
}
