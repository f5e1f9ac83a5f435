import { SECOND_MS } from '../../domain/calendar/durations.ts';
import { log } from '../log/log.ts';

/** Looks of one alarm after which what is left has its turn in the next one. */
const LOOKS_MAX = 20;
/** Until what has failed is tried again, whoever wakes it. */
const RETRY_MS = SECOND_MS;
const NEVER = Number.POSITIVE_INFINITY;

/** @returns when more is to be told, a time that is past for at once; null where nothing is left */
export type Look = () => Promise<number | null>;

/**
 * One half of what the dispatcher tells. It goes on while slower work of the same alarm is under way, so that what is written meanwhile does not wait for that. An instance does not know what is left, so a
 * half begins with a look.
 */
export class DispatchHalf {
  readonly #look: Look;
  readonly #pace_ms: number;
  #due = 0;
  /** No sooner, whoever wakes it, and how long after the look that said so that is. */
  #rest = { until: 0, ms: 0 };
  #told: (() => void) | null = null;

  /** @param pace_ms from a look that left something to the next one, at least */
  constructor(look: Look, pace_ms = 0) {
    this.#look = look;
    this.#pace_ms = pace_ms;
  }

  /** When it looks next; infinite where nothing is left. */
  get due(): number {
    return this.#due;
  }

  /** Something may have been written. @returns when it looks */
  wake(): number {
    const now = Date.now();
    // A clock that was put back lets nobody wait.
    const isResting = now < this.#rest.until && now >= this.#rest.until - this.#rest.ms;
    this.#due = Math.min(this.#due, isResting ? this.#rest.until : now);
    this.#told?.();
    return this.#due;
  }

  /** The alarm for this time rings. */
  rings(at: number): void {
    if (this.#due <= at) this.#due = 0;
  }

  /** Looks whenever it is due, until the slower work is over and nothing is due, or it has looked often enough. What is left is due then. */
  async goOn(slower: Promise<unknown>): Promise<void> {
    let isOver = false;
    const over = slower.then(() => {
      isOver = true;
    });
    for (let looks = 0; !isOver || looks < LOOKS_MAX; ) {
      if (this.#due <= Date.now()) {
        looks += 1;
        await this.#tried();
      } else if (isOver) return;
      else await this.#dueOr(over);
    }
  }

  async #tried(): Promise<void> {
    const now = Date.now();
    this.#due = NEVER;
    try {
      const next = await this.#look();
      this.#rests(now, next === null ? 0 : this.#pace_ms, next ?? NEVER);
    } catch (error) {
      log('warn', 'events wait', { reason: error instanceof Error ? error.message : String(error) });
      const failedAt = Date.now();
      this.#rests(failedAt, RETRY_MS, failedAt);
    }
  }

  /** Also what it was told of during the look waits so long. */
  #rests(from: number, ms: number, due: number): void {
    this.#rest = { until: from + ms, ms };
    this.#due = Math.max(Math.min(this.#due, due), ms === 0 ? 0 : this.#rest.until);
  }

  async #dueOr(over: Promise<void>): Promise<void> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const told = new Promise<void>((resolve) => {
      this.#told = resolve;
      if (this.#due !== NEVER) timer = setTimeout(resolve, Math.max(0, this.#due - Date.now()));
    });
    await Promise.race([told, over]);
    clearTimeout(timer);
    this.#told = null;
  }
}
