import { nextTryAt, RETRY_AFTER_MAX_MS } from './retry-schedule.ts';

/** Failures in a row with which an endpoint is taken to be out of order. */
const OPENS_AFTER = 5;

export const CIRCUITS = ['closed', 'open', 'half_open'] as const;

export type Circuit = (typeof CIRCUITS)[number];

/** Failures in a row, and until when it is open, Unix milliseconds. */
export interface BreakerState {
  readonly failures: number;
  readonly openUntil: number;
  /** Until when the receiver has asked to be left alone; left out where it never has. */
  readonly askedUntil?: number;
}

/**
 * Slows down the tries of an endpoint that fails, so that it costs others nothing. Closed: every message is tried when it is due. Open, after five
 * failures in a row: none is tried. Half open, when the time of that is over: one is tried. What it comes to closes the breaker, or opens it for longer, by the
 * waits of a message's tries (`retry-schedule.ts`). A receiver that asks to be left alone (`Retry-After`, RFC 9110, 10.2.3) opens it at once and until then, a day at most: it speaks for
 * itself, and not for the one message.
 */
export class Breaker {
  #failures: number;
  #openUntil: number;
  #askedUntil: number;

  constructor({ failures, openUntil, askedUntil = 0 }: BreakerState = { failures: 0, openUntil: 0 }) {
    this.#failures = failures;
    this.#openUntil = openUntil;
    this.#askedUntil = askedUntil;
  }

  get state(): BreakerState {
    return { failures: this.#failures, openUntil: this.#openUntil, askedUntil: this.#askedUntil };
  }

  /** How many may be tried now beside `underWay`. */
  room(now: number, underWay: number, most: number): number {
    if (this.#failures < OPENS_AFTER) return Math.max(0, most - underWay);
    return now >= this.#openUntil && underWay === 0 ? 1 : 0;
  }

  /** When the next one may be tried, Unix ms; 0 while it is closed. */
  get openUntil(): number {
    return this.#failures < OPENS_AFTER ? 0 : this.#openUntil;
  }

  circuit(now: number): Circuit {
    if (this.#failures < OPENS_AFTER) return 'closed';
    return now < this.#openUntil ? 'open' : 'half_open';
  }

  /** @returns whether it has closed with it: one that was under way when the receiver asked to be left alone says nothing of that */
  succeeded(now: number): boolean {
    if (now < this.#askedUntil) return false;
    const wasOpen = this.openUntil > 0;
    this.#failures = 0;
    this.#openUntil = 0;
    return wasOpen;
  }

  /**
   * @param random of [0, 1)
   * @param asked until when the receiver asks to be left alone, Unix ms; null where it does not
   */
  failed(now: number, random: number, asked: number | null): void {
    // Of one that was under way when it opened.
    const isCounted = now >= this.openUntil;
    if (asked !== null && asked > now) {
      this.#askedUntil = Math.max(this.#askedUntil, Math.min(asked, now + RETRY_AFTER_MAX_MS));
      this.#failures = Math.max(this.#failures, OPENS_AFTER - 1);
    }
    if (isCounted) {
      this.#failures += 1;
      const opened = this.#failures - OPENS_AFTER + 1;
      if (opened >= 1) this.#openUntil = nextTryAt({ tries: opened, firstTriedAt: now }, now, random) ?? now;
    }
    this.#openUntil = Math.max(this.#openUntil, this.#askedUntil);
  }
}
