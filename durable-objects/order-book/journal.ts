import { chunkOf, chunkText, packChunk } from '../../data/ledger/packed-chunk.ts';
import type { SentChunk, SettlementChunk } from '../../data/ledger/rows.ts';
import type { BookSnapshot } from './book-state.ts';
import { digest } from './digest.ts';
import type { JournalEntry } from './journal-entry.ts';
import { journalEntryOf, journalText } from './journal-text.ts';
import type { BookMarket } from './ledger-order.ts';
import { LongTexts } from './long-texts.ts';

/** A snapshot is written at least every so many journaled commands, which bounds replay. */
const SNAPSHOT_COMMANDS = 50_000;
/** Journal rows older than the last snapshot are kept until there are more commands than this behind it. */
const JOURNAL_COMMANDS_KEPT = 2_000_000;
/** Orders per snapshot row. */
const SNAPSHOT_ORDERS_PER_ROW = 2_000;
/** Raised whenever the same entry would give other effects, or a hash covers another text of the same effects. */
const ENGINE_VERSION = 2;
/** Its effects are those of today; its hashes cover rows that were not packed. Journals of any other version are refused. */
const ENGINE_VERSION_OF_WHOLE_ROWS = 1;

export interface OutboxRow {
  readonly seq: number;
  readonly chunk: SentChunk;
}

interface JournaledEntry {
  readonly entry: JournalEntry;
  /** Whether these are the effects that the entry had when it was journaled. */
  gave(chunks: readonly SettlementChunk[]): boolean;
}

export interface Restored {
  readonly snapshot: BookSnapshot | undefined;
  /** Rows after the snapshot, in order. */
  readonly entries: IterableIterator<JournaledEntry>;
  readonly outbox: OutboxRow[];
  readonly lastBatch: number;
}

/**
 * The book's durable memory in the object's own SQLite: journal of cycles, outbox of effects that D1 does not have yet, snapshots.
 * Every write of a cycle happens in one synchronous transaction; answers wait for it through the output gate.
 */
