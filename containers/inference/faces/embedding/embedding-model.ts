import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../../../../protocol/inference/wire.ts';
import type { FaceEmbedder } from './face-embedder.ts';

/** To be raised with every change of code that moves vectors: how landmarks are found, crops are sampled, mirror images weigh in. */
const REVISION = 3;

/** Names the space of the vectors: weights of the networks that place and describe a face, alignment and the like, and revision. */
export function embeddingModel(
  landmarksSha256: string,
  { name, dimensions, sha256, space }: Omit<FaceEmbedder, 'embed'>,
): EmbeddingModel {
  const text = JSON.stringify([REVISION, [landmarksSha256, sha256], ...space]);
  return { name, version: createHash('sha256').update(text).digest('hex').slice(0, 12), dimensions };
}
