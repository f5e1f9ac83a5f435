import type { BookConfig } from '../../../data/markets/book-config.ts';
import { chunkOf, chunkText } from '../../../domain/ledger/batch-text.ts';
import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import { LongTexts } from '../../storage/long-texts.ts';
import type { BookSnapshot } from '../cycle/book-state.ts';
import { BOOK_CODE, type BookCode, type EngineVersion, engineVersionOf, versionFailure } from './engine-version.ts';
import { CHAIN_START, type ChainPoint, effectsHash, endFailure, rowFailure, rowHash } from './journal-chain.ts';
import type { JournalEntry } from './journal-entry.ts';
import { journalEntryOf, journalText } from './journal-text.ts';
import { ENGINE_ORDERS, LEDGER_ORDERS } from './snapshot-text.ts';

/**
 * A snapshot is written after so many journaled commands, which bounds replay, and after as many as there are live orders: it costs as much as
 * they do, so that a command's share of it is bounded, too.
 */
const SNAPSHOT_COMMANDS = 50_000;
/** Journal rows older than the last snapshot are kept until there are more commands than this behind it. */
const JOURNAL_COMMANDS_KEPT = 2_000_000;

export interface OutboxRow {
  readonly seq: number;
  readonly chunk: SettlementChunk;
}

/** A row as replay takes it. */
export type JournaledRow =
  | {
      readonly type: 'entry';
      readonly seq: number;
      /** The version that it was run by. */
      readonly version: EngineVersion;
      readonly entry: JournalEntry;
      /** Whether these are the effects that the entry had when it was journaled. */
      gave(chunks: readonly SettlementChunk[]): boolean;
    }
  /** Nothing follows: the journal is not what was written. */
  | { readonly type: 'broken'; readonly reason: string };

export interface Restored {
  /** The version that the snapshot was taken under; of a book without one, that of the code. */
  readonly version: EngineVersion;
  readonly snapshot: BookSnapshot | undefined;
  /** Rows after the snapshot, in order. */
  readonly rows: IterableIterator<JournaledRow>;
  readonly outbox: OutboxRow[];
}

/** The end of the journal, kept apart from its rows so that missing ones are missed. */
interface JournalEnd extends ChainPoint {
  /** The last batch of the ledger that a row belongs to. */
  readonly batch: number;
}

interface SnapshotPoint extends ChainPoint {
  readonly engine: number;
}

/**
 * The book's durable memory in the object's own SQLite: journal of cycles, outbox of effects that the ledger does not have yet,
 * snapshots. Every write of a cycle happens in one synchronous transaction; answers wait for it through the output gate.
 */
export class Journal {
  readonly #code: BookCode;
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #texts: LongTexts;
  #end: JournalEnd = { ...CHAIN_START, batch: 0 };
  #outboxSeq = 0;
  #settledSeq = 0;
  #commandsSinceSnapshot = 0;
  #haltReason: string | null = null;

