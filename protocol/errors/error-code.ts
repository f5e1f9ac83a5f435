/** Code of every error that any door answers; its HTTP status stands in workers/responses/failure.ts. */
const ERROR_CODES = [
  'UNAUTHORIZED',
  'FORBIDDEN',
  'ASSET_NOT_FOUND',
  'ORDER_NOT_FOUND',
  'INVALID_ORDER_TYPE',
  'INVALID_SYMBOL',
  'INSUFFICIENT_BALANCE',
  'ACCREDITATION_REQUIRED',
  'RESALE_RESTRICTED',
  'ASSET_NOT_TRADEABLE',
  'RATE_LIMIT_EXCEEDED',
  'INTERNAL_ERROR',
  'VALIDATION_ERROR',
  'ORDER_NOT_CANCELLABLE',
  'ORDER_NOT_MODIFIABLE',
  'INVESTMENT_LIMIT_EXCEEDED',
  'POST_ONLY_WOULD_TAKE',
  'FOK_NOT_FILLABLE',
  'IDEMPOTENCY_CONFLICT',
  'MODEL_UNAVAILABLE',
  'SERVICE_UNAVAILABLE',
  'RISK_LIMIT_EXCEEDED',
  'AMOUNT_TOO_SMALL',
  'FEE_TOO_HIGH',
  'PAYLOAD_TOO_LARGE',
  'REQUEST_TIMEOUT',
  'UNSUPPORTED_MEDIA_TYPE',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'CONFLICT',
] as const;

export type ErrorCode = (typeof ERROR_CODES)[number];

export function isErrorCode(code: string): code is ErrorCode {
  return (ERROR_CODES as readonly string[]).includes(code);
}
