import { capturedAtFailure } from '../../../domain/events/captured-at.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { requestReembedding } from '../collections/request-reembedding.ts';
import type { EventsCaller } from '../events-caller.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { inferenceClient } from '../inference/inference-client.ts';
import { notFound } from '../not-found.ts';
import { watchCapacitySoon } from '../occupancy/watch-capacity.ts';
import { giveQuotaBack, type TakenQuota, takeQuota } from '../quotas/take-quota.ts';
import { type Refusal, refusal, refusalOfInference } from '../refusal.ts';
import { type FrameReport, ingestFrame } from './ingest-frame.ts';
import type { OpenCamera } from './open-camera.ts';

/** A frame as a camera sends it. */
export interface SentFrame {
  readonly image: Blob;
  /** Unix milliseconds. */
  readonly capturedAt: number;
}

export type TakenFrame = Result<FrameReport, Refusal>;

const REEMBEDDING_RETRY_S = 30;

/** Takes in one frame of a camera; a collection that another model has embedded is embedded again first. */
export async function takeFrame(
  env: Env,
  caller: EventsCaller,
  camera: OpenCamera,
  frame: SentFrame,
): Promise<TakenFrame> {
  const counted = await takeQuota(env, caller.tenant, amountOf([frame]));
  if (!counted.ok) return counted;
  const taken = await takeCountedFrame(env, caller, camera, { frame, taken: counted.value });
  await watchAfter(env, camera, [taken]);
  return taken;
}

/** Once for all frames of a request, whose answers are made: whatever becomes of it, they stand. */
async function watchAfter(env: Env, { event }: OpenCamera, taken: readonly TakenFrame[]): Promise<void> {
  if (taken.some((frame) => frame.ok && frame.value.hasMoved)) await watchCapacitySoon(env, event.id);
}

/** A frame whose amounts were counted. */
interface CountedFrame {
  readonly frame: SentFrame;
  readonly taken: TakenQuota;
}

function amountOf(frames: readonly SentFrame[]) {
  return { frames: frames.length, bytes: frames.reduce((total, { image }) => total + image.size, 0) };
}

async function takeCountedFrame(
  env: Env,
  caller: EventsCaller,
  camera: OpenCamera,
  { frame, taken }: CountedFrame,
): Promise<TakenFrame> {
  const { capturedAt } = frame;
  const impossible = capturedAtFailure(capturedAt, camera.event, Date.now());
  if (impossible !== null)
    return err(refusal(apiError('VALIDATION_ERROR', 'captured_at is out of range', { reason: impossible })));
  const image = await imageBytesOf(frame.image);
  if (!image.ok) return err(refusal(image.error));
  const inference = inferenceClient(env, caller);
  const ingested = await ingestFrame(env, inference, camera, { capturedAt, image: image.value });
  if (ingested.ok) {
    // It makes no second row; its bytes were read once more.
    if (ingested.value.isKnown) await giveQuotaBack(env, caller.tenant, { frames: 1 }, taken);
    return ingested;
  }
  switch (ingested.error.reason) {
    case 'replayed':
      return err(
        refusal(
          apiError('CONFLICT', 'the event has this very picture of another time or camera', { reason: 'replayed' }),
        ),
      );
    case 'gone':
      return err(refusal(notFound('camera')));
    case 'not_analyzed': {
      const { failure } = ingested.error;
      // Nobody looked at it, and its camera sends it until somebody does.
      if (failure.reason === 'unreachable' || failure.reason === 'overloaded')
        await giveQuotaBack(env, caller.tenant, amountOf([frame]), taken);
      return err(refusalOfInference(failure));
    }
    case 'other_model': {
      await requestReembedding(env, camera.open.collection, caller);
      const error = apiError('SERVICE_UNAVAILABLE', 'the faces are being embedded by another model: send it later', {
        reason: 'other_model',
      });
      return err(refusal(error, REEMBEDDING_RETRY_S));
    }
  }
}

/** So that one camera leaves room for the others. */
const AT_ONCE = 4;

/** Takes in frames that a camera has gathered, where the tenant may send so many; each has an answer of its own, in their order. */
export async function takeFrames(
  env: Env,
  caller: EventsCaller,
  camera: OpenCamera,
  frames: readonly SentFrame[],
): Promise<Result<readonly TakenFrame[], Refusal>> {
  const counted = await takeQuota(env, caller.tenant, amountOf(frames));
  if (!counted.ok) return counted;
  const taken: TakenFrame[] = [];
  for (let at = 0; at < frames.length; at += AT_ONCE) {
    const some = frames.slice(at, at + AT_ONCE);
    taken.push(
      ...(await Promise.all(
        some.map((frame) => takeCountedFrame(env, caller, camera, { frame, taken: counted.value })),
      )),
    );
  }
  await watchAfter(env, camera, taken);
  return ok(taken);
}
