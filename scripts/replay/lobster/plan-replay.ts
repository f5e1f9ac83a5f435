import type { Side } from '../../../domain/orders/order.ts';
import type { PlannedExecution, ReplayPlan, ReplayStep } from '../plan.ts';
import type { BookFile } from './book-file.ts';
import { type LevelEntrance, levelEntrances } from './level-entrances.ts';
import { type LobsterMessage, MESSAGE_TYPE } from './message.ts';
import { neededFrom, type OrderStory, orderStories } from './order-stories.ts';
import { PlannedBook } from './planned-book.ts';
import { strangerArrivals } from './stranger-arrivals.ts';

const CENT = 100;

/**
 * Turns a LOBSTER file into commands: what rested before the file began, then for each message the order, reduction, cancel or
 * execution that it tells of, after whatever must have happened out of the file's view.
 */
export function planReplay(messages: readonly LobsterMessage[], book: BookFile): ReplayPlan {
  if (messages.length !== book.length) {
    throw new Error(`${messages.length} messages, but ${book.length} rows of the book`);
  }
  const stories = orderStories(messages);
  const entrances = levelEntrances(messages, book);
  const { byEntrance, neverInView } = strangerArrivals(stories, entrances);
  const planner = new Planner(stories);
  for (const stranger of neverInView) planner.seed(stranger.side, stranger.price, [stranger], neededFrom(stranger, 0));
  for (const entrance of entrances) {
    if (entrance.first) planner.seed(entrance.side, entrance.price, byEntrance.get(entrance) ?? [], entrance.quantity);
  }
  const seed = planner.book.takeCommands();

  const returns = entrances.filter((entrance) => !entrance.first);
  let next = 0;
  let outOfViewCommands = 0;
  const steps = messages.map((message, step): ReplayStep => {
    for (; returns[next]?.step === step; next++)
      planner.bringBack(returns[next]!, byEntrance.get(returns[next]!) ?? []);
    const unseen = planner.book.takeCommands();
    outOfViewCommands += unseen.length;
    const execution = planner.follow(message);
    return { time_ms: message.time_ms, commands: [...unseen, ...planner.book.takeCommands()], execution };
  });
  return { tickSize: tickOf(messages, seed), seed, steps, outOfViewCommands };
}

function tickOf(messages: readonly LobsterMessage[], seed: ReplayPlan['seed']): number {
  const prices = [
    ...messages.filter(({ type }) => type <= MESSAGE_TYPE.execution).map(({ price }) => price),
    ...seed.flatMap((command) => (command.type === 'rest' ? [command.price] : [])),
  ];
  return prices.every((price) => price % CENT === 0) ? CENT : 1;
}

class Planner {
  readonly book = new PlannedBook();
  readonly #stories: ReadonlyMap<string, OrderStory>;
  /** Quantity that later messages name, by order. */
  readonly #needed = new Map<string, number>();

  constructor(stories: ReadonlyMap<string, OrderStory>) {
    this.#stories = stories;
    for (const [orderId, story] of stories) this.#needed.set(orderId, neededFrom(story, 0));
  }

  /** Liquidity at a price from before the file: the orders that it names, then the rest as one order behind them. */
  seed(side: Side, price: number, strangers: readonly OrderStory[], quantity: number): void {
    const left = this.#arrive(side, price, strangers, quantity);
    if (left > 0) this.book.restUnnamed(side, price, left);
  }

  /**
   * A price comes back into view. As it left: nothing happened. Otherwise each order there keeps what the file still names of it,
   * strangers arrive behind them, and all other quantity stands last: what is never executed cannot have been ahead of what is.
   */
  bringBack({ side, price, quantity }: LevelEntrance, strangers: readonly OrderStory[]): void {
    const { book } = this;
    const named = book.namedAt(side, price);
    const isWrong = (id: string): boolean =>
      this.#stories.get(id)?.deleted === true && book.quantityOf(id) !== this.#need(id);
    if (strangers.length === 0 && book.quantityAt(side, price) === quantity && !named.some(isWrong)) return;

    book.cancelUnnamed(side, price);
    let left = quantity;
    for (const id of named) {
      const had = book.quantityOf(id);
      const kept = Math.min(had, this.#need(id), left);
      left -= kept;
      book.reduce(id, had - kept);
    }
    left = this.#arrive(side, price, strangers, left);
    if (left > 0) book.restUnnamed(side, price, left);
  }

  /** The command of a message; for an execution, whom it must take. */
  follow(message: LobsterMessage): PlannedExecution | null {
    const { book } = this;
    const { type, orderId, side, price, size } = message;
    if (type === MESSAGE_TYPE.submission) {
      book.rest(orderId, side, price, size);
      return null;
    }
    if (type > MESSAGE_TYPE.execution) return null;
    this.#needed.set(orderId, this.#need(orderId) - size);
    book.name(orderId, side, price, size);
    switch (type) {
      case MESSAGE_TYPE.execution:
        return book.take(orderId, side, price, size);
      case MESSAGE_TYPE.deletion:
        book.reduce(orderId, book.quantityOf(orderId));
        return null;
      default:
        book.reduce(orderId, size);
        return null;
    }
  }

  /** Places strangers behind each other, within `quantity`; returns what is left of it. */
  #arrive(side: Side, price: number, strangers: readonly OrderStory[], quantity: number): number {
    let left = quantity;
    for (const { orderId } of strangers) {
      const size = Math.min(this.#need(orderId), left);
      if (size <= 0) continue;
      this.book.rest(orderId, side, price, size);
      left -= size;
    }
    return left;
  }

  #need(orderId: string): number {
    return this.#needed.get(orderId) ?? 0;
  }
}
