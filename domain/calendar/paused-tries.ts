import { GrowingPause } from './growing-pause.ts';

/** Tries of what costs others something: after each that fails there is a longer pause, whoever would like another one. */
export class PausedTries {
  readonly #pause: GrowingPause;
  #reason: string | null = null;
  #until = Number.NEGATIVE_INFINITY;

  constructor(first_ms: number, longest_ms: number) {
    this.#pause = new GrowingPause(first_ms, longest_ms);
  }

  /** Why the last try has failed; null where it has not. */
  get reason(): string | null {
    return this.#reason;
  }

  /** When the next try may be, Unix ms. */
  get until(): number {
    return this.#until;
  }

  failed(reason: string, now: number): void {
    this.#reason = reason;
    this.#until = now + this.#pause.next_ms();
  }

  /** It has gone well. */
  end(): void {
    this.#reason = null;
    this.#until = Number.NEGATIVE_INFINITY;
    this.#pause.end();
  }
}
