import type { InferenceErrorCode } from '../../../protocol/inference/wire.ts';
import type { Failure } from '../failure.ts';

const STATUS_OF: Readonly<Record<InferenceErrorCode, number>> = {
  INVALID_IMAGE: 400,
  VALIDATION_ERROR: 400,
  NOT_FOUND: 404,
  PAYLOAD_TOO_LARGE: 413,
  UNSUPPORTED_MEDIA_TYPE: 415,
  UNAUTHORIZED: 401,
  MODEL_UNAVAILABLE: 503,
  OVERLOADED: 503,
  TIMEOUT: 504,
  INTERNAL_ERROR: 500,
};

/** Until a place in the queue is likely free. */
const RETRY_AFTER_S = 1;

/** `{error: {code, message, details}}` with the status of its code; OVERLOADED says when to come again. */
export function answerFailure({ code, message, details }: Failure): Response {
  const headers: Record<string, string> = code === 'OVERLOADED' ? { 'retry-after': String(RETRY_AFTER_S) } : {};
  return Response.json({ error: { code, message, details } }, { status: STATUS_OF[code], headers });
}
