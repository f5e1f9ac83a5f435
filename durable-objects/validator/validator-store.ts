import type { Hash } from '../../domain/consensus/bytes.ts';
import type { SignedCheckpoint } from '../../domain/consensus/checkpoints/checkpoint-vote.ts';
import { type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import type {
  BelievedCommittee,
  CommitteeVote,
  MemberMemory,
  NamedCommittee,
} from '../../domain/consensus/member-host.ts';
import type { VotedFor } from '../../domain/consensus/validator.ts';

type BelievedRow = Record<string, SqlStorageValue> & {
  readonly committee: string;
  readonly before: string | null;
  readonly at: number;
};
type NamedRow = Record<string, SqlStorageValue> & NamedCommittee;
type SignedRow = Record<string, SqlStorageValue> & { readonly number: number; readonly hash: string };

/** A member's memory in its object's SQLite. Nothing of it is ever taken away. */
export class ValidatorStore implements MemberMemory {
  readonly #sql: SqlStorage;
  /** Read once: it is asked for at each question. */
  #believed: readonly BelievedCommittee[];

  constructor({ sql }: DurableObjectStorage) {
    this.#sql = sql;
    sql.exec(`
      CREATE TABLE IF NOT EXISTS seeds (epoch INTEGER PRIMARY KEY, seed BLOB NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS committees (epoch INTEGER PRIMARY KEY, hash TEXT NOT NULL UNIQUE, committee TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS believed_steps (hash TEXT PRIMARY KEY, committee TEXT NOT NULL, before TEXT, at INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS named_steps (before TEXT NOT NULL, next TEXT NOT NULL, strangers INTEGER NOT NULL, at INTEGER NOT NULL,
        PRIMARY KEY (before, next)) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS signed (kind TEXT NOT NULL, committee TEXT NOT NULL, number INTEGER NOT NULL, hash TEXT NOT NULL,
        PRIMARY KEY (kind, committee)) STRICT, WITHOUT ROWID`);
    const rows = sql.exec<BelievedRow>('SELECT committee, before, at FROM believed_steps ORDER BY rowid');
    this.#believed = Array.from(rows, ({ committee, before, at }) => ({
      committee: JSON.parse(committee) as Committee,
      before,
      at,
    }));
  }

  seed(epoch: number): Uint8Array | null {
    const [row] = this.#sql.exec<{ seed: ArrayBuffer }>('SELECT seed FROM seeds WHERE epoch = ?', epoch).toArray();
    return row === undefined ? null : new Uint8Array(row.seed);
  }

  makeSeed(epoch: number): Uint8Array {
    const seed = crypto.getRandomValues(new Uint8Array(32));
    this.#sql.exec('INSERT INTO seeds VALUES (?, ?)', epoch, seed.buffer);
    return seed;
  }

  get seeds(): number {
    return this.#sql.exec<{ count: number }>('SELECT count(*) AS count FROM seeds').one().count;
  }

  meets(committee: Committee): boolean {
    const { epoch } = committee;
    const hash = committeeHash(committee);
    this.#sql.exec('INSERT OR IGNORE INTO committees VALUES (?, ?, ?)', epoch, hash, JSON.stringify(committee));
    return this.#sql.exec<{ hash: string }>('SELECT hash FROM committees WHERE epoch = ?', epoch).one().hash === hash;
  }

  believe(step: BelievedCommittee): void {
    const hash = committeeHash(step.committee);
    const text = JSON.stringify(step.committee);
    this.#sql.exec('INSERT OR REPLACE INTO believed_steps VALUES (?, ?, ?, ?)', hash, text, step.before, step.at);
    this.#believed = [...this.#believed.filter(({ committee }) => committeeHash(committee) !== hash), step];
  }

  believed(): readonly BelievedCommittee[] {
    return this.#believed;
  }

  keepNamed({ before, next, strangers, at }: NamedCommittee): void {
    this.#sql.exec(
      `INSERT INTO named_steps VALUES (?, ?, ?, ?)
       ON CONFLICT DO UPDATE SET strangers = excluded.strangers, at = min(at, excluded.at)`,
      before,
      next,
      strangers,
      at,
    );
  }

  namedAfter(before: Hash): readonly NamedCommittee[] {
    const query = 'SELECT before, next, strangers, at FROM named_steps WHERE before = ?';
    return this.#sql.exec<NamedRow>(query, before).toArray();
  }

  get hasVoted(): boolean {
    return this.#sql.exec("SELECT 1 FROM signed WHERE kind = 'block' LIMIT 1").toArray().length > 0;
  }

  lastVote(): CommitteeVote | null {
    const [row] = this.#sql
      .exec<{ epoch: number; number: number; hash: string }>(
        `SELECT c.epoch, s.number, s.hash FROM committees c JOIN signed s ON s.kind = 'block' AND s.committee = c.hash
         ORDER BY c.epoch DESC LIMIT 1`,
      )
      .toArray();
    return row === undefined ? null : { epoch: row.epoch, height: row.number, hash: row.hash };
  }

  keepVote(committee: Hash, { height, hash }: VotedFor): void {
    this.#keep('block', committee, height, hash);
  }

  checkpoint(committee: Hash): SignedCheckpoint | null {
    return this.#signed('checkpoint', committee);
  }

  keepCheckpoint(committee: Hash, { number, hash }: SignedCheckpoint): void {
    this.#keep('checkpoint', committee, number, hash);
  }

  #signed(kind: string, committee: Hash): SignedCheckpoint | null {
    const query = 'SELECT number, hash FROM signed WHERE kind = ? AND committee = ?';
    return this.#sql.exec<SignedRow>(query, kind, committee).toArray()[0] ?? null;
  }

  #keep(kind: string, committee: Hash, number: number, hash: Hash): void {
    this.#sql.exec('INSERT OR REPLACE INTO signed VALUES (?, ?, ?, ?)', kind, committee, number, hash);
  }
}
