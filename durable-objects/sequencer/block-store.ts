import { type BlockHeader, blockHash } from '../../domain/consensus/block.ts';
import type { MadeBlock } from '../../domain/consensus/block-maker.ts';
import type { Hash } from '../../domain/consensus/bytes.ts';
import type { QuorumCertificate } from '../../domain/consensus/certificate.ts';
import { type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import type { Equivocation } from '../../domain/consensus/equivocation.ts';
import type { Handover, PublishedCommittee } from '../../domain/consensus/handover.ts';
import type { VotedFor } from '../../domain/consensus/validator.ts';
import type { Vote } from '../../domain/consensus/vote.ts';
import { CHAIN_START, type ChainLink } from '../../domain/ledger/journal-chain.ts';
import type { CommitteeMembers, ShownCommittee } from '../../protocol/receipts/committees-document.ts';
import type { MemberPlaces } from '../validator/api.ts';
import type { FinalEntries } from './api.ts';

/** Where an entry stands. */
export interface EntryPlace {
  readonly height: number;
  /** Its place among the block's leaves. */
  readonly index: number;
  readonly hash: Hash;
}

/**
 * The sequencer's memory in the object's own SQLite: blocks with what stands in them, certificates, committees, the last vote of each member that lives
 * here, how far the ledger's journal is read, and how far checkpoints are. Nothing of it is ever taken away.
 */
export class BlockStore {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  #last: BlockHeader | null;
  #final: BlockHeader | null;
  #read: ChainLink;
  #checkpointHeight: number;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS blocks (height INTEGER PRIMARY KEY, hash TEXT NOT NULL, header TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS entries (id TEXT PRIMARY KEY, trade TEXT NOT NULL, height INTEGER NOT NULL, place INTEGER NOT NULL, hash TEXT NOT NULL,
        UNIQUE (height, place)) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS certificates (height INTEGER PRIMARY KEY, certificate TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS committees (hash TEXT PRIMARY KEY, committee TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS formed (hash TEXT PRIMARY KEY, members TEXT, handover TEXT) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS member_places (hash TEXT PRIMARY KEY, places TEXT NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS votes (committee TEXT NOT NULL, member INTEGER NOT NULL, height INTEGER NOT NULL, hash TEXT NOT NULL,
        PRIMARY KEY (committee, member)) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS strays (committee TEXT NOT NULL, member INTEGER NOT NULL, vote TEXT NOT NULL, proof TEXT,
        PRIMARY KEY (committee, member)) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS checkpointed (one INTEGER PRIMARY KEY CHECK (one = 1), height INTEGER NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS journal_read (one INTEGER PRIMARY KEY CHECK (one = 1), seq INTEGER NOT NULL, hash TEXT NOT NULL) STRICT;
      CREATE TABLE IF NOT EXISTS first_blocks (committee TEXT PRIMARY KEY, height INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      CREATE TABLE IF NOT EXISTS handover_tries (hash TEXT PRIMARY KEY, tried INTEGER NOT NULL) STRICT, WITHOUT ROWID;
      INSERT OR IGNORE INTO formed SELECT hash, NULL, NULL FROM committees;
      INSERT OR IGNORE INTO first_blocks SELECT header ->> 'committee', min(height) FROM blocks
        WHERE NOT EXISTS (SELECT 1 FROM first_blocks) GROUP BY 1`);
    this.#last = this.#header('SELECT header FROM blocks ORDER BY height DESC LIMIT 1');
    this.#final = this.#header('SELECT header FROM blocks WHERE height = (SELECT max(height) FROM certificates)');
    this.#read =
      this.#sql.exec<{ seq: number; hash: string }>('SELECT seq, hash FROM journal_read').toArray()[0] ?? CHAIN_START;
    this.#checkpointHeight =
      this.#sql.exec<{ height: number }>('SELECT height FROM checkpointed').toArray()[0]?.height ?? 0;
  }

  /** The last block, whether it is final or not. */
  get last(): BlockHeader | null {
    return this.#last;
  }

  get final(): BlockHeader | null {
    return this.#final;
  }

  /** Of the last block that stands in a certified checkpoint. */
  get checkpointHeight(): number {
    return this.#checkpointHeight;
  }

  noteCheckpointed(height: number): void {
    if (height <= this.#checkpointHeight) return;
    this.#sql.exec('INSERT OR REPLACE INTO checkpointed VALUES (1, ?)', height);
    this.#checkpointHeight = height;
  }

  /** The last row of the journal that is in a block, or settles nothing. */
  get read(): ChainLink {
    return this.#read;
  }

  /** Adds blocks and moves on in the journal, both or neither. */
  append(made: readonly MadeBlock[], read: ChainLink): void {
    this.#storage.transactionSync(() => {
      let parent = this.#last;
      for (const { block, entries } of made) {
        const { header } = block;
        const { height, committee } = header;
        if (parent?.committee !== committee)
          this.#sql.exec('INSERT OR IGNORE INTO first_blocks VALUES (?, ?)', committee, height);
        parent = header;
        this.#sql.exec('INSERT INTO blocks VALUES (?, ?, ?)', height, blockHash(header), JSON.stringify(header));
        const rows = JSON.stringify(entries.map(({ id, tradeId, hash }) => [id, tradeId, hash]));
        this.#sql.exec(
          'INSERT INTO entries (id, trade, height, place, hash) SELECT value ->> 0, value ->> 1, ?, key, value ->> 2 FROM json_each(?)',
          height,
          rows,
        );
      }
      this.#sql.exec('INSERT OR REPLACE INTO journal_read VALUES (1, ?, ?)', read.seq, read.hash);
    });
    this.#last = made.at(-1)?.block.header ?? this.#last;
    this.#read = read;
  }

  /** Up to so many headers after the last final block that one committee votes on. */
  open(count: number): BlockHeader[] {
    const headers = this.#headers(this.#final?.height ?? 0, count);
    const other = headers.findIndex(({ committee }) => committee !== headers[0]?.committee);
    return other === -1 ? headers : headers.slice(0, other);
  }

  /** Keeps what proves a block final, and with it all before. */
  finalize(header: BlockHeader, certificate: QuorumCertificate): void {
    this.#sql.exec('INSERT INTO certificates VALUES (?, ?)', header.height, JSON.stringify(certificate));
    this.#final = header;
  }

  /** The first certificate over this block, or over one that stands on it; null while there is none. */
  certificateOver(height: number): QuorumCertificate | null {
    const [row] = this.#sql
      .exec<{ certificate: string }>(
        'SELECT certificate FROM certificates WHERE height >= ? ORDER BY height LIMIT 1',
        height,
      )
      .toArray();
    return row === undefined ? null : (JSON.parse(row.certificate) as QuorumCertificate);
  }

  /** Up to so many headers after a height that one committee has made final, as far as the last that has a certificate of its own. */
  certifiedAfter(after: number, count: number): { blocks: BlockHeader[]; certificate: QuorumCertificate } | null {
    const headers = this.#headers(after, count);
    const other = headers.findIndex(({ committee }) => committee !== headers[0]?.committee);
    const last = (other === -1 ? headers.at(-1) : headers[other - 1])?.height ?? after;
    const [row] = this.#sql
      .exec<{ height: number; certificate: string }>(
        'SELECT height, certificate FROM certificates WHERE height > ? AND height <= ? ORDER BY height DESC LIMIT 1',
        after,
        last,
      )
      .toArray();
    if (row === undefined) return null;
    return {
      blocks: headers.slice(0, row.height - after),
      certificate: JSON.parse(row.certificate) as QuorumCertificate,
    };
  }

  /** Headers from one height to another, both included. */
  headers(from: number, to: number): BlockHeader[] {
    return this.#headers(from - 1, to - from + 1);
  }

  hashes(height: number): Hash[] {
    const rows = this.#sql.exec<{ hash: string }>('SELECT hash FROM entries WHERE height = ? ORDER BY place', height);
    return Array.from(rows, ({ hash }) => hash);
  }

  place(id: string): EntryPlace | null {
    const [row] = this.#sql
      .exec<{ height: number; place: number; hash: string }>('SELECT height, place, hash FROM entries WHERE id = ?', id)
      .toArray();
    return row === undefined ? null : { height: row.height, index: row.place, hash: row.hash };
  }

  /** Entries of up to so many final blocks after a height. */
  finalEntries(after: number, blocks: number): FinalEntries {
    const height = Math.min(this.#final?.height ?? 0, after + blocks);
    if (height <= after) return { entries: [], height: after };
    const rows = this.#sql.exec<{ id: string; trade: string; hash: string }>(
      'SELECT id, trade, hash FROM entries WHERE height > ? AND height <= ? ORDER BY height, place',
      after,
      height,
    );
    return { entries: Array.from(rows, ({ id, trade, hash }) => ({ id, tradeId: trade, hash })), height };
  }

  /** Keeps a signed vote of a member for a block that is not of the chain: the first, unless that is of a height outside of these, and proves nothing. */
  keepStray(committee: Hash, vote: Vote, { from, to }: { readonly from: number; readonly to: number }): void {
    this.#sql.exec(
      `INSERT INTO strays VALUES (?, ?, ?, NULL) ON CONFLICT DO UPDATE SET vote = excluded.vote
       WHERE strays.proof IS NULL AND NOT strays.vote ->> 'height' BETWEEN ? AND ?`,
      committee,
      vote.member,
      JSON.stringify(vote),
      from,
      to,
    );
  }

  /** Those of a committee that prove nothing yet: its members may have voted for no other block. */
  openStrays(committee: Hash): Vote[] {
    const query = 'SELECT vote FROM strays WHERE committee = ? AND proof IS NULL';
    return Array.from(this.#sql.exec<{ vote: string }>(query, committee), ({ vote }) => JSON.parse(vote) as Vote);
  }

  keepEquivocation(committee: Hash, member: number, proof: Equivocation): void {
    const row = [JSON.stringify(proof), committee, member];
    this.#sql.exec('UPDATE strays SET proof = ? WHERE committee = ? AND member = ?', ...row);
  }

  /** Proofs against members of committees: up to so many. */
  equivocations(count: number): { readonly committee: Hash; readonly proof: Equivocation }[] {
    const rows = this.#sql.exec<{ committee: string; proof: string }>(
      'SELECT committee, proof FROM strays WHERE proof IS NOT NULL ORDER BY committee, member LIMIT ?',
      count,
    );
    return Array.from(rows, ({ committee, proof }) => ({ committee, proof: JSON.parse(proof) as Equivocation }));
  }

  /** Keeps a committee that is formed, with where its members live; no places of embedded ones. */
  keepCommittee(committee: Committee, members: CommitteeMembers, places: MemberPlaces | null): void {
    const hash = committeeHash(committee);
    this.#storage.transactionSync(() => {
      this.#sql.exec('INSERT OR IGNORE INTO committees VALUES (?, ?)', hash, JSON.stringify(committee));
      this.#sql.exec('INSERT OR IGNORE INTO formed VALUES (?, ?, NULL)', hash, members);
      if (places !== null) this.notePlaces(hash, places);
    });
  }

  /** Where the members of a committee live; null where that was not noted when it was formed. */
  membersOf(hash: Hash): CommitteeMembers | null {
    const query = 'SELECT members FROM formed WHERE hash = ?';
    return this.#sql.exec<{ members: CommitteeMembers | null }>(query, hash).toArray()[0]?.members ?? null;
  }

  /** Where each member of a committee was when it was the present one; null where that was not noted, and of embedded ones. */
  placesOf(hash: Hash): MemberPlaces | null {
    const query = 'SELECT places FROM member_places WHERE hash = ?';
    const [row] = this.#sql.exec<{ places: string }>(query, hash).toArray();
    return row === undefined ? null : (JSON.parse(row.places) as MemberPlaces);
  }

  /** Notes where the members of a committee are. */
  notePlaces(hash: Hash, places: MemberPlaces): void {
    this.#sql.exec('INSERT OR REPLACE INTO member_places VALUES (?, ?)', hash, JSON.stringify(places));
  }

  /** Committees with blocks that none before has named, though there is one: those that were not asked for the longest first, so many at most. */
  unnamed(count: number): Committee[] {
    const rows = this.#sql.exec<{ committee: string }>(
      `SELECT c.committee FROM committees c JOIN formed f ON f.hash = c.hash JOIN first_blocks b ON b.committee = c.hash
       LEFT JOIN handover_tries t ON t.hash = c.hash WHERE f.handover IS NULL AND b.height > 1
       ORDER BY coalesce(t.tried, 0), b.height LIMIT ?`,
      count,
    );
    return Array.from(rows, ({ committee }) => JSON.parse(committee) as Committee);
  }

  /** That a handover to a committee is asked for at this time, Unix ms. */
  noteHandoverTry(hash: Hash, tried: number): void {
    this.#sql.exec('INSERT OR REPLACE INTO handover_tries VALUES (?, ?)', hash, tried);
  }

  /** Whether a handover to a committee is kept. */
  isNamed(hash: Hash): boolean {
    const query = 'SELECT 1 FROM formed WHERE hash = ? AND handover IS NOT NULL';
    return this.#sql.exec(query, hash).toArray().length > 0;
  }

  keepHandover(hash: Hash, handover: Handover): void {
    this.#sql.exec(
      'UPDATE formed SET handover = ? WHERE hash = ? AND handover IS NULL',
      JSON.stringify(handover),
      hash,
    );
  }

  /** Committees from an epoch on, so many at most, in the order of their epochs. */
  committeesFrom(epoch: number, count: number): ShownCommittee[] {
    const rows = this.#sql.exec<{ committee: string; members: CommitteeMembers | null; handover: string | null }>(
      `SELECT c.committee, f.members, f.handover FROM committees c JOIN formed f ON f.hash = c.hash
       WHERE c.committee ->> 'epoch' >= ? ORDER BY c.committee ->> 'epoch' LIMIT ?`,
      epoch,
      count,
    );
    return Array.from(rows, ({ committee, members, handover }) => ({
      ...(JSON.parse(committee) as Committee),
      members,
      handover: handover === null ? null : (JSON.parse(handover) as Handover),
    }));
  }

  /** The last committees with blocks up to this epoch, and the one of it, with their handovers, in the order of their epochs; nothing where none of them has one. */
  namedUpTo(epoch: number, count: number): PublishedCommittee[] {
    const rows = this.#sql.exec<{ committee: string; handover: string | null }>(
      `SELECT c.committee, f.handover FROM committees c JOIN formed f ON f.hash = c.hash
       WHERE c.committee ->> 'epoch' <= ?1 AND (c.committee ->> 'epoch' = ?1 OR c.hash IN (SELECT committee FROM first_blocks))
       ORDER BY c.committee ->> 'epoch' DESC LIMIT ?2`,
      epoch,
      count,
    );
    const named = Array.from(rows, ({ committee, handover }) => {
      const { epoch, keys } = JSON.parse(committee) as Committee;
      return { epoch, keys, handover: handover === null ? null : (JSON.parse(handover) as Handover) };
    });
    return named.some(({ handover }) => handover !== null) ? named.reverse() : [];
  }

  /** The committee of the block before the first one of this committee, or before the next block where it has none yet; null for the first. */
  committeeBefore(hash: Hash): Committee | null {
    const [row] = this.#sql
      .exec<{ height: number }>('SELECT height FROM first_blocks WHERE committee = ?', hash)
      .toArray();
    const height = (row?.height ?? (this.#last?.height ?? 0) + 1) - 1;
    const [header] = this.#headers(height - 1, 1);
    return header === undefined || height < 1 ? null : this.committee(header.committee);
  }

  /** The one of an epoch; there is never another. */
  committeeOf(epoch: number): Committee | null {
    const [row] = this.#sql
      .exec<{ committee: string }>("SELECT committee FROM committees WHERE committee ->> 'epoch' = ?", epoch)
      .toArray();
    return row === undefined ? null : (JSON.parse(row.committee) as Committee);
  }

  committee(hash: Hash): Committee | null {
    const [row] = this.#sql
      .exec<{ committee: string }>('SELECT committee FROM committees WHERE hash = ?', hash)
      .toArray();
    return row === undefined ? null : (JSON.parse(row.committee) as Committee);
  }

  vote(committee: Hash, member: number): VotedFor | null {
    const [row] = this.#sql
      .exec<{ height: number; hash: string }>(
        'SELECT height, hash FROM votes WHERE committee = ? AND member = ?',
        committee,
        member,
      )
      .toArray();
    return row ?? null;
  }

  keepVote(committee: Hash, member: number, { height, hash }: VotedFor): void {
    this.#sql.exec('INSERT OR REPLACE INTO votes VALUES (?, ?, ?, ?)', committee, member, height, hash);
  }

  #headers(after: number, count: number): BlockHeader[] {
    const rows = this.#sql.exec<{ header: string }>(
      'SELECT header FROM blocks WHERE height > ? ORDER BY height LIMIT ?',
      after,
      count,
    );
    return Array.from(rows, ({ header }) => JSON.parse(header) as BlockHeader);
  }

  #header(query: string): BlockHeader | null {
    const [row] = this.#sql.exec<{ header: string }>(query).toArray();
    return row === undefined ? null : (JSON.parse(row.header) as BlockHeader);
  }
}
