/** An alarm this long after a journaled cycle drains what a crash left in the outbox. */
const DRAIN_AFTER_MS = 1_000;

/** Where the time is kept at which a book wants to be woken, across its instances, and what wakes it. */
export interface AlarmHost {
  readonly now: () => number;
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

  constructor(host: AlarmHost) {
    this.#host = host;
  }

  /** A cycle has been journaled, or its effects could not be settled yet. */
  afterCycle(nextDue: number | null): void {
    const drainAt = this.#host.now() + DRAIN_AFTER_MS;
    this.#wakeBy(Math.min(drainAt, nextDue ?? drainAt));
  }

  /** Nothing is left to settle: only what happens by itself wants the alarm. */
  drained(nextDue: number | null): void {
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
