import type { RecordChange, RecordKind, SignerMemory } from '../../domain/bridge/signing/memory/signer-memory.ts';

/** A signer's memory in its object's SQLite. All changes of one write are made, or none. */
export class SignerStore implements SignerMemory {
  readonly #storage: DurableObjectStorage;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    storage.sql.exec(`
      CREATE TABLE IF NOT EXISTS records (kind TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,
        PRIMARY KEY (kind, id)) STRICT, WITHOUT ROWID`);
  }

  read(kind: RecordKind, id: string): string | null {
    const query = 'SELECT text FROM records WHERE kind = ? AND id = ?';
    return this.#storage.sql.exec<{ text: string }>(query, kind, id).toArray()[0]?.text ?? null;
  }

  ids(kind: RecordKind): readonly string[] {
    const query = 'SELECT id FROM records WHERE kind = ?';
    return this.#storage.sql
      .exec<{ id: string }>(query, kind)
      .toArray()
      .map(({ id }) => id);
  }

  write(changes: readonly RecordChange[]): void {
    const { sql } = this.#storage;
    this.#storage.transactionSync(() => {
      for (const { kind, id, text } of changes) {
        if (text === null) sql.exec('DELETE FROM records WHERE kind = ? AND id = ?', kind, id);
        else sql.exec('INSERT OR REPLACE INTO records VALUES (?, ?, ?)', kind, id, text);
      }
    });
  }
}
