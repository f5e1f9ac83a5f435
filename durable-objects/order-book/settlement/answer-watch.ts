/** Rings once after so many milliseconds, unless it is called off before. */
export type Timer = (ms: number, ring: () => void) => () => void;

/** A call has neither answered nor failed for too long: its outcome is unknown. */
export class NoAnswer extends Error {
  override readonly name = 'NoAnswer';

  constructor(waited_ms: number) {
    super(`no answer within ${waited_ms / 1_000} s`);
  }
}

const TICK_MS = 1_000;

interface Waiting {
  readonly limit_ms: number;
  readonly tick: () => void;
  readonly giveUp: (error: NoAnswer) => void;
  waited_ms: number;
}

/**
 * Bounds the wait for answers of calls that follow each other. One timer ticks while there is something to wait for, and once more: a
 * timer for each call would cost as much as a part of an order.
 */
export class AnswerWatch {
  readonly #timer: Timer;
  #waiting: Waiting | null = null;
  #isTicking = false;

  constructor(timer: Timer) {
    this.#timer = timer;
  }

  /**
   * The answer of a call, one at a time.
   *
   * @param tick called about once a second meanwhile
   * @throws NoAnswer after `limit_ms`, or a second later; the later result of the call is dropped
   */
  within<Answer>(limit_ms: number, tick: () => void, call: () => Promise<Answer>): Promise<Answer> {
    return new Promise((resolve, reject) => {
      const waiting: Waiting = { limit_ms, tick, giveUp: reject, waited_ms: 0 };
      const end = (): void => {
        if (this.#waiting === waiting) this.#waiting = null;
      };
      this.#waiting = waiting;
      if (!this.#isTicking) this.#arm();
      call().then(
        (answer) => {
          end();
          resolve(answer);
        },
        (error: unknown) => {
          end();
          reject(error);
        },
      );
    });
  }

  #arm(): void {
    this.#isTicking = true;
    this.#timer(TICK_MS, () => this.#ring());
  }

  #ring(): void {
    this.#isTicking = false;
    const waiting = this.#waiting;
    if (waiting === null) return;
    waiting.waited_ms += TICK_MS;
    waiting.tick();
    // The first tick may come at once: the timer ran for an earlier call.
    if (waiting.waited_ms > waiting.limit_ms) {
      this.#waiting = null;
      waiting.giveUp(new NoAnswer(waiting.limit_ms));
    } else this.#arm();
  }
}

/** The answer of one call by itself. Throws NoAnswer after `limit_ms`. */
export function answeredWithin<Answer>(timer: Timer, limit_ms: number, answer: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const callOff = timer(limit_ms, () => reject(new NoAnswer(limit_ms)));
    answer.then(
      (value) => {
        callOff();
        resolve(value);
      },
      (error: unknown) => {
        callOff();
        reject(error);
      },
    );
  });
}