export class Journal {
  readonly #storage: DurableObjectStorage;
  readonly #sql: SqlStorage;
  readonly #texts: LongTexts;
  #seq = 0;
  #outboxSeq = 0;
  #lastBatch = 0;
  #commandsSinceSnapshot = 0;
  #haltReason: string | null = null;

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage;
    this.#sql = storage.sql;
    this.#texts = new LongTexts(storage.sql);
    this.#sql.exec(`
      CREATE TABLE IF NOT EXISTS journal (seq INTEGER PRIMARY KEY, batch INTEGER, commands INTEGER NOT NULL, engine INTEGER NOT NULL,
        entry TEXT NOT NULL, hash TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS outbox (seq INTEGER PRIMARY KEY, chunk TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS snapshot (part INTEGER PRIMARY KEY, kind TEXT NOT NULL, data TEXT NOT NULL);
      CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL)`);
  }

  get journaled(): number {
    return this.#seq;
  }

  get outboxEnd(): number {
    return this.#outboxSeq;
  }

  /** Whether effects stand here that the ledger does not have yet; true of a book that has not recovered, too. */
  get hasOutbox(): boolean {
    return this.#sql.exec('SELECT 1 FROM outbox LIMIT 1').toArray().length > 0;
  }

  get lastBatch(): number {
    return this.#lastBatch;
  }

  restore(): Restored {
    const number = (query: string): number => (this.#sql.exec(query).one() as { n: number }).n;
    this.#seq = number('SELECT coalesce(max(seq), 0) AS n FROM journal');
    const snapshotSeq = Number(this.#meta('snapshot_seq') ?? 0);
    this.#outboxSeq = Math.max(
      Number(this.#meta('outbox_seq') ?? 0),
      number('SELECT coalesce(max(seq), 0) AS n FROM outbox'),
    );
    this.#lastBatch = number('SELECT coalesce(max(batch), 0) AS n FROM journal');
    this.#commandsSinceSnapshot = number(
      `SELECT coalesce(sum(commands), 0) AS n FROM journal WHERE seq > ${snapshotSeq}`,
    );
    this.#haltReason = this.#meta('halted') ?? null;
    return {
      snapshot: snapshotSeq === 0 ? undefined : this.#readSnapshot(),
      entries: this.#entriesAfter(snapshotSeq),
      outbox: this.#sql
        .exec<{ seq: number; chunk: string }>('SELECT seq, chunk FROM outbox ORDER BY seq')
        .toArray()
        .map(({ seq, chunk }) => ({ seq, chunk: sentChunk(chunkOf(this.#texts.whole('outbox', seq, chunk))) })),
      lastBatch: this.#lastBatch,
    };
  }

  /** The market as it was when the book last started; null for a book that never did. */
  get market(): BookMarket | null {
    const market = this.#meta('market');
    return market === undefined ? null : (JSON.parse(market) as BookMarket);
  }

  saveMarket({ symbol, baseAsset, quoteAsset, priceScale, quantityScale, quoteScale, tracksLots }: BookMarket): void {
    const market = { symbol, baseAsset, quoteAsset, priceScale, quantityScale, quoteScale, tracksLots };
    this.#setMeta('market', JSON.stringify(market));
  }

  /** Why the book stands still; null while it runs. */
  get haltReason(): string | null {
    return this.#haltReason;
  }

  halt(reason: string): void {
    this.#haltReason = reason;
    this.#setMeta('halted', reason);
  }

  /** One cycle: the entry, its effects as outbox rows, and the alarm that drains them after a crash. Returns the outbox rows. */
  append(entry: JournalEntry, chunks: readonly SettlementChunk[], setAlarm: (() => void) | null): OutboxRow[] {
    const rows = chunks.map((chunk, index) => ({ seq: this.#outboxSeq + 1 + index, chunk: sentChunk(chunk) }));
    const texts = rows.map(({ chunk }) => chunkText(chunk.packed));
    this.#storage.transactionSync(() => {
      this.#sql.exec(
        'INSERT INTO journal (seq, batch, commands, engine, entry, hash) VALUES (?, ?, ?, ?, ?, ?)',
        this.#seq + 1,
        entry.batch,
        entry.commands.length,
        ENGINE_VERSION,
        this.#texts.keep('journal', this.#seq + 1, journalText(entry)),
        hashOfTexts(texts),
      );
      for (const [index, text] of texts.entries()) {
        const seq = this.#outboxSeq + 1 + index;
        this.#sql.exec('INSERT INTO outbox (seq, chunk) VALUES (?, ?)', seq, this.#texts.keep('outbox', seq, text));
      }
    });
    setAlarm?.();
    this.#seq += 1;
    this.#outboxSeq += rows.length;
    if (entry.batch !== null) this.#lastBatch = entry.batch;
    this.#commandsSinceSnapshot += entry.commands.length;
    return rows;
  }

  /** D1 has everything up to this outbox row. */
  settled(seq: number): void {
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM outbox WHERE seq <= ?', seq);
      this.#texts.forget('outbox', seq);
      this.#setMeta('outbox_seq', String(seq));
    });
  }

  get wantsSnapshot(): boolean {
    return this.#commandsSinceSnapshot >= SNAPSHOT_COMMANDS;
  }

  writeSnapshot(snapshot: BookSnapshot): void {
    const { orders: engineOrders, ...engine } = snapshot.engine;
    this.#storage.transactionSync(() => {
      this.#sql.exec('DELETE FROM snapshot');
      this.#texts.forget('snapshot', Number.MAX_SAFE_INTEGER);
      let part = 0;
      const put = (kind: string, data: unknown): void => {
        const text = this.#texts.keep('snapshot', part, JSON.stringify(data));
        this.#sql.exec('INSERT INTO snapshot (part, kind, data) VALUES (?, ?, ?)', part, kind, text);
        part += 1;
      };
      put('head', { time: snapshot.time, engine, view: snapshot.view });
      for (let i = 0; i < engineOrders.length; i += SNAPSHOT_ORDERS_PER_ROW) {
        put('engine', engineOrders.slice(i, i + SNAPSHOT_ORDERS_PER_ROW));
      }
      for (let i = 0; i < snapshot.orders.length; i += SNAPSHOT_ORDERS_PER_ROW) {
        put('orders', snapshot.orders.slice(i, i + SNAPSHOT_ORDERS_PER_ROW));
      }
      this.#setMeta('snapshot_seq', String(this.#seq));
      this.#prune();
    });
    this.#commandsSinceSnapshot = 0;
  }

  /** The journal from its first kept row, for recording and audit. */
  *#entriesAfter(seq: number): IterableIterator<JournaledEntry> {
    const rows = this.#sql.exec<{ seq: number; entry: string; hash: string; engine: number }>(
      'SELECT seq, entry, hash, engine FROM journal WHERE seq > ? ORDER BY seq',
      seq,
    );
    for (const row of rows) {
      const { engine, hash } = row;
      if (engine !== ENGINE_VERSION && engine !== ENGINE_VERSION_OF_WHOLE_ROWS) {
        throw new Error(`the journal was written by engine version ${engine}`);
      }
      const textOf = (chunk: SettlementChunk): string =>
        engine === ENGINE_VERSION ? chunkText(packChunk(chunk)) : JSON.stringify(chunk);
      const entry = journalEntryOf(this.#texts.whole('journal', row.seq, row.entry));
      yield { entry, gave: (chunks) => hashOfTexts(chunks.map(textOf)) === hash };
    }
  }

  #readSnapshot(): BookSnapshot {
    const orders: BookSnapshot['orders'][number][] = [];
    const engineOrders: BookSnapshot['engine']['orders'][number][] = [];
    let head: (Pick<BookSnapshot, 'time' | 'view'> & { engine: Omit<BookSnapshot['engine'], 'orders'> }) | undefined;
    for (const row of this.#sql.exec<{ part: number; kind: string; data: string }>(
      'SELECT part, kind, data FROM snapshot ORDER BY part',
    )) {
      const data = JSON.parse(this.#texts.whole('snapshot', row.part, row.data));
      if (row.kind === 'head') head = data;
      else if (row.kind === 'engine') for (const order of data) engineOrders.push(order);
      else for (const order of data) orders.push(order);
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

  #meta(key: string): string | undefined {
    return this.#sql.exec<{ value: string }>('SELECT value FROM meta WHERE key = ?', key).toArray()[0]?.value;
  }

  #setMeta(key: string, value: string): void {
    this.#sql.exec(
      'INSERT INTO meta (key, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value',
      key,
      value,
    );
  }
}

function sentChunk(rows: SettlementChunk): SentChunk {
  return { rows, packed: packChunk(rows) };
}

/** What a journal row promises of its effects, given as text. */
function hashOfTexts(texts: readonly string[]): string {
  let hash = digest('');
  for (const text of texts) hash = digest(text, Number.parseInt(hash.slice(0, 8), 16));
  return hash;
}
