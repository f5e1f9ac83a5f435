import { evictDurableObject, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { openScopeKeys } from '../../../../data/events/keys/r2-scope-keys.ts';
import { type GalleryScope, galleryName, type NewVector } from '../../../../durable-objects/gallery/api.ts';
import type { Gallery } from '../../../../durable-objects/gallery/gallery.ts';
import type { EmbeddingModel } from '../../../../protocol/inference/wire.ts';

const model: EmbeddingModel = { name: 'face-descriptor', version: '1', dimensions: 128 };
const keys = () => openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
let scope: GalleryScope = { tenant: '', scope: '', collectionId: '' };
const gallery = () => env.GALLERY.getByName(galleryName(scope.tenant, scope.collectionId, 0));

beforeEach(async () => {
  const id = crypto.randomUUID();
  scope = { tenant: crypto.randomUUID(), scope: `event:${id}`, collectionId: id };
  await keys().create(scope);
});

/** The same numbers for the same seed, −1..1. */
function randomFrom(seed: number): () => number {
  let state = seed * 2654435761 + 1;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    return state / 2 ** 31;
  };
}

function embeddingOf(seed: number, dimensions = 128): Float32Array {
  const random = randomFrom(seed);
  const vector = Float32Array.from({ length: dimensions }, () => random() + random() + random());
  const length = Math.hypot(...vector);
  return vector.map((x) => x / length);
}

function faces(from: number, to: number, dimensions = 128): NewVector[] {
  return Array.from({ length: to - from }, (_, at) => ({
    faceId: `face-${from + at}`,
    subject: `subject-${from + at}`,
    embedding: embeddingOf(from + at, dimensions),
  }));
}

async function nearest(seed: number, topK = 1, threshold = 0.9): Promise<string[]> {
  const answer = await gallery().search(scope, model, [{ embedding: embeddingOf(seed), topK, threshold }]);
  if (answer.type !== 'found') throw new Error(answer.type);
  return answer.matches[0]!.map(({ faceId }) => faceId);
}

/** Everything that the object has in its SQLite, as bytes. */
async function storedRows(): Promise<{ blocks: { id: number; model: number; sealed: ArrayBuffer }[]; text: string }> {
  return runInDurableObject(gallery(), (_, { storage }) => {
    const tables = storage.sql
      .exec<{ name: string }>(
        "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE '\\_cf%' ESCAPE '\\'",
      )
      .toArray();
    const rows = tables.flatMap(({ name }) => storage.sql.exec(`SELECT * FROM "${name}"`).toArray());
    const blocks = tables.some(({ name }) => name === 'blocks')
      ? storage.sql.exec<{ id: number; model: number; sealed: ArrayBuffer }>('SELECT * FROM blocks').toArray()
      : [];
    const values = rows.flatMap((row) => Object.values(row));
    const text = values
      .map((value) => (value instanceof ArrayBuffer ? new TextDecoder('latin1').decode(value) : String(value)))
      .join('\n');
    return { blocks, text };
  });
}

/** Why the object throws, which is asked inside of it: what crosses to another object is reported as uncaught too. */
function refusal(call: (gallery: Gallery) => Promise<unknown>): Promise<string> {
  return runInDurableObject(gallery(), async (instance) => {
    try {
      await call(instance);
      return 'none';
    } catch (error) {
      return String(error);
    }
  });
}

/** Does something while the clock is that much ahead. */
async function later(ms: number, act: () => Promise<void>): Promise<void> {
  const now = Date.now();
  const clock = vi.spyOn(Date, 'now').mockImplementation(() => now + ms);
  try {
    await act();
  } finally {
    clock.mockRestore();
  }
}

function bytesOf(vector: Float32Array): string {
  return new TextDecoder('latin1').decode(new Uint8Array(vector.buffer, vector.byteOffset, 16));
}

