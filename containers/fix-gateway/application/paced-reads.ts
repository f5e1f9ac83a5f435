import type { Exchange, ExchangeAnswer } from './exchange.ts';
import { limitedFor_s } from './repeat.ts';

/** What asks the exchange. */
export type Reads = Pick<Exchange, 'call'>;

/** Reads that stop where the limit of their caller is reached, until it lets them through: what is asked meanwhile is refused here, and costs the exchange nothing. */
export class PacedReads implements Reads {
  readonly #exchange: Reads;
  #refusal: ExchangeAnswer | null = null;
  #pausedUntil_ms = 0;

  constructor(exchange: Reads) {
    this.#exchange = exchange;
  }

  /** When the limit lets reads through again, in Unix milliseconds; of a time gone by while it does. */
  get pausedUntil_ms(): number {
    return this.#pausedUntil_ms;
  }

  get isPaused(): boolean {
    return Date.now() < this.#pausedUntil_ms;
  }

  /** The limit has let something through. */
  resume(): void {
    this.#pausedUntil_ms = 0;
  }

  async call(...request: Parameters<Exchange['call']>): Promise<ExchangeAnswer> {
    if (this.#refusal !== null && this.isPaused) return this.#refusal;
    const answer = await this.#exchange.call(...request);
    const wait_s = limitedFor_s(answer);
    this.#refusal = wait_s === null ? null : answer;
    if (wait_s !== null) this.#pausedUntil_ms = Date.now() + wait_s * 1_000;
    return answer;
  }
}
