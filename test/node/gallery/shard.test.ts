import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { deriveScopeKey } from '../../../data/events/keys/derive-scope-key.ts';
import type { ScopeKey } from '../../../data/events/keys/scope-key.ts';
import type { VectorMatch } from '../../../domain/faces/vector-match.ts';
import type { NewVector } from '../../../durable-objects/gallery/api.ts';
import { Shard } from '../../../durable-objects/gallery/shard/shard.ts';
import { loadScanKernel } from './load-scan-kernel.ts';
import { MemoryBlockStore } from './memory-block-store.ts';

const DIMENSIONS = 20;
const model = { name: 'model', version: '1', dimensions: DIMENSIONS };
const place = { tenant: 'tenant', scope: 'event:1' };

function newKey(): Promise<ScopeKey> {
  return deriveScopeKey(crypto.getRandomValues(new Uint8Array(32)), place);
}

async function loaded(key: ScopeKey, store: MemoryBlockStore, vectorsMax = 10_000): Promise<Shard> {
  const shard = new Shard({ key, collectionId: 'collection', store, vectorsMax, instantiateKernel: loadScanKernel });
  expect(await shard.load()).toBe(true);
  return shard;
}

/** Few different components: many vectors are equal, or nearly so. */
const component = fc.oneof(fc.constantFrom(0, 0, 1, -1), fc.float({ min: -1, max: 1, noNaN: true }));
const embedding = fc
  .array(component, { minLength: DIMENSIONS, maxLength: DIMENSIONS })
  .map((components) => Float32Array.from(components))
  .filter((vector) => Math.hypot(...vector) > 0.01);
const faceId = fc.nat(400).map((n) => `face-${n}`);
const face = fc.record({ faceId, subject: fc.option(fc.nat(30).map((n) => `subject-${n}`)), embedding });
const step = fc.oneof(
  fc.record({ add: fc.array(face, { maxLength: 150 }) }),
  fc.record({ remove: fc.array(faceId, { maxLength: 150 }) }),
  fc.record({
    query: fc.record({ embedding, topK: fc.integer({ min: 1, max: 12 }), threshold: fc.constantFrom(-1, 0, 0.4) }),
  }),
  fc.constant('reload' as const),
);

function plainCosine(a: Float32Array, b: Float32Array): number {
  const dot = a.reduce((total, x, i) => total + x * b[i]!, 0);
  return Math.max(
    -1,
    Math.min(1, dot / Math.sqrt(a.reduce((t, x) => t + x * x, 0) * b.reduce((t, x) => t + x * x, 0))),
  );
}

function plainSearch(faces: Iterable<NewVector>, query: Float32Array, topK: number, threshold: number): VectorMatch[] {
  const all = [...faces]
    .map(({ faceId, subject, embedding }) => ({ faceId, subject, similarity: plainCosine(query, embedding) }))
    .filter(({ similarity }) => similarity >= threshold)
    .sort((a, b) => b.similarity - a.similarity || (a.faceId < b.faceId ? -1 : 1));
  const subjects = new Set<string>();
  return all
    .filter(({ subject }) => subject === null || (!subjects.has(subject) && subjects.add(subject)))
    .slice(0, topK);
}