describe('a search', () => {
  it('answers the nearest faces by cosine, best first, with the threshold inclusive', async () => {
    await gallery().add(scope, model, faces(0, 300));
    const query = { embedding: embeddingOf(7), topK: 3, threshold: -1 };
    const answer = await gallery().search(scope, model, [query]);
    if (answer.type !== 'found') throw new Error(answer.type);
    const [best, second] = answer.matches[0]!;
    expect(best).toMatchObject({ faceId: 'face-7', subject: 'subject-7' });
    expect(best!.similarity).toBeCloseTo(1, 6);
    const inclusive = await gallery().search(scope, model, [{ ...query, threshold: second!.similarity }]);
    expect(inclusive).toEqual({ type: 'found', matches: [[best, second]] });
  });

  it('finds each subject once, by its best face, though one subject has many photos', async () => {
    const many = faces(0, 200).map((face) => ({ ...face, subject: 'ada' }));
    await gallery().add(scope, model, [...many, ...faces(200, 300)]);
    const found = await nearest(5, 10, -1);
    expect(found).toHaveLength(10);
    expect(found[0]).toBe('face-5');
    expect(found.filter((faceId) => Number(faceId.slice(5)) < 200)).toEqual(['face-5']);
  });

  it('finds nobody below the threshold, nor in an empty gallery', async () => {
    expect(await nearest(1)).toEqual([]);
    await gallery().add(scope, model, faces(0, 10));
    expect(await nearest(11)).toEqual([]);
  });

  it('answers many queries in their order', async () => {
    await gallery().add(scope, model, faces(0, 100));
    const queries = [42, 3, 999].map((seed) => ({ embedding: embeddingOf(seed), topK: 1, threshold: 0.9 }));
    const answer = await gallery().search(scope, model, queries);
    expect(answer).toMatchObject({ matches: [[{ faceId: 'face-42' }], [{ faceId: 'face-3' }], []] });
  });

  it('looks among the vectors of its own model alone', async () => {
    const other: EmbeddingModel = { ...model, version: '2' };
    await gallery().add(scope, model, faces(0, 20));
    const query = { embedding: embeddingOf(3), topK: 1, threshold: 0.9 };
    expect(await gallery().search(scope, other, [query])).toEqual({ type: 'found', matches: [[]] });
    await gallery().add(scope, other, faces(10, 20));
    expect(await gallery().search(scope, other, [query])).toEqual({ type: 'found', matches: [[]] });
    expect(await nearest(3)).toEqual(['face-3']);
    await evictDurableObject(gallery());
    const { size, models } = await gallery().status(scope);
    expect(size).toBe(30);
    expect(models).toEqual([
      { model, size: 20 },
      { model: other, size: 10 },
    ]);
  });
});

describe('adding', () => {
  it('again changes nothing', async () => {
    expect(await gallery().add(scope, model, faces(0, 100))).toEqual({ type: 'added', size: 100 });
    expect(await gallery().add(scope, model, faces(50, 120))).toEqual({ type: 'added', size: 120 });
    expect(await gallery().add(scope, model, [...faces(0, 1), ...faces(0, 1)])).toEqual({ type: 'added', size: 120 });
  });

  it('one by one keeps blocks full, and an eviction loses none', async () => {
    for (let at = 0; at < 70; at++) await gallery().add(scope, model, faces(at, at + 1));
    await evictDurableObject(gallery());
    expect((await gallery().status(scope)).size).toBe(70);
    for (const seed of [0, 63, 64, 69]) expect(await nearest(seed)).toEqual([`face-${seed}`]);
    expect((await storedRows()).blocks).toHaveLength(2);
  });

  it('at the same time as searching and removing loses nothing', async () => {
    await gallery().add(scope, model, faces(0, 200));
    await evictDurableObject(gallery());
    const calls: Promise<unknown>[] = [];
    for (let at = 0; at < 40; at++) {
      calls.push(gallery().add(scope, model, faces(200 + at * 5, 205 + at * 5)));
      calls.push(gallery().remove(scope, [`face-${at}`]));
      calls.push(nearest(100 + at).then((found) => expect(found).toEqual([`face-${100 + at}`])));
    }
    await Promise.all(calls);
    expect((await gallery().status(scope)).size).toBe(360);
    await evictDurableObject(gallery());
    expect((await gallery().status(scope)).size).toBe(360);
    expect(await nearest(39)).toEqual([]);
    expect(await nearest(399)).toEqual(['face-399']);
  });

  it('refuses what is no vector of the model', async () => {
    const add = (embedding: Float32Array) =>
      refusal((gallery) => gallery.add(scope, model, [{ faceId: 'face', subject: null, embedding }]));
    for (const embedding of [new Float32Array(128), new Float32Array(127).fill(1), new Float32Array(128).fill(NaN)]) {
      expect(await add(embedding)).toMatch(/^RangeError/);
    }
  });
});

