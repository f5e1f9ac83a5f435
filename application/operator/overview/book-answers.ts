import type { MarketStatus } from '../../../domain/markets/market.ts';
import type { BookStatus } from '../../../durable-objects/order-book/api.ts';

/** So long every viewer is told the same answer of a book. */
const SHARED_MS = 5_000;
/** The same of a book in which nothing was open, so that whoever looks at an overview does not keep it awake. */
const IDLE_SHARED_MS = 60_000;
/** More books than one answer asks. */
const BOOKS_MAX = 2_000;

/** What books have said lately: the overview is read again and again by everybody who looks at it. */
export class BookAnswers {
  readonly #answers = new Map<string, { readonly status: BookStatus; readonly at: number }>();

  /** What the book has said lately; null where it is to be asked. What D1 says of the market since then is another state, so it is asked. */
  find(symbol: string, market: MarketStatus, now: number): BookStatus | null {
    const answer = this.#answers.get(symbol);
    if (answer === undefined || answer.status.market !== market || answer.at > now) return null;
    return now - answer.at < (isIdle(answer.status) ? IDLE_SHARED_MS : SHARED_MS) ? answer.status : null;
  }

  note(symbol: string, status: BookStatus, now: number): void {
    if (this.#answers.size >= BOOKS_MAX) this.#answers.clear();
    this.#answers.set(symbol, { status, at: now });
  }
}

function isIdle({ owner, halted, haltedUntil, liveOrders, queued, outbox }: BookStatus): boolean {
  return owner !== '' && halted === null && haltedUntil === null && liveOrders + queued + outbox === 0;
}
