import { describe, expect, it } from 'vitest';
import { centerDescriptor } from './center-descriptor.ts';
import { embeddingModel } from './embedding-model.ts';
import { MEAN_DESCRIPTOR } from './mean-descriptor.ts';

describe('an embedding', () => {
  it('has unit length and points from the mean face to this one', () => {
    const offset = Float32Array.from(MEAN_DESCRIPTOR, (_, i) => Math.sin(i));
    const descriptor = offset.map((value, i) => MEAN_DESCRIPTOR[i]! + value);
    const embedding = centerDescriptor(descriptor)!;
    expect(embedding).toHaveLength(128);
    expect(Math.hypot(...embedding)).toBeCloseTo(1, 6);
    expect(embedding[7]! / embedding[3]!).toBeCloseTo(Math.sin(7) / Math.sin(3), 4);
  });

  it('does not exist for the mean face', () => {
    expect(centerDescriptor(Float32Array.from(MEAN_DESCRIPTOR))).toBeNull();
  });
});

const EMBEDDER = { name: 'mobilefacenet', dimensions: 192, sha256: 'weights', space: [{ side: 112 }] } as const;

it.each([
  ['the weights that place a face', 'other', EMBEDDER],
  ['the weights that describe it', 'landmarks', { ...EMBEDDER, sha256: 'other' }],
  ['its alignment', 'landmarks', { ...EMBEDDER, space: [{ side: 150 }] }],
])("the model's version changes with %s", (_, landmarks, embedder) => {
  const model = embeddingModel('landmarks', EMBEDDER);
  expect(model).toMatchObject({ dimensions: 192, version: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(embeddingModel('landmarks', EMBEDDER)).toEqual(model);
  expect(embeddingModel(landmarks, embedder).version).not.toBe(model.version);
});
