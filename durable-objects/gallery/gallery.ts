import { DurableObject } from 'cloudflare:workers';
import { openScopeKeys } from '../../data/events/keys/r2-scope-keys.ts';
import type { EmbeddingModel } from '../../protocol/inference/wire.ts';
import {
  type AddAnswer,
  type GalleryApi,
  type GalleryScope,
  type GalleryStatus,
  type NewVector,
  type RemoveAnswer,
  type SearchAnswer,
  SHARD_VECTORS_MAX,
  type VectorQuery,
  type VectorsAnswer,
} from './api.ts';
import { KeyWatch } from './key-watch.ts';
import scanModule from './shard/scan.wasm';
import type { ScanKernel } from './shard/scan-kernel.ts';
import { Shard } from './shard/shard.ts';
import { SqlBlockStore } from './sql-block-store.ts';
import { Turns } from './turns.ts';

/**
 * One shard of a collection's vectors (api.ts). Calls take turns, the first one loads the shard; only `erase` waits for nobody, and
 * those that were waiting answer as if they had come before it.
 */
export class Gallery extends DurableObject<Env> implements GalleryApi {
  readonly #turns = new Turns();
  #warm: WarmShard | null = null;
  #loading: Shard | null = null;
  #erasures = 0;

  async add(scope: GalleryScope, model: EmbeddingModel, vectors: readonly NewVector[]): Promise<AddAnswer> {
    const answer = await this.#inTurn(scope, (shard) => shard.add(model, vectors));
    return answer === ERASED ? { type: 'added', size: 0 } : answer;
  }

  async remove(scope: GalleryScope, faceIds: readonly string[]): Promise<RemoveAnswer> {
    const answer = await this.#inTurn(scope, (shard) => shard.remove(faceIds));
    return answer === ERASED ? { type: 'removed', count: 0 } : answer;
  }

  async search(scope: GalleryScope, model: EmbeddingModel, queries: readonly VectorQuery[]): Promise<SearchAnswer> {
    const answer = await this.#inTurn(scope, (shard) => shard.search(model, queries));
    return answer === ERASED ? { type: 'found', matches: queries.map(() => []) } : answer;
  }

  async vectors(scope: GalleryScope, faceIds: readonly string[]): Promise<VectorsAnswer> {
    const answer = await this.#inTurn(scope, (shard) => shard.vectors(faceIds));
    return answer === ERASED ? { type: 'read', vectors: [] } : answer;
  }

  async status(scope: GalleryScope): Promise<GalleryStatus> {
    const answer = await this.#inTurn(scope, async (shard) => shard.status());
    return answer === ERASED || 'type' in answer ? { size: 0, models: [], memoryBytes: 0 } : answer;
  }

  async erase(): Promise<void> {
    this.#erasures++;
    this.#forget();
    await this.ctx.storage.deleteAll();
  }

  /** @param work answers null when the shard was closed under its hands. */
  #inTurn<Answer>(
    scope: GalleryScope,
    work: (shard: Shard) => Promise<Answer | null>,
  ): Promise<Answer | KeyDestroyed | typeof ERASED> {
    const erasures = this.#erasures;
    return this.#turns.take(async () => {
      if (this.#erasures !== erasures) return ERASED;
      const shard = await this.#open(scope);
      const answer = shard === null ? null : await work(shard);
      if (answer !== null) return answer;
      return this.#erasures === erasures ? { type: 'key_destroyed' } : ERASED;
    });
  }

  /** Null without a key, and when an erasure came in between. */
  async #open(scope: GalleryScope): Promise<Shard | null> {
    const erasures = this.#erasures;
    const warm = this.#warm;
    if (warm !== null) {
      assertSame(warm.scope, scope);
      if (!warm.shard.closed && (await warm.watch.isThere())) return warm.shard;
      this.#forget();
    }
    const keys = openScopeKeys(this.env.EVENT_KEYS, this.env.EVENTS_MASTER_KEY);
    const key = await keys.open(scope);
    if (key === null || this.#erasures !== erasures) return null;
    const shard = new Shard({
      key,
      collectionId: scope.collectionId,
      store: new SqlBlockStore(this.ctx.storage),
      vectorsMax: SHARD_VECTORS_MAX,
      instantiateKernel: () => new WebAssembly.Instance(scanModule).exports as unknown as ScanKernel,
    });
    const watch = await KeyWatch.start(keys, scope, key, () => shard.close());
    if (this.#erasures !== erasures) return null;
    this.#loading = shard;
    const loaded = await shard.load().finally(() => {
      this.#loading = null;
    });
    if (!loaded) return null;
    this.#warm = { scope, shard, watch };
    return shard;
  }

  /** What is in memory is let go of at once, and what is under way with it ends without effect. */
  #forget(): void {
    this.#loading?.close();
    this.#warm?.shard.close();
    this.#warm = null;
  }
}

interface WarmShard {
  readonly scope: GalleryScope;
  readonly shard: Shard;
  readonly watch: KeyWatch;
}

interface KeyDestroyed {
  readonly type: 'key_destroyed';
}

const ERASED = 'erased';

function assertSame(own: GalleryScope, { tenant, scope, collectionId }: GalleryScope): void {
  if (own.tenant !== tenant || own.scope !== scope || own.collectionId !== collectionId) {
    throw new Error('a gallery holds the vectors of one collection');
  }
}
