import type { ScopeKey, SealContext } from '../../../data/events/keys/scope-key.ts';
import { BestMatches } from '../../../domain/faces/best-matches.ts';
import { cosine } from '../../../domain/faces/cosine.ts';
import type { VectorMatch } from '../../../domain/faces/vector-match.ts';
import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';
import type {
  AddAnswer,
  GalleryStatus,
  NewVector,
  RemoveAnswer,
  SearchAnswer,
  StoredVector,
  VectorQuery,
  VectorsAnswer,
} from '../api.ts';
import { assertQuery, assertVectors } from './assert-vectors.ts';
import { BLOCK_VECTORS, type BlockEntry, encodeBlock, OpenedBlock } from './block.ts';
import type { BlockStore, StoredModel } from './block-store.ts';
import { idTag } from './id-tag.ts';
import { type Packed, packBlocks } from './pack-blocks.ts';
import type { ScanKernel } from './scan-kernel.ts';
import { type Candidate, VectorIndex } from './vector-index.ts';

/** What a shard is made of; `collectionId` is bound to every block. */
export interface ShardParts {
  readonly key: ScopeKey;
  readonly collectionId: string;
  readonly store: BlockStore;
  /** At 128 dimensions; fewer of wider ones. */
  readonly vectorsMax: number;
  /** A fresh instance for each model. */
  readonly instantiateKernel: () => ScanKernel;
}

/** Vectors of one model. */
interface Space extends StoredModel {
  readonly index: VectorIndex;
}

/**
 * The vectors of one shard: sealed blocks in its store and their index in memory; the vectors themselves are opened when they are
 * looked at, and not kept. Calls are made one after the other; only `close` may come in between, after which all answer null and change nothing.
 */
export class Shard {
  readonly #parts: ShardParts;
  readonly #spaces = new Map<string, Space>();
  #lastBlockId = 0;
  #closed = false;

  constructor(parts: ShardParts) {
    this.#parts = parts;
  }

