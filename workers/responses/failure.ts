import type { Context, TypedResponse } from 'hono';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import type { ErrorCode } from '../../protocol/errors/error-code.ts';
import { spelt } from '../middleware/details-in.ts';

/** HTTP status of every error code (docs/design/gateways.md#errors). */
export const STATUS_OF = {
  UNAUTHORIZED: 401,
  FORBIDDEN: 403,
  ASSET_NOT_FOUND: 404,
  ORDER_NOT_FOUND: 404,
  INVALID_ORDER_TYPE: 400,
  INVALID_SYMBOL: 400,
  INSUFFICIENT_BALANCE: 400,
  ACCREDITATION_REQUIRED: 400,
  RESALE_RESTRICTED: 400,
  ASSET_NOT_TRADEABLE: 400,
  RATE_LIMIT_EXCEEDED: 429,
  INTERNAL_ERROR: 500,
  VALIDATION_ERROR: 400,
  ORDER_NOT_CANCELLABLE: 400,
  ORDER_NOT_MODIFIABLE: 400,
  INVESTMENT_LIMIT_EXCEEDED: 400,
  POST_ONLY_WOULD_TAKE: 400,
  FOK_NOT_FILLABLE: 400,
  IDEMPOTENCY_CONFLICT: 422,
  MODEL_UNAVAILABLE: 503,
  SERVICE_UNAVAILABLE: 503,
  RISK_LIMIT_EXCEEDED: 403,
  AMOUNT_TOO_SMALL: 400,
  FEE_TOO_HIGH: 409,
  PAYLOAD_TOO_LARGE: 413,
  REQUEST_TIMEOUT: 408,
  UNSUPPORTED_MEDIA_TYPE: 415,
  NOT_FOUND: 404,
  METHOD_NOT_ALLOWED: 405,
  CONFLICT: 409,
  STEP_UP_REQUIRED: 403,
} as const satisfies Record<ErrorCode, number>;

/** A response that fits any route's declared responses, because every route documents the error body (`registerRoute`). */
export type FailureResponse = Response & TypedResponse<never, never, never>;

/** Seconds after which it is worth asking again. */
const RETRY_AFTER_S = '1';

/** Answers `{error: {code, message, details}}` with the status of its code. */
export function failure(c: Context, error: ApiError): FailureResponse {
  const { code, message, details } = error;
  if (code === 'SERVICE_UNAVAILABLE') c.header('retry-after', RETRY_AFTER_S);
  // The header says what the details say: a bound of the day is no reason to ask again each minute.
  if (code === 'RATE_LIMIT_EXCEEDED' && typeof details.retry_after === 'number')
    c.header('retry-after', String(details.retry_after));
  return c.json(
    { error: { code, message, details: spelt(c.get('fieldNames'), details) } },
    STATUS_OF[code],
  ) as unknown as FailureResponse;
}
