import { nextTryAt } from './retry-schedule.ts';

/** Failures in a row with which an endpoint is taken to be out of order. */
const OPENS_AFTER = 5;

export const CIRCUITS = ['closed', 'open', 'half_open'] as const;

export type Circuit = (typeof CIRCUITS)[number];

/** Failures in a row, and until when it is open, Unix milliseconds. */
export interface BreakerState {
  readonly failures: number;
  readonly openUntil: number;
}

/**
 * Slows down the tries of an endpoint that fails, so that it costs others nothing. Closed: every message is tried when it is due. Open, after five
 * failures in a row: none is tried. Half open, when the time of that is over: one is tried. What it comes to closes the breaker, or opens it for longer, by the
 * waits of a message's tries (`retry-schedule.ts`).
 */
export class Breaker {
  #failures: number;
  #openUntil: number;

  constructor({ failures, openUntil }: BreakerState = { failures: 0, openUntil: 0 }) {
    this.#failures = failures;
    this.#openUntil = openUntil;
  }

  get state(): BreakerState {
    return { failures: this.#failures, openUntil: this.#openUntil };
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

  succeeded(): void {
    this.#failures = 0;
    this.#openUntil = 0;
  }

  /** @param random of [0, 1) */
  failed(now: number, random: number): void {
    // Of one that was under way when it opened.
    if (now < this.openUntil) return;
    this.#failures += 1;
    const opened = this.#failures - OPENS_AFTER + 1;
    if (opened >= 1) this.#openUntil = nextTryAt({ tries: opened, firstTriedAt: now }, now, random) ?? now;
  }
}
