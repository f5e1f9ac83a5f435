import type { ErrorCode } from './error-code.ts';

/** An expected failure, as a value. `details` is an object on the wire, `{}` when there is nothing to add. */
export interface ApiError {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * @example
 * return failure(c, apiError('INSUFFICIENT_BALANCE', 'not enough USD', { required: 100, available: 40 }));
 */
export function apiError(code: ErrorCode, message: string, details: Readonly<Record<string, unknown>> = {}): ApiError {
  return { code, message, details };
}
