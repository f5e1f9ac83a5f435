import { type LastValues, project, readCursor } from '../../data/projection/project.ts';
import { JournalBroken, type StoredRow } from '../../domain/ledger/journal-chain.ts';
import type { JournalRow } from '../../domain/ledger/journal-row.ts';
import { rowOf } from '../../domain/ledger/row-text.ts';
import type { LedgerJournal } from './ledger-journal.ts';
import type { LedgerSettings } from './ledger-settings.ts';

const RETRY_DELAY_MS_MIN = 10;
const RETRY_DELAY_MS_MAX = 1_000;

/** Where the projection can be killed; tests kill it at each. */
export type ProjectPoint = 'before_project' | 'after_project';

/** What the projector needs of the object that it runs in. */
export interface ProjectorHost {
  readonly d1: D1Database;
  readonly shard: string;
  readonly journal: LedgerJournal;
  readonly settings: LedgerSettings;
  readonly values: LastValues;
  /** Rows after `seq` that are no longer in the journal, some of them; throws JournalBroken when they are not what was sealed. */
  sealedRowsAfter(seq: number): Promise<StoredRow[]>;
  /** D1 and the journal cannot belong together. */
  halt(reason: string): void;
  warn(reason: string): void;
  /** Waits in tests only. */
  step(point: ProjectPoint): Promise<void> | undefined;
}

/** A row as it was journaled: kept as text, which takes a fifth of the memory of its records, and is read about as fast as they are kept. */
type RecentRow = Pick<StoredRow, 'seq' | 'text'>;

interface Waiter {
  readonly seq: number;
  readonly resolve: (done: boolean) => void;
}

/**
 * Brings the journal into D1, row by row in order, many rows a D1 batch, one batch in flight. D1's cursor moves with the rows that it
 * counts, so that each row gets there exactly once, whatever becomes of requests and answers.
 */
export class Projector {
  readonly #host: ProjectorHost;
  /** The last row in D1; until D1 has been asked, the last that is known to be there. */
  #cursor: number;
  #isCursorRead = false;
  /** Text of the rows that D1 lacks. */
  #bytesBehind: number;
  /** Rows after the cursor, without a gap, as far as memory is given to them. */
  #window: RecentRow[] = [];
  #windowBytes = 0;
  /** Ends with the run that is under way. */
  #run: Promise<void> | null = null;
  #isStopped = false;
  #isInterrupted = false;
  #waiters: Waiter[] = [];
  /** Ends a rest. */
  #wake: (() => void) | null = null;

  constructor(host: ProjectorHost) {
    this.#host = host;
    this.#cursor = host.journal.projected;
    this.#bytesBehind = host.journal.bytesAfter(this.#cursor);
  }

  /** The last row in D1. */
  get cursor(): number {
    return this.#cursor;
  }

  get isBehind(): boolean {
    return this.#cursor < this.#host.journal.head.seq;
  }

  /** Whether D1 lacks so much that nothing new must be admitted. */
  get isFarBehind(): boolean {
    const { backlogRowsMax, backlogBytesMax } = this.#host.settings;
    return this.#host.journal.head.seq - this.#cursor >= backlogRowsMax || this.#bytesBehind >= backlogBytesMax;
  }

  /** Time of the oldest row that D1 lacks; null when it lacks none. */
  get behindSince(): number | null {
    return this.isBehind ? this.#host.journal.timeOf(this.#cursor + 1) : null;
  }

