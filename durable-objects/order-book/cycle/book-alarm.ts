/** An alarm this long after a journaled cycle drains what a crash left in the outbox. */
const DRAIN_AFTER_MS = 1_000;
/** Longest rest of a book that could not start, before chance adds up to as much again. */
const START_REST_MS_MAX = 60_000;

/** Where the time is kept at which a book wants to be woken, across its instances, and what wakes it. */
export interface AlarmHost {
  readonly now: () => number;
  /** From 0 to 1, drawn anew each time. */
  readonly random: () => number;
  get(): number | undefined;
  put(at: number): void;
  clear(): void;
  /** Wakes the object at that time or before. */
  wakeAt(at: number): void;
}

/**
 * When a book wants to be woken: to settle what a crash would leave, and to do what is due though nothing else happens: expiries, the end of a halt. What it
 * wants stands in storage alone, so that no copy of it can be out of date.
 */
export class BookAlarm {
  readonly #host: AlarmHost;
  /** Since it last ran. */
  #failedStarts = 0;

  constructor(host: AlarmHost) {
    this.#host = host;
  }

  /** A cycle has been journaled, or its effects could not be settled yet. */
  afterCycle(nextDue: number | null): void {
    this.#failedStarts = 0;
    const drainAt = this.#host.now() + DRAIN_AFTER_MS;
    this.#wakeBy(Math.min(drainAt, nextDue ?? drainAt));
  }

  /**
   * The book was woken and could not start. It rests twice as long each time, and books that were cut off together come back one by one: their tries would
   * otherwise keep a ledger late that is late.
   */
  couldNotStart(): void {
    const rest = Math.min(START_REST_MS_MAX, DRAIN_AFTER_MS * 2 ** this.#failedStarts);
    this.#failedStarts += 1;
    this.#wakeBy(this.#host.now() + Math.round(rest * (1 + this.#host.random())));
  }

  /** Nothing is left to settle: only what happens by itself wants the alarm. */
  drained(nextDue: number | null): void {
    this.#failedStarts = 0;
    this.#host.clear();
    if (nextDue !== null) this.#wakeBy(nextDue);
  }

  /**
   * The object was woken, for whatever reason.
   * @returns whether the book was to be woken now; if not, it is woken later
   */
  woken(hasOutbox: boolean): boolean {
    const due = this.#host.get();
    if (due === undefined) return hasOutbox;
    if (due <= this.#host.now() || hasOutbox) return true;
    this.#host.wakeAt(due);
    return false;
  }

  #wakeBy(at: number): void {
    const due = this.#host.get();
    if (due !== undefined && due <= at && due > this.#host.now()) return;
    this.#host.put(at);
    this.#host.wakeAt(at);
  }
}
