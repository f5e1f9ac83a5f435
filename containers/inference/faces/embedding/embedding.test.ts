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

it("the model's version changes with the weights it was made by", () => {
  const model = embeddingModel(['first', 'second']);
  expect(model).toMatchObject({ dimensions: 128, version: expect.stringMatching(/^[0-9a-f]{12}$/) });
  expect(embeddingModel(['first', 'second'])).toEqual(model);
  expect(embeddingModel(['first', 'other']).version).not.toBe(model.version);
});
