import { emptyStep } from '../../data/ledger/projection/empty-read-model.ts';
import { JournalPart } from '../../data/ledger/projection/journal-part.ts';
import type { LastValues } from '../../data/ledger/projection/last-values.ts';
import { project, readPlace } from '../../data/ledger/projection/project.ts';
import { JournalBroken, type StoredRow } from '../../domain/ledger/journal-chain.ts';
import type { JournalRow } from '../../domain/ledger/journal-row.ts';
import { rowOf } from '../../domain/ledger/row-text.ts';
import type { LedgerJournal } from './ledger-journal.ts';
import type { LedgerSettings } from './ledger-settings.ts';

const RETRY_DELAY_MS_MIN = 10;
const RETRY_DELAY_MS_MAX = 1_000;

/** Where the projection can be killed; tests kill it at each. */
export type ProjectPoint = 'before_empty' | 'before_project' | 'after_project';

/** What the projector needs of the object that it runs in. */
export interface ProjectorHost {
  readonly d1: D1Database;
  readonly shard: string;
  readonly journal: LedgerJournal;
  readonly settings: LedgerSettings;
  readonly values: LastValues;
  /** Rows after `seq` that are no longer in the journal, some of them; throws JournalBroken when they are not what was sealed. */
  sealedRowsAfter(seq: number): Promise<StoredRow[]>;
  /** Events that leave the system stand in D1. */
  eventsWritten(): void;
  /** D1 and the journal cannot belong together. */
  halt(reason: string): void;
  warn(reason: string): void;
  /** Waits in tests only. */
  step(point: ProjectPoint): Promise<void> | undefined;
}

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
  #isEmptying = false;
  #rowsEmptied = 0;
  /** Text of the rows that D1 lacks. */
  #bytesBehind: number;
  /** Rows that follow the cursor and what is being sent, without a gap, up to `windowBytesMax` of text. */
  #window: JournalPart[] = [];
  #windowBytes = 0;
  /** On its way to D1: nothing is added to it any more. */
  #sending: JournalPart | null = null;
  /** The run under way; null when there is none. */
  #run: Promise<void> | null = null;
  #isStopped = false;
  #isInterrupted = false;
  #waiters: Waiter[] = [];
  /** Ends a rest. */
  #wake: (() => void) | null = null;
  #wakesAt = 0;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(host: ProjectorHost) {
    this.#host = host;
    this.#cursor = host.journal.projected;
    this.#bytesBehind = host.journal.bytesAfter(this.#cursor);
  }

  /** The last row in D1. */
  get cursor(): number {
    return this.#cursor;
  }

  /** Whether D1 was found to be emptied for a rebuild, and rows that this instance has deleted for it. */
  get isEmptying(): boolean {
    return this.#isEmptying;
  }

  get rowsEmptied(): number {
    return this.#rowsEmptied;
  }

  /** Text of the rows that D1 lacks, as far as the object keeps them. */
  get bytesBehind(): number {
    return this.#bytesBehind;
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
  push(row: JournalRow, bytes: number): void {
    this.#bytesBehind += bytes;
    const end = this.#window.at(-1)?.to ?? this.#sending?.to ?? this.#cursor;
    const fits = this.#windowBytes + bytes <= this.#host.settings.windowBytesMax;
    const isInWindow = row.seq === end + 1 && (fits || this.#window.length === 0);
    if (isInWindow) this.#windowBytes += bytes;
    if (isInWindow || this.#wake !== null) {
      const part = isInWindow ? this.#partFor(bytes) : new JournalPart(row.seq - 1);
      part.add(row, bytes);
      if (part.tells) this.#wakeWithin(this.#host.settings.toldRest_ms);
    }
    this.kick();
  }

  /** The last part of the window, or a new one where that is full. */
  #partFor(bytes: number): JournalPart {
    const last = this.#window.at(-1);
    if (last !== undefined && this.#hasRoom(last, bytes)) return last;
    const next = new JournalPart(last?.to ?? this.#sending?.to ?? this.#cursor);
    this.#window.push(next);
    return next;
  }

  /** Whether so much more goes into one D1 batch. */
  #hasRoom(part: JournalPart, bytes: number): boolean {
    const { projectRowsMax, projectBytesMax } = this.#host.settings;
    return part.length === 0 || (part.length < projectRowsMax && part.bytes + bytes <= projectBytesMax);
  }

  kick(): void {
    if (this.#run === null && this.#goesOn && this.isBehind) this.#run = this.#projectAll();
  }

  /** Changes D1 while the projection pauses, and then continues from where D1 stands, be it at the first row. */
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
        if (!this.#isCursorRead) await this.#readCursor();
        await this.#rest();
        if (!(await this.#projectTo(this.#host.journal.head.seq)) && this.#isCursorRead) break;
      }
      if (this.#goesOn) this.#host.journal.saveProjected(this.#cursor);
    } catch (error) {
      // The alarm tries again.
      this.#host.warn(error instanceof Error ? error.message : String(error));
    } finally {
      this.#run = null;
    }
  }

  /** Batch after batch, up to this row; false when the rows cannot be had, or the projector must not go on. */
  async #projectTo(seq: number): Promise<boolean> {
    while (this.#cursor < seq) {
      const part = this.#goesOn && this.#isCursorRead ? await this.#nextPart() : null;
      if (part === null || !this.#goesOn) return false;
      await this.#projectUntilKnown(part);
    }
    return true;
  }

  async #readCursor(): Promise<void> {
    if (this.#isCursorRead) return;
    const place = await this.#untilAnswered(() => readPlace(this.#host.d1, this.#host.shard));
    if (place === null) return;
    this.#isEmptying = place.isEmptying;
    this.#moveTo(place.cursor);
    if (place.isEmptying && !(await this.#emptied())) return;
    this.#isCursorRead = true;
  }

  /** Empties D1 step by step; false when the projector is stopped or interrupted meanwhile. */
  async #emptied(): Promise<boolean> {
    const { d1, shard, settings, step } = this.#host;
    for (;;) {
      const done = await this.#untilAnswered(async () => {
        await step('before_empty');
        return emptyStep(d1, shard, settings.emptyRowsMax);
      });
      if (done === null) return false;
      this.#rowsEmptied += done.rowsDeleted;
      if (!done.isDone) continue;
      this.#isEmptying = false;
      return true;
    }
  }

  /**
   * Rows that nobody waits for rest, so that more of them go together and orders that end soon are written once; those that somebody is to be told of rest for
   * less. They do not rest while D1 lacks as much as the window holds.
   */
  async #rest(): Promise<void> {
    const { windowBytesMax, projectRest_ms, toldRest_ms } = this.#host.settings;
    if (this.#waiters.length > 0 || this.#bytesBehind >= windowBytesMax) return;
    await this.#sleep(this.#window.some(({ tells }) => tells) ? toldRest_ms : projectRest_ms);
  }

  /** Until `ms` are over, or somebody waits for the projection. */
  async #sleep(ms: number): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#wake = resolve;
      this.#wakesAt = Number.POSITIVE_INFINITY;
      this.#wakeWithin(ms);
    });
    clearTimeout(this.#timer);
    this.#wake = null;
  }

  /** Ends a rest that would last longer. */
  #wakeWithin(ms: number): void {
    const at = Date.now() + ms;
    if (this.#wake === null || at >= this.#wakesAt) return;
    this.#wakesAt = at;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(this.#wake, ms);
  }

  async #nextPart(): Promise<JournalPart | null> {
    const next = this.#window.shift();
    if (next !== undefined) {
      this.#windowBytes -= next.bytes;
      this.#sending = next;
      return next;
    }
    const rows = await this.#storedRows();
    if (rows.length === 0) return null;
    const part = new JournalPart(this.#cursor);
    for (const { seq, text } of rows) part.add(rowOf(seq, text).row, text.length);
    this.#sending = part;
    return part;
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
  async #projectUntilKnown(part: JournalPart): Promise<void> {
    const { d1, shard, values, step } = this.#host;
    const projected = part.projected(values);
    const outcome = await this.#untilAnswered(async () => {
      await step('before_project');
      const answer = await project(d1, shard, projected);
      await step('after_project');
      return answer;
    });
    if (outcome !== null && outcome.type === 'elsewhere' && outcome.isEmptying) this.#isCursorRead = false;
    const { announcedTrades, events } = projected.rows;
    if (outcome?.type === 'done' && announcedTrades.length + events.length > 0) this.#host.eventsWritten();
    if (outcome !== null && outcome.type === 'done') this.#moveTo(part.to, part.bytes);
    else if (outcome !== null) this.#moveTo(outcome.cursor);
    this.#sending = null;
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

  /** @param bytes of the rows up to there, where the window goes on right behind them */
  #moveTo(cursor: number, bytes?: number): void {
    const { journal } = this.#host;
    if (cursor > journal.head.seq) {
      this.#halt(`D1 shows journal row ${cursor}, and the journal ends with ${journal.head.seq}`);
      return;
    }
    this.#cursor = cursor;
    if (bytes === undefined) {
      this.#window = [];
      this.#windowBytes = 0;
      this.#bytesBehind = journal.bytesAfter(cursor);
    } else this.#bytesBehind -= bytes;
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

function brokenOrThrow(error: unknown): JournalBroken {
  if (error instanceof JournalBroken) return error;
  throw error;
}
