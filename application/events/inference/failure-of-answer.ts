import { z } from 'zod';
import type { InferenceErrorCode } from '../../../protocol/inference/wire.ts';
import type { InferenceFailure } from './inference-failure.ts';

const ErrorAnswer = z.object({
  error: z.object({ code: z.string(), message: z.string(), details: z.record(z.string(), z.unknown()).default({}) }),
});

type ErrorOfAnswer = z.infer<typeof ErrorAnswer>['error'];

/** What an answer of the container that is no success says. */
export async function failureOfAnswer(response: Response): Promise<InferenceFailure> {
  const answer = ErrorAnswer.safeParse(await response.json().catch(() => null));
  if (!answer.success) return { reason: 'broken', told: `status ${response.status} without an error` };
  return failureOfError(answer.data.error, Number(response.headers.get('retry-after')));
}

/** The same of a line within a stream; null for a line that is no error. */
export function failureOfLine(line: unknown): InferenceFailure | null {
  const answer = ErrorAnswer.safeParse(line);
  return answer.success ? failureOfError(answer.data.error, 0) : null;
}

function failureOfError({ code, message, details }: ErrorOfAnswer, retryAfter: number): InferenceFailure {
  switch (code as InferenceErrorCode) {
    case 'INVALID_IMAGE':
      return { reason: 'invalid_image', message, details };
    case 'PAYLOAD_TOO_LARGE':
      return { reason: 'too_large', message, details };
    case 'UNSUPPORTED_MEDIA_TYPE':
      return { reason: 'unsupported_media_type', message, details };
    case 'MODEL_UNAVAILABLE':
      return { reason: 'model_unavailable', message, details };
    case 'OVERLOADED':
      return { reason: 'overloaded', retryAfterSeconds: retryAfter > 0 ? Math.ceil(retryAfter) : 1 };
    case 'TIMEOUT':
      return { reason: 'timeout' };
    case 'VALIDATION_ERROR':
    case 'NOT_FOUND':
    case 'UNAUTHORIZED':
    case 'INTERNAL_ERROR':
      return { reason: 'broken', told: code };
    default:
      return { reason: 'broken', told: `unknown code ${code}` };
  }
}
