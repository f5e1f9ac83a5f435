import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';

/** Where sealed blocks lie. */
export interface BlockStore {
  models(): readonly StoredModel[];
  /** In order of their ids, those above `after`, at most `limit`. */
  page(after: number, limit: number): readonly SealedBlock[];
  read(id: number): Uint8Array | null;
  /** All of it or nothing. A block with the id of a stored one takes its place. */
  commit(changes: {
    models?: readonly StoredModel[];
    written?: readonly SealedBlock[];
    deleted?: readonly number[];
  }): void;
}

export interface StoredModel {
  readonly id: number;
  readonly model: EmbeddingModel;
}

export interface SealedBlock {
  readonly id: number;
  readonly modelId: number;
  readonly sealed: Uint8Array;
}
