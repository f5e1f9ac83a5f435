import { createHash } from 'node:crypto';
import type { EmbeddingModel } from '../../../../protocol/inference/wire.ts';
import { DESCRIPTOR_TEMPLATE } from '../alignment/face-template.ts';
import { DESCRIPTOR_LENGTH } from '../networks/face-descriptor-network.ts';
import { MEAN_DESCRIPTOR } from './mean-descriptor.ts';

/** To be raised with every change of code that moves vectors: how landmarks are found, crops are sampled, mirror images weigh in. */
const REVISION = 1;

/** Names the space of the vectors: weights of the networks that place and describe a face, alignment, mean and revision. */
export function embeddingModel(weightsSha256: readonly string[]): EmbeddingModel {
  const space = JSON.stringify([REVISION, weightsSha256, DESCRIPTOR_TEMPLATE, MEAN_DESCRIPTOR]);
  return {
    name: 'face-api-resnet-34',
    version: createHash('sha256').update(space).digest('hex').slice(0, 12),
    dimensions: DESCRIPTOR_LENGTH,
  };
}
