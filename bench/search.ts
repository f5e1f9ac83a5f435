import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deriveScopeKey } from '../data/events/keys/derive-scope-key.ts';
import { mergeMatches } from '../domain/faces/merge-matches.ts';
import { shardOf } from '../domain/faces/shard-of.ts';
import type { VectorMatch } from '../domain/faces/vector-match.ts';
import { SHARD_VECTORS_MAX } from '../durable-objects/gallery/api.ts';
import { Shard } from '../durable-objects/gallery/shard/shard.ts';
import { loadScanKernel } from '../test/node/gallery/load-scan-kernel.ts';
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { exactMatches } from './search/exact-matches.ts';
import { DIMENSIONS, type Distribution, faceIdOf, queryOf, subjectOf } from './search/face-vectors.ts';
import { plainSearch, plainVectors } from './search/plain-search.ts';
import { SqliteBlockStore } from './search/sqlite-block-store.ts';
import { sized } from './smoke.ts';

/**
 * `npm run bench:search`: the ten nearest of 1,000 to 1,000,000 vectors, without a threshold, against a plain loop over the same
 * vectors as float32, by turns in one process; and each answer's ten against the exact ones in float64.
 *
 * The gallery's own shards, with blocks sealed in a SQLite file: a search scans the index and opens the blocks of its candidates. They
 * run in Node; then the gallery object as deployed does the same in workerd, where the clock stands still, so that the time there is
 * that of a call with many queries, less that of one with none, shared among them.
 */
const SIZES = sized([1_000, 10_000, 100_000, 1_000_000], [1_000]);
const DISTRIBUTIONS: readonly Distribution[] = ['people', 'uniform'];
const RATIO_SIZE = sized(100_000, 1_000);
const TOP_K = 10;
const WARM_UP_QUERIES = sized(10, 1);
const QUERIES = new Map([
  [1_000, 400],
  [10_000, 400],
  [100_000, 200],
  [1_000_000, 30],
]);
const VERIFIED_QUERIES = sized(20, 2);
const RECALL_MIN = 0.99;
const ADD_VECTORS = sized(10_000, 200);
const RUNTIME_CALLS = sized(9, 1);
const RUNTIME_QUERIES = sized(20, 2);
const MODEL = { name: 'bench', version: '1', dimensions: DIMENSIONS };

interface Sharded {
  readonly shards: readonly Shard[];
  readonly load_ms: number;
  readonly memoryBytes: number;
  close(): void;
}

/** As many shards as the vectors need, filled as the Worker fills them, then loaded as after an eviction. */
async function filledShards(distribution: Distribution, vectors: Float32Array, folder: string): Promise<Sharded> {
  const size = vectors.length / DIMENSIONS;
  const numbers = Array.from({ length: Math.ceil((size * 1.01) / SHARD_VECTORS_MAX) }, (_, shard) => shard);
  const key = await deriveScopeKey(crypto.getRandomValues(new Uint8Array(32)), {
    tenant: 'bench',
    scope: 'event:bench',
  });
  const stores = numbers.map((shard) => new SqliteBlockStore(join(folder, `${distribution}-${size}-${shard}.db`)));
  const load = async () => {
    const shards = stores.map(
      (store) =>
        new Shard({
          key,
          collectionId: 'bench',
          store,
          vectorsMax: SHARD_VECTORS_MAX,
          instantiateKernel: loadScanKernel,
        }),
    );
    for (const shard of shards) await shard.load();
    return shards;
  };
  const filling = await load();
  for (let first = 0; first < size; first += ADD_VECTORS) {
    const faces = Array.from({ length: Math.min(ADD_VECTORS, size - first) }, (_, at) => ({
      faceId: faceIdOf(first + at),
      subject: subjectOf(distribution, first + at),
      embedding: vectors.subarray((first + at) * DIMENSIONS, (first + at + 1) * DIMENSIONS),
    }));
    const byShard = Map.groupBy(faces, ({ faceId }) => shardOf(faceId, numbers));
    for (const [shard, own] of byShard) {
      const answer = await filling[shard]!.add(MODEL, own);
      if (answer?.type !== 'added') throw new Error('a shard of the bench is full');
    }
  }
  const started = performance.now();
  const shards = await load();
  return {
    shards,
    load_ms: performance.now() - started,
    memoryBytes: shards.reduce((total, shard) => total + shard.status().memoryBytes, 0),
    close() {
      for (const store of stores) store.close();
    },
  };
}

async function searchShard(shard: Shard, embedding: Float32Array): Promise<readonly VectorMatch[]> {
  const answer = await shard.search(MODEL, [{ embedding, topK: TOP_K, threshold: -1 }]);
  if (answer?.type !== 'found') throw new Error('the gallery found nothing to search');
  return answer.matches[0]!;
}

function percentile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1]!;
}