describe('a shard', () => {
  it('answers as a plain float64 search over all its vectors, whatever was added, removed and loaded again', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 12 }), async (steps) => {
        const key = await newKey();
        const store = new MemoryBlockStore();
        let shard = await loaded(key, store);
        const plain = new Map<string, NewVector>();
        for (const step of steps) {
          if (step === 'reload') {
            shard = await loaded(key, store);
          } else if ('add' in step) {
            for (const face of step.add) if (!plain.has(face.faceId)) plain.set(face.faceId, face);
            expect(await shard.add(model, step.add)).toEqual({ type: 'added', size: plain.size });
          } else if ('remove' in step) {
            const count = [...new Set(step.remove)].filter((faceId) => plain.delete(faceId)).length;
            expect(await shard.remove(step.remove)).toEqual({ type: 'removed', count });
          } else {
            const { embedding, topK, threshold } = step.query;
            const expected = plainSearch(plain.values(), embedding, topK, threshold);
            expect(await shard.search(model, [step.query])).toEqual({ type: 'found', matches: [expected] });
          }
          expect(shard.size).toBe(plain.size);
        }
      }),
      { numRuns: 60 },
    );
  });

  it('finds the nearest of vectors that differ by less than their codes can tell', async () => {
    const alike = fc.array(fc.float({ min: Math.fround(0.99), max: Math.fround(1.01), noNaN: true }), {
      minLength: DIMENSIONS,
      maxLength: DIMENSIONS,
    });
    const galleries = fc.array(
      alike.map((components) => Float32Array.from(components)),
      { minLength: 150, maxLength: 300 },
    );
    await fc.assert(
      fc.asyncProperty(galleries, async ([query, ...embeddings]) => {
        const vectors = embeddings.map((embedding, at) => ({ faceId: `face-${at}`, subject: null, embedding }));
        const shard = await loaded(await newKey(), new MemoryBlockStore());
        await shard.add(model, vectors);
        const terms = { embedding: query!, topK: 10, threshold: 0.5 };
        const expected = plainSearch(vectors, query!, 10, 0.5);
        expect(await shard.search(model, [terms])).toEqual({ type: 'found', matches: [expected] });
      }),
      { numRuns: 10 },
    );
  });

  it('bounds cosines so closely that few candidates are looked at', async () => {
    const random = () => Math.random() + Math.random() + Math.random() - 1.5;
    const wide = { ...model, dimensions: 128 };
    const vectors = Array.from({ length: 5_000 }, (_, at) => ({
      faceId: `face-${at}`,
      subject: null,
      embedding: Float32Array.from({ length: 128 }, random),
    }));
    const key = await newKey();
    let opened = 0;
    const counting: ScopeKey = {
      ...key,
      open(sealed, context) {
        opened++;
        return key.open(sealed, context);
      },
    };
    const shard = await loaded(counting, new MemoryBlockStore());
    await shard.add(wide, vectors);
    opened = 0;
    await shard.search(wide, [{ embedding: vectors[0]!.embedding, topK: 10, threshold: -1 }]);
    expect(opened).toBeLessThan(40);
  });

  it('refuses vectors that it has no room for, takes repeated ones, and fewer of wider ones', async () => {
    const faces = (count: number, dimensions: number) =>
      Array.from({ length: count }, (_, at) => ({
        faceId: `face-${at}`,
        subject: null,
        embedding: new Float32Array(dimensions).fill(1),
      }));
    const shard = await loaded(await newKey(), new MemoryBlockStore(), 100);
    expect(await shard.add(model, faces(101, DIMENSIONS))).toEqual({ type: 'full' });
    expect(shard.size).toBe(0);
    expect(await shard.add(model, faces(100, DIMENSIONS))).toEqual({ type: 'added', size: 100 });
    expect(await shard.add(model, faces(100, DIMENSIONS))).toEqual({ type: 'added', size: 100 });
    expect(await shard.add(model, faces(101, DIMENSIONS))).toEqual({ type: 'full' });
    const wide = { ...model, dimensions: 512 };
    const other = await loaded(await newKey(), new MemoryBlockStore(), 100);
    expect(await other.add(wide, faces(26, 512))).toEqual({ type: 'full' });
    expect(await other.add(wide, faces(25, 512))).toEqual({ type: 'added', size: 25 });
    expect(await other.add(model, faces(1, DIMENSIONS))).toEqual({ type: 'full' });
  });

  it('that was closed changes nothing and finds nothing', async () => {
    const store = new MemoryBlockStore();
    const shard = await loaded(await newKey(), store);
    const face = { faceId: 'face', subject: null, embedding: new Float32Array(DIMENSIONS).fill(1) };
    const adding = shard.add(model, [face]);
    shard.close();
    expect(await adding).toBeNull();
    expect(await shard.add(model, [face])).toBeNull();
    expect(store.page(0, 1)).toEqual([]);
  });
});
