import type { BlockStore, SealedBlock, StoredModel } from './shard/block-store.ts';

/** The blocks in the object's own SQLite. Only models and the blocks' numbers stand there in the clear. */
export class SqlBlockStore implements BlockStore {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS models (
        id INTEGER PRIMARY KEY, name TEXT NOT NULL, version TEXT NOT NULL, dimensions INTEGER NOT NULL,
        UNIQUE (name, version, dimensions)
      ) STRICT;
      CREATE TABLE IF NOT EXISTS blocks (
        id INTEGER PRIMARY KEY, model INTEGER NOT NULL REFERENCES models, sealed BLOB NOT NULL
      ) STRICT;
    `);
  }

  models(): StoredModel[] {
    return this.#storage.sql
      .exec<{ id: number; name: string; version: string; dimensions: number }>('SELECT * FROM models ORDER BY id')
      .toArray()
      .map(({ id, ...model }) => ({ id, model }));
  }

  page(after: number, limit: number): SealedBlock[] {
    return this.#storage.sql
      .exec<{ id: number; model: number; sealed: ArrayBuffer }>(
        'SELECT id, model, sealed FROM blocks WHERE id > ? ORDER BY id LIMIT ?',
        after,
        limit,
      )
      .toArray()
      .map(({ id, model, sealed }) => ({ id, modelId: model, sealed: new Uint8Array(sealed) }));
  }

  read(id: number): Uint8Array | null {
    const [row] = this.#storage.sql
      .exec<{ sealed: ArrayBuffer }>('SELECT sealed FROM blocks WHERE id = ?', id)
      .toArray();
    return row === undefined ? null : new Uint8Array(row.sealed);
  }

  commit({ models = [], written = [], deleted = [] }: Parameters<BlockStore['commit']>[0]): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const { id, model } of models) {
        sql.exec('INSERT INTO models VALUES (?, ?, ?, ?)', id, model.name, model.version, model.dimensions);
      }
      for (const { id, modelId, sealed } of written) {
        sql.exec('INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)', id, modelId, sealed);
      }
      for (const id of deleted) sql.exec('DELETE FROM blocks WHERE id = ?', id);
    });
  }
}
