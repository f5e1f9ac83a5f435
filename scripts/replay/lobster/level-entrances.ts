import type { Side } from '../../../domain/orders/order.ts';
import { type BookFile, SideView } from './book-file.ts';
import { type LobsterMessage, quantityChange } from './message.ts';

/**
 * A price that comes into the file's view. A file of N levels tells nothing of what happens beyond its N-th level, so what stands
 * there when the price is first seen was resting before the file began, and what is different when it comes back was placed or
 * cancelled out of view.
 */
export interface LevelEntrance {
  /** Index of the first row that sees the price (again); what is different happened before its message. */
  readonly step: number;
  readonly side: Side;
  readonly price: number;
  /** Whether no row before saw this price. */
  readonly first: boolean;
  /** Quantity when the price was last in view; 0 when it never was. */
  readonly before: number;
  /** Quantity when it comes into view, without the message of that row; for a first entrance, when the file began. */
  readonly quantity: number;
}

/** Every entrance of the file, by step. */
export function levelEntrances(messages: readonly LobsterMessage[], book: BookFile): LevelEntrance[] {
  const entrances: LevelEntrance[] = [];
  const sides = [new ViewedSide('buy', entrances), new ViewedSide('sell', entrances)];
  for (const [step, message] of messages.entries()) {
    const row = book.row(step);
    for (const side of sides) side.see(step, new SideView(row, side.side, book.levels), message);
  }
  return entrances;
}

class ViewedSide {
  readonly side: Side;
  readonly #entrances: LevelEntrance[];
  #view: SideView | null = null;
  /** The view that has reached furthest so far. */
  #furthest: SideView | null = null;
  /** What is known of prices out of view: the quantity last seen, or 0, and what messages out of view have added since. */
  readonly #outOfView = new Map<number, number>();

  constructor(side: Side, entrances: LevelEntrance[]) {
    this.side = side;
    this.#entrances = entrances;
  }

  see(step: number, view: SideView, message: LobsterMessage): void {
    const previous = this.#view;
    const { price } = message;
    const change = message.side === this.side ? quantityChange(message) : 0;
    if (previous === null || view.reachesBeyond(previous)) this.#enter(step, previous, view, price, change);
    if (previous?.reachesBeyond(view)) {
      for (const [left, quantity] of previous.levels) if (!view.sees(left)) this.#outOfView.set(left, quantity);
    }
    if (change !== 0 && !view.sees(price)) this.#outOfView.set(price, (this.#outOfView.get(price) ?? 0) + change);
    this.#view = view;
    if (this.#furthest === null || view.reachesBeyond(this.#furthest)) this.#furthest = view;
  }

  #enter(step: number, previous: SideView | null, view: SideView, messagePrice: number, change: number): void {
    const isEntering = (price: number): boolean => view.sees(price) && previous?.sees(price) !== true;
    const standing = new Map(view.levels.filter(([price]) => isEntering(price)));
    for (const price of this.#outOfView.keys()) if (isEntering(price) && !standing.has(price)) standing.set(price, 0);
    if (change !== 0 && isEntering(messagePrice)) {
      standing.set(messagePrice, (standing.get(messagePrice) ?? 0) - change);
    }
    for (const [price, quantity] of standing) {
      const first = this.#furthest?.sees(price) !== true;
      const known = this.#outOfView.get(price) ?? 0;
      const entrance = first ? { before: 0, quantity: quantity - known } : { before: known, quantity };
      this.#entrances.push({ step, side: this.side, price, first, ...entrance });
      this.#outOfView.delete(price);
    }
  }
}