  /** The next row of the journal. */
  push({ seq, text }: RecentRow): void {
    this.#bytesBehind += text.length;
    const end = this.#window.at(-1)?.seq ?? this.#cursor;
    const fits = this.#windowBytes + text.length <= this.#host.settings.windowBytesMax;
    if (seq === end + 1 && (fits || this.#window.length === 0)) {
      this.#window.push({ seq, text });
      this.#windowBytes += text.length;
    }
    this.kick();
  }

  kick(): void {
    if (this.#run === null && this.#goesOn && this.isBehind) this.#run = this.#projectAll();
  }

  /** Does something to D1 while nothing is brought there, and goes on from where D1 stands then, be it at the first row. */
  async interruptedBy<Outcome>(change: () => Promise<Outcome>): Promise<Outcome> {
    if (this.#isInterrupted) throw new Error('the projection is interrupted already');
    this.#isInterrupted = true;
    try {
      this.#wake?.();
      await this.#run;
      this.#isCursorRead = false;
      // An instance that starts after a crash must ask D1 as well.
      this.#host.journal.saveProjected(0);
      this.#moveTo(0);
      return await change();
    } finally {
      this.#isInterrupted = false;
      this.kick();
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#wake?.();
    for (const { resolve } of this.#waiters.splice(0)) resolve(false);
  }

  /** Whether everything journaled by now is in D1 within `timeout_ms`. */
  projected(timeout_ms: number): Promise<boolean> {
    const { seq } = this.#host.journal.head;
    if (this.#cursor >= seq) return Promise.resolve(true);
    if (this.#isStopped) return Promise.resolve(false);
    return new Promise((resolve) => {
      const timer = setTimeout(() => {
        this.#waiters = this.#waiters.filter((each) => each !== waiter);
        resolve(false);
      }, timeout_ms);
      const waiter: Waiter = {
        seq,
        resolve: (done) => {
          clearTimeout(timer);
          resolve(done);
        },
      };
      this.#waiters.push(waiter);
      this.#wake?.();
      this.kick();
    });
  }

  get #goesOn(): boolean {
    return !this.#isStopped && !this.#isInterrupted;
  }

  async #projectAll(): Promise<void> {
    try {
      await this.#readCursor();
      while (this.isBehind && this.#goesOn) {
        await this.#rest();
        if (!(await this.#projectTo(this.#host.journal.head.seq))) break;
      }
      if (this.#goesOn) this.#host.journal.saveProjected(this.#cursor);
    } catch (error) {
      // The alarm tries again.
      this.#host.warn(error instanceof Error ? error.message : String(error));
    } finally {
      this.#run = null;
    }
  }

  /** Batch after batch, up to this row; false when there is nothing to be had, or it must not go on. */
  async #projectTo(seq: number): Promise<boolean> {
    while (this.#cursor < seq) {
      const rows = this.#goesOn ? await this.#nextRows() : [];
      if (rows.length === 0) return false;
      await this.#projectUntilKnown(rows);
    }
    return true;
  }

  async #readCursor(): Promise<void> {
    if (this.#isCursorRead) return;
    const cursor = await this.#untilAnswered(() => readCursor(this.#host.d1, this.#host.shard));
    if (cursor === null) return;
    this.#moveTo(cursor);
    this.#isCursorRead = true;
  }

  /**
   * Rows that nobody waits for rest, so that more of them go together and orders that end soon are written once; those that memory is not
   * given to any more do not.
   */
  async #rest(): Promise<void> {
    const { windowBytesMax, projectRest_ms } = this.#host.settings;
    if (this.#waiters.length > 0 || this.#bytesBehind >= windowBytesMax) return;
    await this.#sleep(projectRest_ms);
  }

  /** Until `ms` are over, or somebody waits for the projection. */
  async #sleep(ms: number): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      timer = setTimeout(resolve, ms);
    });
    clearTimeout(timer);
    this.#wake = null;
  }

  async #nextRows(): Promise<JournalRow[]> {
    const { projectRowsMax, projectBytesMax } = this.#host.settings;
    if (this.#window.length === 0) {
      const stored = await this.#storedRows();
      this.#window = stored.map(({ seq, text }) => ({ seq, text }));
      this.#windowBytes = bytesOf(this.#window);
    }
    const rows: JournalRow[] = [];
    let total = 0;
    for (const { seq, text } of this.#window) {
      total += text.length;
      if (rows.length === projectRowsMax || (rows.length > 0 && total > projectBytesMax)) break;
      rows.push(rowOf(seq, text).row);
    }
    return rows;
  }

  /** What follows the cursor: from the journal, or from R2 when it is no longer there. */
  async #storedRows(): Promise<StoredRow[]> {
    const { journal, settings, sealedRowsAfter } = this.#host;
    const { projectRowsMax, projectBytesMax } = settings;
    if (this.#cursor >= journal.prunedTo) return journal.storedRows(this.#cursor, projectRowsMax, projectBytesMax);
    const found = await this.#untilAnswered(() => sealedRowsAfter(this.#cursor).catch(brokenOrThrow));
    if (found === null) return [];
    if (!(found instanceof JournalBroken) && found.length > 0) return found;
    const reason = found instanceof JournalBroken ? found.message : 'they are not sealed';
    this.#halt(`D1 lacks journal rows from ${this.#cursor + 1}, which are not kept: ${reason}`);
    return [];
  }

  /** Sends the same rows with the same values until D1 has them, or turns out to stand elsewhere. */
  async #projectUntilKnown(rows: readonly JournalRow[]): Promise<void> {
    const { d1, shard, values, step } = this.#host;
    const from = this.#cursor;
    const same = unchanging(values);
    const outcome = await this.#untilAnswered(async () => {
      await step('before_project');
      const answer = await project(d1, shard, from, rows, same);
      await step('after_project');
      return answer;
    });
    if (outcome === null) return;
    this.#moveTo(outcome.type === 'done' ? (rows.at(-1)?.seq ?? from) : outcome.cursor);
  }

