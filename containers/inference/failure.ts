import type { InferenceErrorCode } from '../../protocol/inference/wire.ts';

/** An expected failure, as a value: what stands in `{error}` on the wire. */
export interface Failure {
  readonly code: InferenceErrorCode;
  readonly message: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/**
 * @example
 * return failure('INVALID_IMAGE', 'the image is cut short', { reason: 'truncated' });
 */
export function failure(
  code: InferenceErrorCode,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): Failure {
  return { code, message, details };
}