describe('removing faces', () => {
  it('deletes their vectors from memory and from storage, and says how many were there', async () => {
    await gallery().add(scope, model, faces(0, 200));
    expect(await gallery().remove(scope, ['face-5', 'face-150', 'face-999'])).toEqual({ type: 'removed', count: 2 });
    expect(await gallery().remove(scope, ['face-5', 'face-150'])).toEqual({ type: 'removed', count: 0 });
    expect(await nearest(5)).toEqual([]);
    await evictDurableObject(gallery());
    expect(await nearest(5)).toEqual([]);
    expect(await nearest(6)).toEqual(['face-6']);
    expect((await gallery().status(scope)).size).toBe(198);
  });

  it('leaves nothing of them in any stored block, were it opened', async () => {
    await gallery().add(scope, model, faces(0, 100));
    await gallery().remove(scope, ['face-5']);
    const key = (await keys().open(scope))!;
    const { blocks } = await storedRows();
    expect(blocks).toHaveLength(2);
    for (const { id, sealed } of blocks) {
      const context = ['vectors', scope.collectionId, `${id}`, model.name, model.version, '128'];
      const plain = new TextDecoder('latin1').decode((await key.open(new Uint8Array(sealed), context))!);
      expect(plain).not.toContain(bytesOf(embeddingOf(5)));
      expect(plain).not.toContain('subject-5\u0000');
      expect(plain).not.toMatch(/face-5subject-5(?!\d)/);
      if (id === 1) expect(plain).toContain(bytesOf(embeddingOf(6)));
    }
  });

  it('puts half empty blocks together', async () => {
    await gallery().add(scope, model, faces(0, 640));
    const removed = Array.from({ length: 640 }, (_, at) => `face-${at}`).filter((_, at) => at % 4 !== 0);
    expect(await gallery().remove(scope, removed)).toEqual({ type: 'removed', count: 480 });
    expect((await storedRows()).blocks).toHaveLength(3);
    await evictDurableObject(gallery());
    expect((await gallery().status(scope)).size).toBe(160);
    for (const seed of [0, 320, 636]) expect(await nearest(seed)).toEqual([`face-${seed}`]);
    expect(await nearest(321)).toEqual([]);
  });

  it('leaves no block when it removes all', async () => {
    await gallery().add(scope, model, faces(0, 100));
    await gallery().remove(
      scope,
      faces(0, 100).map(({ faceId }) => faceId),
    );
    expect((await storedRows()).blocks).toEqual([]);
    expect(await gallery().search(scope, model, [])).toEqual({ type: 'found', matches: [] });
  });
});

describe('what the object stores', () => {
  it('shows no vector, no face and no subject', async () => {
    await gallery().add(scope, model, faces(0, 130));
    const { blocks, text } = await storedRows();
    expect(blocks.length).toBeGreaterThan(1);
    for (let at = 0; at < 130; at++) {
      expect(text).not.toContain(bytesOf(embeddingOf(at)));
    }
    expect(text).not.toMatch(/face-\d|subject-\d/);
    expect(text).toContain('face-descriptor');
  });

  it('opens in no other block, collection or model', async () => {
    await gallery().add(scope, model, faces(0, 128));
    const swap = (sql: string) =>
      runInDurableObject(gallery(), (_, { storage }) => {
        storage.sql.exec(sql);
      });
    await swap('UPDATE blocks SET sealed = (SELECT sealed FROM blocks WHERE id = 2) WHERE id = 1');
    await evictDurableObject(gallery());
    expect(await refusal((gallery) => gallery.status(scope))).toContain('does not open');
    await swap('DELETE FROM blocks WHERE id = 1');
    expect((await gallery().status(scope)).size).toBe(64);
    await evictDurableObject(gallery());
    expect(await refusal((gallery) => gallery.status({ ...scope, collectionId: 'another' }))).toContain(
      'does not open',
    );
    await swap("UPDATE models SET version = '2'");
    expect(await refusal((gallery) => gallery.status(scope))).toContain('does not open');
  });
});