  /** Asks D1 until it answers; null when the projector is stopped or interrupted meanwhile. */
  async #untilAnswered<Answer>(ask: () => Promise<Answer>): Promise<Answer | null> {
    let delay_ms = RETRY_DELAY_MS_MIN;
    while (this.#goesOn) {
      try {
        return await ask();
      } catch (error) {
        this.#host.warn(error instanceof Error ? error.message : String(error));
        await new Promise((resolve) => setTimeout(resolve, delay_ms));
        delay_ms = Math.min(RETRY_DELAY_MS_MAX, delay_ms * 2);
      }
    }
    return null;
  }

  #moveTo(cursor: number): void {
    const { journal } = this.#host;
    if (cursor > journal.head.seq) {
      this.#halt(`D1 shows journal row ${cursor}, and the journal ends with ${journal.head.seq}`);
      return;
    }
    const isBack = cursor < this.#cursor;
    this.#cursor = cursor;
    const kept = isBack ? [] : this.#window.filter(({ seq }) => seq > cursor);
    const leaving = this.#window.slice(0, this.#window.length - kept.length);
    this.#windowBytes = bytesOf(kept);
    const isGapless = leaving.at(-1)?.seq === cursor;
    this.#bytesBehind = isGapless ? this.#bytesBehind - bytesOf(leaving) : journal.bytesAfter(cursor);
    this.#window = kept;
    journal.prune(cursor);
    const waiters = this.#waiters;
    this.#waiters = waiters.filter(({ seq }) => seq > cursor);
    for (const { seq, resolve } of waiters) if (seq <= cursor) resolve(true);
  }

  #halt(reason: string): void {
    this.stop();
    this.#host.halt(reason);
  }
}

function bytesOf(rows: readonly RecentRow[]): number {
  return rows.reduce((sum, { text }) => sum + text.length, 0);
}

function brokenOrThrow(error: unknown): JournalBroken {
  if (error instanceof JournalBroken) return error;
  throw error;
}

/** Values as they were when first asked for. */
function unchanging(values: LastValues): LastValues {
  const balances = new Map<string, ReturnType<LastValues['balance']>>();
  const lots = new Map<string, ReturnType<LastValues['lot']>>();
  return {
    balance: (account, asset) => kept(balances, `${account} ${asset}`, () => values.balance(account, asset)),
    lot: (id) => kept(lots, id, () => values.lot(id)),
  };
}

function kept<Value>(values: Map<string, Value>, key: string, read: () => Value): Value {
  const known = values.get(key);
  if (known !== undefined) return known;
  const value = read();
  values.set(key, value);
  return value;
}
