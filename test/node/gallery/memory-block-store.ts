import type { BlockStore, SealedBlock, StoredModel } from '../../../durable-objects/gallery/shard/block-store.ts';

/** Blocks where the gallery has its SQLite, for what runs in Node. */
export class MemoryBlockStore implements BlockStore {
  readonly #models: StoredModel[] = [];
  readonly #blocks = new Map<number, SealedBlock>();

  models(): readonly StoredModel[] {
    return this.#models;
  }

  page(after: number, limit: number): SealedBlock[] {
    const ids = [...this.#blocks.keys()].filter((id) => id > after).sort((a, b) => a - b);
    return ids.slice(0, limit).map((id) => this.#blocks.get(id)!);
  }

  read(id: number): Uint8Array | null {
    return this.#blocks.get(id)?.sealed ?? null;
  }

  commit({ models = [], written = [], deleted = [] }: Parameters<BlockStore['commit']>[0]): void {
    this.#models.push(...models.map(({ id, model }) => ({ id, model })));
    for (const block of written) this.#blocks.set(block.id, block);
    for (const id of deleted) this.#blocks.delete(id);
  }
}
