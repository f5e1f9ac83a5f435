import { qualityRejection } from '../../../domain/faces/face-quality.ts';
import { numberedId } from '../../../domain/faces/numbered-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type DetectedFace, detectedFace } from '../../../protocol/events/detected-face.ts';
import { useCollection, wouldBeTooMany } from '../collections/open-collection.ts';
import type { EventsCaller } from '../events-caller.ts';
import { imageBytesOf } from '../images/image-bytes.ts';
import { inferenceClient } from '../inference/inference-client.ts';
import { notFound } from '../not-found.ts';
import { takeQuota } from '../quotas/take-quota.ts';
import { type Refusal, refusal, refusalOfInference } from '../refusal.ts';
import { tooMany } from '../too-many.ts';
import { storePhotos } from './store-photos.ts';

export interface FaceUpload {
  /** Of the photo; its faces are numbered after it. The same on every repetition. */
  readonly id: string;
  readonly collection: string;
  readonly image: Blob;
}

export interface UploadedFaces {
  /** Every face of the photo. */
  readonly faces: readonly DetectedFace[];
  readonly stored: number;
}

/** Stores those faces of a photo that pass the quality rules in a collection of the caller's tenant. */
export async function uploadFaces(
  env: Env,
  caller: EventsCaller,
  { id, collection, image }: FaceUpload,
): Promise<Result<UploadedFaces, Refusal>> {
  const counted = await takeQuota(env, caller.tenant, { photos: 1, bytes: image.size });
  if (!counted.ok) return counted;
  if (await wouldBeTooMany(env, caller.tenant, collection)) return err(refusal(tooMany('collections_max')));
  const bytes = await imageBytesOf(image);
  if (!bytes.ok) return err(refusal(bytes.error));
  const [open, analysis] = await Promise.all([
    useCollection(env, caller.tenant, collection),
    inferenceClient(env, caller).faces(bytes.value, 'qualified'),
  ]);
  if (open === null) return err(refusal(notFound('the collection')));
  if (!analysis.ok) return err(refusalOfInference(analysis.error));
  const { model, faces } = analysis.value;
  const numbered = faces.map((face, at) => ({ id: numberedId(id, at + 1), face }));
  const qualified = numbered.filter(({ face }) => qualityRejection(face.quality) === null);
  const photo = { id, image: bytes.value, faces: qualified };
  if (qualified.length > 0 && !(await storePhotos(env, open, model, [photo]))) {
    const message = 'the collection was deleted meanwhile, or the upload interrupted: repeat it';
    return err(refusal(apiError('CONFLICT', message)));
  }
  return ok({ faces: numbered.map((one) => detectedFace(one.id, one.face, null)), stored: qualified.length });
}
