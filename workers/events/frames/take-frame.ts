import { requestReembedding } from '../../../application/events/collections/request-reembedding.ts';
import { type FrameReport, ingestFrame } from '../../../application/events/frames/ingest-frame.ts';
import { inferenceError, isPassing, retryAfterOf } from '../../../application/events/inference/inference-failure.ts';
import { capturedAtFailure } from '../../../domain/events/captured-at.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { imageBytesOf } from '../image-part.ts';
import { inferenceOf } from '../inference/inference-of.ts';
import { notFound } from '../open-event.ts';
import { tenancyOf } from '../tenancy.ts';
import type { OpenCamera } from './open-camera.ts';

export type TakenFrame =
  | { readonly ok: true; readonly report: FrameReport }
  /** `retryAfter` in seconds, where the same frame may be taken later. */
  | { readonly ok: false; readonly error: ApiError; readonly retryAfter: number | null };

const REEMBEDDING_RETRY_S = 30;

/** A frame as a camera sends it. @param capturedAt ISO 8601 */
export async function takeFrame(
  c: AppContext,
  { camera, event, open }: OpenCamera,
  frame: { readonly image: Blob; readonly capturedAt: string },
): Promise<TakenFrame> {
  const capturedAt = Date.parse(frame.capturedAt);
  const impossible = capturedAtFailure(capturedAt, event, Date.now());
  if (impossible !== null)
    return refused(apiError('VALIDATION_ERROR', 'captured_at is out of range', { reason: impossible }));
  const image = await imageBytesOf(frame.image);
  if (!image.ok) return refused(image.error);
  const ingested = await ingestFrame(c.env, inferenceOf(c), { camera, open }, { capturedAt, image: image.bytes });
  switch (ingested.type) {
    case 'ingested':
      return { ok: true, report: ingested.report };
    case 'gone':
      return refused(notFound('camera'));
    case 'not_analyzed': {
      const { failure } = ingested;
      return refused(inferenceError(failure), isPassing(failure) ? retryAfterOf(failure) : null);
    }
    case 'other_model': {
      await requestReembedding(c.env, open.collection, { ...tenancyOf(c), requestId: c.get('requestId') });
      const error = apiError('SERVICE_UNAVAILABLE', 'the faces are being embedded by another model: send it later', {
        reason: 'other_model',
      });
      return refused(error, REEMBEDDING_RETRY_S);
    }
  }
}

function refused(error: ApiError, retryAfter: number | null = null): TakenFrame {
  return { ok: false, error, retryAfter };
}