  constructor(storage: DurableObjectStorage, code = BOOK_CODE) {
    this.#code = code;
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#texts = new LongTexts(storage.sql);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, commands INTEGER NOT NULL, engine INTEGER NOT NULL,
        entry TEXT NOT NULL, effects TEXT NOT NULL, hash TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, chunk TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS snapshot (part INTEGER PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`);
  }

  get journaled(): number {
    return this.#end.seq;
  }

  get outboxEnd(): number {
    return this.#outboxSeq;
  }

  /** The last outbox row that the ledger was known to have. */
  get settledSeq(): number {
    return this.#settledSeq;
  }

  /** Whether effects stand here that the ledger does not have yet; true of a book that has not recovered, too. */
  get hasOutbox(): boolean {
    return this.#sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length > 0;
  }

  get lastBatch(): number {
    return this.#end.batch;
  }

  /** Why nothing must be read, or done, with this code: a snapshot or row is of a version that it does not have. Null when it has all. */
  versionFailure(): string | null {
    const snapshot = this.#meta<SnapshotPoint>('snapshot');
    const ofSnapshot = snapshot && versionFailure(this.#code, 'the snapshot', snapshot.engine);
    if (ofSnapshot) return ofSnapshot;
    const versions = this.#sql.exec<{ engine: number; seq: number }>(
      'SELECT engine, min(seq) AS seq FROM journal WHERE seq > ? GROUP BY engine ORDER BY seq',
      snapshot?.seq ?? 0,
    );
    for (const { engine, seq } of versions) {
      const failure = versionFailure(this.#code, `row ${seq} of the journal`, engine);
      if (failure !== null) return failure;
    }
    return null;
  }

  /** Reads everything again; only where `versionFailure` finds none. */
  restore(): Restored {
    const number = (query: string): number => (this.#sql.exec(query).one() as { n: number }).n;
    this.#end = this.#meta<JournalEnd>('end') ?? { ...CHAIN_START, batch: 0 };
    const snapshot = this.#meta<SnapshotPoint>('snapshot');
    this.#settledSeq = this.#meta<number>('settled') ?? 0;
    this.#outboxSeq = Math.max(this.#settledSeq, number('SELECT coalesce(max(seq), 0) AS n FROM outbox'));
    this.#commandsSinceSnapshot = number(
      `SELECT coalesce(sum(commands), 0) AS n FROM journal WHERE seq > ${snapshot?.seq ?? 0}`,
    );
    this.#haltReason = this.#meta<string>('halted') ?? null;
    return {
      version: snapshot === undefined ? this.#code.current : this.#versionOf(snapshot.engine),
      snapshot: snapshot === undefined ? undefined : this.#readSnapshot(),
      rows: this.#rowsAfter(snapshot ?? CHAIN_START),
      outbox: this.#sql
        .exec<{ seq: number; chunk: string }>('SELECT seq, chunk FROM outbox ORDER BY seq')
        .toArray()
        .map(({ seq, chunk }) => ({ seq, chunk: chunkOf(this.#texts.whole('outbox', seq, chunk)) })),
    };
  }

  /** The market as it was when the book last read it; null for a book that never did. */
  get config(): BookConfig | null {
    return this.#meta<BookConfig>('config') ?? null;
  }

  saveConfig(config: BookConfig): void {
    this.#setMeta('config', config);
  }

  /** Why the book stands still; null while it runs. */
  get haltReason(): string | null {
    return this.#haltReason;
  }

  halt(reason: string): void {
    this.#haltReason = reason;
    this.#setMeta('halted', reason);
  }

  /** An operator has looked: the book may try again. */
  resume(): void {
    this.#haltReason = null;
    this.#sql.exec(`DELETE FROM meta WHERE key = 'halted'`);
  }

  /** One cycle: the entry, its effects as outbox rows, and the alarm that drains them after a crash. Returns the outbox rows. */
  append(entry: JournalEntry, chunks: readonly SettlementChunk[], setAlarm: (() => void) | null): OutboxRow[] {
    const rows = chunks.map((chunk, index) => ({ seq: this.#outboxSeq + 1 + index, chunk }));
    const chunkTexts = chunks.map(chunkText);
    const row = {
      seq: this.#end.seq + 1,
      engine: this.#code.current.version,
      text: journalText(entry),
      effects: effectsHash(chunkTexts),
    };
    const end: JournalEnd = {
      seq: row.seq,
      hash: rowHash(row, this.#end),
      batch: entry.batch ?? this.#end.batch,
    };
    this.#storage.transactionSync(() => {
      this.#sql.exec(
        'INSERT INTO journal (seq, commands, engine, entry, effects, hash) VALUES (?, ?, ?, ?, ?, ?)',
        row.seq,
        entry.commands.length,
        row.engine,
        this.#texts.keep('journal', row.seq, row.text),
        row.effects,
        end.hash,
      );
      for (const [index, text] of chunkTexts.entries()) {
        const seq = this.#outboxSeq + 1 + index;
        this.#sql.exec('INSERT INTO outbox (seq, chunk) VALUES (?, ?)', seq, this.#texts.keep('outbox', seq, text));
      }
      this.#setMeta('end', end);
    });
    setAlarm?.();
    this.#end = end;
    this.#outboxSeq += rows.length;
    this.#commandsSinceSnapshot += entry.commands.length;
    return rows;
  }

  /** The ledger has everything up to this outbox row. */
  settled(seq: number): void {
    if (seq <= this.#settledSeq) return;
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM outbox WHERE seq <= ?', seq);
      this.#texts.forget('outbox', seq);
      this.#setMeta('settled', seq);
    });
    this.#settledSeq = seq;
  }

  wantsSnapshot(liveOrders: number): boolean {
    return this.#commandsSinceSnapshot >= Math.max(SNAPSHOT_COMMANDS, liveOrders);
  }

  writeSnapshot(snapshot: BookSnapshot): void {
    const { engine, orders, ...head } = snapshot;
    const { orders: engineOrders, ...engineHead } = engine;
    const { seq, hash } = this.#end;
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM snapshot');
      this.#texts.forget('snapshot', Number.MAX_SAFE_INTEGER);
      let part = 0;
      const put = (kind: string, text: string): void => {
        const first = this.#texts.keep('snapshot', part, text);
        this.#sql.exec('INSERT INTO snapshot (part, kind, data) VALUES (?, ?, ?)', part, kind, first);
        part += 1;
      };
      put('head', JSON.stringify({ ...head, engine: engineHead }));
      for (const text of ENGINE_ORDERS.texts(engineOrders)) put(ENGINE_ORDERS.kind, text);
      for (const text of LEDGER_ORDERS.texts(orders)) put(LEDGER_ORDERS.kind, text);
      this.#setMeta('snapshot', { seq, hash, engine: this.#code.current.version } satisfies SnapshotPoint);
      this.#prune();
    });
    this.#commandsSinceSnapshot = 0;
  }

  /** Rows after a snapshot, each held against the one before. */
  *#rowsAfter(snapshot: ChainPoint): IterableIterator<JournaledRow> {
    const kept = this.#sql.exec<{ seq: number; engine: number; entry: string; effects: string; hash: string }>(
      'SELECT seq, engine, entry, effects, hash FROM journal WHERE seq > ? ORDER BY seq',
      snapshot.seq,
    );
    let last: ChainPoint = snapshot;
    for (const { seq, engine, entry, effects, hash } of kept) {
      const text = this.#texts.whole('journal', seq, entry);
      const reason = rowFailure({ seq, engine, text, effects, hash }, last);
      if (reason !== null) {
        yield { type: 'broken', reason };
        return;
      }
      last = { seq, hash };
      const gave = (chunks: readonly SettlementChunk[]): boolean => effectsHash(chunks.map(chunkText)) === effects;
      yield { type: 'entry', seq, version: this.#versionOf(engine), entry: journalEntryOf(text), gave };
    }
    const reason = endFailure(last, this.#end);
    if (reason !== null) yield { type: 'broken', reason };
  }

  #versionOf(version: number): EngineVersion {
    const found = engineVersionOf(this.#code, version);
    if (found === undefined) throw new Error(`engine version ${version} is not known to this code`);
    return found;
  }

  #readSnapshot(): BookSnapshot {
    const orders: BookSnapshot['orders'][number][] = [];
    const engineOrders: BookSnapshot['engine']['orders'][number][] = [];
    let head:
      | (Omit<BookSnapshot, 'orders' | 'engine'> & { engine: Omit<BookSnapshot['engine'], 'orders'> })
      | undefined;
    for (const row of this.#sql.exec<{ part: number; kind: string; data: string }>(
      'SELECT part, kind, data FROM snapshot ORDER BY part',
    )) {
      const text = this.#texts.whole('snapshot', row.part, row.data);
      if (row.kind === ENGINE_ORDERS.kind) for (const order of ENGINE_ORDERS.of(text)) engineOrders.push(order);
      else if (row.kind === LEDGER_ORDERS.kind) for (const order of LEDGER_ORDERS.of(text)) orders.push(order);
      else head = JSON.parse(text);
    }
    if (head === undefined) throw new Error('the snapshot has no head');
    return { ...head, engine: { ...head.engine, orders: engineOrders }, orders };
  }

  #prune(): void {
    this.#sql.exec(
      `DELETE FROM journal WHERE seq <= (SELECT coalesce(max(seq), 0) FROM
         (SELECT seq, sum(commands) OVER (ORDER BY seq DESC) AS behind FROM journal) WHERE behind > ?)`,
      JOURNAL_COMMANDS_KEPT,
    );
    const kept = this.#sql.exec('SELECT coalesce(min(seq), 0) AS n FROM journal').one() as { n: number };
    this.#texts.forget('journal', kept.n - 1);
  }

  #meta<Value>(key: string): Value | undefined {
    const row = this.#sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', key).toArray()[0];
    return row === undefined ? undefined : (JSON.parse(row.value) as Value);
  }

  #setMeta(key: string, value: unknown): void {
    this.#sql.exec(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      JSON.stringify(value),
    );
  }
}