async function measureInNode(distribution: Distribution, size: number, folder: string) {
  const vectors = plainVectors(distribution, size);
  const { shards, load_ms, memoryBytes, close } = await filledShards(distribution, vectors, folder);
  const ours: number[] = [];
  const slowestShard: number[] = [];
  const plain: number[] = [];
  let found = 0;
  for (let at = -WARM_UP_QUERIES; at < QUERIES.get(size)!; at++) {
    const query = queryOf(distribution, size, at + WARM_UP_QUERIES);
    const started = performance.now();
    const answers: (readonly VectorMatch[])[] = [];
    let slowest = 0;
    for (const shard of shards) {
      const asked = performance.now();
      answers.push(await searchShard(shard, query));
      slowest = Math.max(slowest, performance.now() - asked);
    }
    const matches = mergeMatches(answers, TOP_K);
    const answered = performance.now();
    if (plainSearch(vectors, query, TOP_K).length !== TOP_K) throw new Error('the plain loop found too few');
    const looped = performance.now();
    if (at < 0) continue;
    ours.push(answered - started);
    slowestShard.push(slowest);
    plain.push(looped - answered);
    if (at < VERIFIED_QUERIES) {
      const exact = new Set(exactMatches(distribution, vectors, query, TOP_K));
      found += matches.filter(({ faceId }) => exact.has(faceId)).length;
    }
  }
  close();
  const recall = found / (VERIFIED_QUERIES * TOP_K);
  if (recall < RECALL_MIN) throw new Error(`recall ${recall} of ${size} ${distribution} vectors`);
  return {
    runtime: 'Node',
    distribution,
    size,
    shards: shards.length,
    p50_ms: round(median(ours)),
    p99_ms: round(percentile(ours, 0.99)),
    slowest_shard_p50_ms: round(median(slowestShard)),
    plain_p50_ms: round(median(plain)),
    ratio: round(median(plain) / median(ours)),
    memory_mb: round(memoryBytes / 1e6),
    memory_of_plain: round(memoryBytes / vectors.byteLength),
    recall,
    load_ms: Math.round(load_ms),
  };
}

async function measureInWorkerd(distribution: Distribution, size: number) {
  const worker = await startWorker('bench/workers/search.toml');
  const call = async <Answer>(path: string, count = 0, from = 0): Promise<{ ms: number; body: Answer }> => {
    const url = new URL(`${path}?distribution=${distribution}&size=${size}&count=${count}&from=${from}`, worker.url);
    url.searchParams.set('top_k', String(TOP_K));
    const started = performance.now();
    const response = await fetch(url, { signal: AbortSignal.timeout(300_000) });
    const text = await response.text();
    if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
    return { ms: performance.now() - started, body: (text === '' ? null : JSON.parse(text)) as Answer };
  };
  try {
    const { body: status } = await call<{ memoryBytes: number }>('/fill');
    const ours: number[] = [];
    const plain: number[] = [];
    for (let round = -1; round < RUNTIME_CALLS; round++) {
      const from = (round + 1) * RUNTIME_QUERIES;
      for (const [path, times] of [
        ['/search', ours],
        ['/plain', plain],
      ] as const) {
        // Loads what the runtime has let go of, too.
        await call(path);
        const without = await call(path);
        const { ms, body: found } = await call<number>(path, RUNTIME_QUERIES, from);
        if (found !== RUNTIME_QUERIES * TOP_K) throw new Error(`${path} found ${found} faces`);
        if (round >= 0) times.push((ms - without.ms) / RUNTIME_QUERIES);
      }
    }
    const loads: number[] = [];
    for (let round = 0; round < 3; round++) {
      await call('/lose');
      loads.push((await call('/status')).ms);
    }
    return {
      runtime: 'workerd',
      distribution,
      size,
      shards: 1,
      p50_ms: round(median(ours)),
      plain_p50_ms: round(median(plain)),
      ratio: round(median(plain) / median(ours)),
      memory_mb: round(status.memoryBytes / 1e6),
      memory_of_plain: round(status.memoryBytes / (size * DIMENSIONS * 4)),
      load_ms: Math.round(median(loads)),
    };
  } finally {
    await worker.stop();
  }
}

function round(value: number): number {
  return Number(value.toFixed(3));
}

const folder = mkdtempSync(join(tmpdir(), 'edge-exchange-search-'));
try {
  const measured: (Awaited<ReturnType<typeof measureInNode>> | Awaited<ReturnType<typeof measureInWorkerd>>)[] = [];
  for (const distribution of DISTRIBUTIONS) {
    for (const size of SIZES) {
      measured.push(await measureInNode(distribution, size, folder));
      console.log(`${size} ${distribution} vectors searched`);
    }
    measured.push(await measureInWorkerd(distribution, RATIO_SIZE));
  }
  printReport({
    bench: 'search',
    ratio: Math.min(...measured.filter(({ size }) => size === RATIO_SIZE).map(({ ratio }) => ratio)),
    table: measured,
    figures: { dimensions: DIMENSIONS, top_k: TOP_K, measured },
  });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