describe('when the key is destroyed', () => {
  const query = { embedding: embeddingOf(1), topK: 1, threshold: 0.9 };
  const destroyed = { type: 'key_destroyed' };

  it('a cold gallery reads and writes nothing any more, nor one with its old rows brought back', async () => {
    await gallery().add(scope, model, faces(0, 100));
    const { blocks } = await storedRows();
    await keys().destroy(scope);
    await evictDurableObject(gallery());
    const expectNothing = async () => {
      expect(await gallery().search(scope, model, [query])).toEqual(destroyed);
      expect(await gallery().add(scope, model, faces(0, 1))).toEqual(destroyed);
      expect(await gallery().remove(scope, ['face-1'])).toEqual(destroyed);
      expect(await gallery().status(scope)).toEqual({ size: 0, models: [], memoryBytes: 0 });
    };
    await expectNothing();
    await gallery().erase();
    expect((await storedRows()).blocks).toEqual([]);
    await keys().create(scope);
    await gallery().add(scope, model, faces(500, 501));
    await runInDurableObject(gallery(), (_, { storage }) => {
      for (const { id, model, sealed } of blocks) {
        storage.sql.exec('INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)', id, model, sealed);
      }
    });
    await evictDurableObject(gallery());
    expect(await refusal((gallery) => gallery.search(scope, model, [query]))).toContain('does not open');
    await keys().destroy(scope);
    await evictDurableObject(gallery());
    await expectNothing();
  });

  it('a warm gallery that was not told notices it by itself', async () => {
    await gallery().add(scope, model, faces(0, 100));
    await keys().destroy(scope);
    expect(await nearest(1)).toEqual(['face-1']);
    await later(15_000, async () => {
      await vi.waitFor(async () => expect(await gallery().search(scope, model, [query])).toEqual(destroyed));
    });
  });

  it('no call is answered from memory a minute after the key was last seen', async () => {
    await gallery().add(scope, model, faces(0, 100));
    await keys().destroy(scope);
    await later(60_000, async () => {
      expect(await gallery().search(scope, model, [query])).toEqual(destroyed);
    });
    expect(await gallery().search(scope, model, [query])).toEqual(destroyed);
  });

  it('the destruction of the tenant’s key does the same', async () => {
    await gallery().add(scope, model, faces(0, 10));
    await keys().destroyTenant(scope.tenant);
    await evictDurableObject(gallery());
    expect(await gallery().search(scope, model, [query])).toEqual(destroyed);
  });
});

describe('erasing', () => {
  it('forgets memory and storage at once; the next call starts empty', async () => {
    await gallery().add(scope, model, faces(0, 100));
    await gallery().erase();
    expect(await nearest(1)).toEqual([]);
    expect((await storedRows()).blocks).toEqual([]);
    expect(await gallery().add(scope, model, faces(0, 3))).toEqual({ type: 'added', size: 3 });
    await gallery().erase();
    await gallery().erase();
    expect((await gallery().status(scope)).size).toBe(0);
  });

  it('beats the calls that came before it, also those that are loading', async () => {
    for (const cold of [false, true]) {
      await gallery().add(scope, model, faces(0, 1_000));
      if (cold) await evictDurableObject(gallery());
      const before = [
        gallery().search(scope, model, [{ embedding: embeddingOf(1), topK: 1, threshold: 0.9 }]),
        gallery().add(scope, model, faces(1_000, 1_200)),
        gallery().remove(scope, ['face-1']),
      ];
      await gallery().erase();
      await Promise.all(before);
      expect((await gallery().status(scope)).size).toBe(0);
      expect((await storedRows()).blocks).toEqual([]);
    }
  });
});

describe('twenty thousand vectors', () => {
  it('are loaded after an eviction, and take a quarter of their memory', async () => {
    const template = faces(0, 20_000);
    for (let at = 0; at < 20_000; at += 5_000) await gallery().add(scope, model, template.slice(at, at + 5_000));
    await evictDurableObject(gallery());
    expect(await nearest(12_345)).toEqual(['face-12345']);
    const { size, memoryBytes } = await gallery().status(scope);
    expect(size).toBe(20_000);
    expect(memoryBytes).toBeLessThan(20_000 * 128 * 4 * 0.26);
  });
});