  /** Opens every block; false when the shard was closed meanwhile. Throws when one does not open: of another key, or damaged. */
  async load(): Promise<boolean> {
    const { store } = this.#parts;
    for (const stored of store.models()) this.#takeSpace(stored);
    const spaces = new Map([...this.#spaces.values()].map((space) => [space.id, space]));
    while (!this.#closed) {
      const page = store.page(this.#lastBlockId, LOAD_BLOCKS);
      const last = page.at(-1);
      if (last === undefined) return true;
      const blocks = await Promise.all(
        page.map(({ id, modelId, sealed }) => this.#unseal(spaces.get(modelId)!, id, sealed)),
      );
      for (const [at, { id, modelId }] of page.entries()) spaces.get(modelId)!.index.hold(id, blocks[at]!);
      this.#lastBlockId = last.id;
    }
    return false;
  }

  get closed(): boolean {
    return this.#closed;
  }

  get size(): number {
    let size = 0;
    for (const { index } of this.#spaces.values()) size += index.size;
    return size;
  }

  /** Forgets the vectors; a call that is under way answers null. */
  close(): void {
    this.#closed = true;
    this.#spaces.clear();
  }

  async add(model: EmbeddingModel, vectors: readonly NewVector[]): Promise<AddAnswer | null> {
    assertVectors(model, vectors);
    const space = this.#spaces.get(spaceKey(model)) ?? this.#takeSpace({ id: this.#nextModelId(), model });
    const stored = await this.#storedIds(space, new Set(vectors.map(({ faceId }) => faceId)));
    const missing = [...new Map(vectors.toReversed().map((vector) => [vector.faceId, vector])).values()].reverse();
    const fresh = missing.filter(({ faceId }) => !stored.has(faceId));
    if (!this.#hasRoomFor(model, fresh.length)) return this.#closed ? null : { type: 'full' };
    if (fresh.length > 0) {
      const [tail] = space.index.blocksUpTo(BLOCK_VECTORS - 1);
      const opened = tail === undefined ? undefined : (await this.#open(space, [tail]))?.get(tail);
      if (this.#closed) return null;
      const ids = tail === undefined ? [] : [tail];
      const written = await this.#write(space, packBlocks(ids, [...(opened?.entries() ?? []), ...fresh]));
      if (!written) return null;
    }
    return this.#closed ? null : { type: 'added', size: this.size };
  }

  async remove(faceIds: readonly string[]): Promise<RemoveAnswer | null> {
    const ids = new Set(faceIds);
    const removed = new Set<string>();
    for (const space of this.#spaces.values()) {
      const tagged = space.index.blocksTagged(tagsOf(ids));
      for (let first = 0; first < tagged.length; first += REWRITE_BLOCKS) {
        const found = await this.#removeFrom(space, tagged, first, ids);
        if (found === null) return null;
        for (const faceId of found) removed.add(faceId);
      }
    }
    return this.#closed ? null : { type: 'removed', count: removed.size };
  }

  async search(model: EmbeddingModel, queries: readonly VectorQuery[]): Promise<SearchAnswer | null> {
    for (const query of queries) assertQuery(model, query);
    const space = this.#spaces.get(spaceKey(model));
    if (space === undefined || space.index.size === 0) return { type: 'found', matches: queries.map(() => []) };
    const matches: (readonly VectorMatch[])[] = [];
    for (const query of queries) {
      const nearest = await this.#nearest(space, query);
      if (nearest === null) return null;
      matches.push(nearest);
    }
    return { type: 'found', matches };
  }

  async vectors(faceIds: readonly string[]): Promise<VectorsAnswer | null> {
    const ids = new Set(faceIds);
    const vectors: StoredVector[] = [];
    for (const space of this.#spaces.values()) {
      const tagged = space.index.blocksTagged(tagsOf(ids));
      for (let first = 0; first < tagged.length; first += REWRITE_BLOCKS) {
        const blocks = await this.#open(space, tagged.slice(first, first + REWRITE_BLOCKS));
        for (const { faceId, embedding } of [...(blocks?.values() ?? [])].flatMap((block) => block.entries()))
          if (ids.has(faceId)) vectors.push({ faceId, model: space.model, embedding: embedding.slice() });
      }
    }
    return this.#closed ? null : { type: 'read', vectors };
  }

  status(): GalleryStatus {
    const spaces = [...this.#spaces.values()];
    return {
      size: this.size,
      models: spaces.filter(({ index }) => index.size > 0).map(({ model, index }) => ({ model, size: index.size })),
      memoryBytes: spaces.reduce((total, { index }) => total + index.memoryBytes, 0),
    };
  }

  /** Looks at the candidates' own vectors, those that may be nearest first, until no other can come in. */
  async #nearest(
    space: Space,
    { embedding, topK, threshold, subjectsOnly }: VectorQuery,
  ): Promise<VectorMatch[] | null> {
    const candidates = space.index.candidates(embedding, topK, threshold, subjectsOnly);
    const best = new BestMatches(topK);
    let next = 0;
    let step = Math.max(topK, RANK_STEP);
    while (next < candidates.length && candidates[next]!.upper >= best.floor) {
      const looked: Candidate[] = candidates.slice(next, next + step);
      const blocks = await this.#open(space, [...new Set(looked.map(({ blockId }) => blockId))]);
      if (blocks === null) return null;
      for (const { blockId, at, upper } of looked) {
        if (upper < best.floor) break;
        const block = blocks.get(blockId)!;
        const similarity = cosine(embedding, block.embedding(at));
        if (similarity < threshold || similarity < best.floor) continue;
        best.offer({ faceId: block.faceId(at), subject: block.subject(at), similarity });
      }
      next += step;
      step = RANK_STEP;
    }
    return best.sorted();
  }

  /** Which of these ids are stored, in the blocks that have their tags. */
  async #storedIds(space: Space, faceIds: ReadonlySet<string>): Promise<Set<string>> {
    const stored = new Set<string>();
    const tagged = space.index.blocksTagged(tagsOf(faceIds));
    for (let first = 0; first < tagged.length; first += REWRITE_BLOCKS) {
      const blocks = await this.#open(space, tagged.slice(first, first + REWRITE_BLOCKS));
      for (const block of blocks?.values() ?? []) {
        for (let at = 0; at < block.size; at++) {
          const faceId = block.faceId(at);
          if (faceIds.has(faceId)) stored.add(faceId);
        }
      }
    }
    return stored;
  }

  /**
   * Rewrites the next of the tagged blocks without the faces. Those that become half empty are put together, with another of that kind
   * that is not yet to be looked at itself.
   */
  async #removeFrom(
    space: Space,
    tagged: readonly number[],
    first: number,
    faceIds: ReadonlySet<string>,
  ): Promise<string[] | null> {
    const opened = await this.#open(space, tagged.slice(first, first + REWRITE_BLOCKS));
    if (opened === null) return null;
    const removed: string[] = [];
    const changed: { id: number; entries: BlockEntry[] }[] = [];
    for (const [id, block] of opened) {
      const entries = block.entries();
      const kept = entries.filter(({ faceId }) => !faceIds.has(faceId));
      if (kept.length === entries.length) continue;
      changed.push({ id, entries: kept });
      for (const { faceId } of entries) if (faceIds.has(faceId)) removed.push(faceId);
    }
    const sparse = changed.filter(({ entries }) => entries.length <= SPARSE_VECTORS_MAX);
    if (sparse.length > 0) {
      const other = space.index.blocksUpTo(SPARSE_VECTORS_MAX).find((id) => !tagged.includes(id));
      const block = other === undefined ? undefined : (await this.#open(space, [other]))?.get(other);
      if (block !== undefined) sparse.push({ id: other!, entries: block.entries() });
    }
    const dense = changed.filter(({ entries }) => entries.length > SPARSE_VECTORS_MAX);
    const packed = packBlocks(
      sparse.map(({ id }) => id),
      sparse.flatMap(({ entries }) => entries),
    );
    const written = await this.#write(space, { blocks: [...packed.blocks, ...dense], emptied: packed.emptied });
    return written ? removed : null;
  }

  /** False when the shard was closed meanwhile. */
  async #write(space: Space, { blocks, emptied }: Packed): Promise<boolean> {
    const plain = blocks.map(({ id, entries }) => ({
      id: id ?? ++this.#lastBlockId,
      bytes: encodeBlock(entries, space.model.dimensions),
    }));
    const written = await Promise.all(
      plain.map(async ({ id, bytes }) => {
        const sealed = await this.#parts.key.seal(bytes, this.#context(space.model, id));
        return { id, modelId: space.id, sealed };
      }),
    );
    if (this.#closed) return false;
    const known = this.#parts.store.models().some(({ id }) => id === space.id);
    this.#parts.store.commit({ models: known ? [] : [space], written, deleted: emptied });
    for (const { id, bytes } of plain) space.index.hold(id, new OpenedBlock(bytes));
    for (const id of emptied) space.index.drop(id);
    return true;
  }

  /** Null when the shard was closed meanwhile. */
  async #open(space: Space, blockIds: readonly number[]): Promise<Map<number, OpenedBlock> | null> {
    if (this.#closed) return null;
    const { store } = this.#parts;
    const opened = await Promise.all(
      blockIds.map(async (id) => [id, await this.#unseal(space, id, store.read(id) ?? new Uint8Array())] as const),
    );
    return this.#closed ? null : new Map(opened);
  }

  async #unseal({ model }: Space, id: number, sealed: Uint8Array): Promise<OpenedBlock> {
    const plain = await this.#parts.key.open(sealed, this.#context(model, id));
    if (plain === null) throw new Error('a block of the gallery does not open: of another key, or damaged');
    return new OpenedBlock(plain);
  }

  #context({ name, version, dimensions }: EmbeddingModel, blockId: number): SealContext {
    return ['vectors', this.#parts.collectionId, `${blockId}`, name, version, `${dimensions}`];
  }

  #nextModelId(): number {
    return 1 + Math.max(0, ...[...this.#spaces.values()].map(({ id }) => id));
  }

  #takeSpace({ id, model }: StoredModel): Space {
    const space = { id, model, index: new VectorIndex(this.#parts.instantiateKernel(), model.dimensions) };
    this.#spaces.set(spaceKey(model), space);
    return space;
  }

  /** A shard is full by its number of vectors and, where they are wide, by their components. */
  #hasRoomFor({ dimensions }: EmbeddingModel, count: number): boolean {
    const { vectorsMax } = this.#parts;
    let components = count * dimensions;
    for (const { index, model } of this.#spaces.values()) components += index.size * model.dimensions;
    return count === 0 || (this.size + count <= vectorsMax && components <= vectorsMax * USUAL_DIMENSIONS);
  }
}

const USUAL_DIMENSIONS = 128;
const LOAD_BLOCKS = 64;
const REWRITE_BLOCKS = 64;
const RANK_STEP = 8;
const SPARSE_VECTORS_MAX = BLOCK_VECTORS / 2;

function spaceKey({ name, version, dimensions }: EmbeddingModel): string {
  return JSON.stringify([name, version, dimensions]);
}

function tagsOf(faceIds: ReadonlySet<string>): Set<number> {
  const encoder = new TextEncoder();
  return new Set([...faceIds].map((faceId) => idTag(encoder.encode(faceId))));
}
