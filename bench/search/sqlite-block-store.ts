import { DatabaseSync, type StatementSync } from 'node:sqlite';
import type { BlockStore, SealedBlock, StoredModel } from '../../durable-objects/gallery/shard/block-store.ts';

/** The gallery's blocks in a SQLite file, as the object has them in its own. */
export class SqliteBlockStore implements BlockStore {
  readonly #db: DatabaseSync;
  readonly #models: StoredModel[] = [];
  readonly #read: StatementSync;

  constructor(file: string) {
    this.#db = new DatabaseSync(file);
    this.#db.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF');
    this.#db.exec('CREATE TABLE blocks (id INTEGER PRIMARY KEY, model INTEGER NOT NULL, sealed BLOB NOT NULL) STRICT');
    this.#read = this.#db.prepare('SELECT sealed FROM blocks WHERE id = ?');
  }

  models(): readonly StoredModel[] {
    return this.#models;
  }

  page(after: number, limit: number): SealedBlock[] {
    return this.#db
      .prepare('SELECT id, model AS modelId, sealed FROM blocks WHERE id > ? ORDER BY id LIMIT ?')
      .all(after, limit) as unknown as SealedBlock[];
  }

  read(id: number): Uint8Array | null {
    return (this.#read.get(id)?.sealed as Uint8Array | undefined) ?? null;
  }

  commit({ models = [], written = [], deleted = [] }: Parameters<BlockStore['commit']>[0]): void {
    this.#models.push(...models.map(({ id, model }) => ({ id, model })));
    this.#db.exec('BEGIN');
    const write = this.#db.prepare('INSERT OR REPLACE INTO blocks VALUES (?, ?, ?)');
    for (const { id, modelId, sealed } of written) write.run(id, modelId, sealed);
    const remove = this.#db.prepare('DELETE FROM blocks WHERE id = ?');
    for (const id of deleted) remove.run(id);
    this.#db.exec('COMMIT');
  }

  close(): void {
    this.#db.close();
  }
}
