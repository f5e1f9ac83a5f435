import type { Side } from '../../../domain/orders/order.ts';
import { type PlannedExecution, type ReplayCommand, replayId } from '../plan.ts';

/** Holder of the quantity that the file never names. */
const UNNAMED = '';

/**
 * An order of the replay. It stands for one order of the file, or for quantity that the file does not name, until an execution takes
 * another order than the file says: then the two swap what they stand for.
 */
interface PlannedOrder {
  readonly id: string;
  readonly side: Side;
  readonly price: number;
  /** Total quantity as the engine has it, executed quantity included. */
  quantity: number;
  remaining: number;
  /** Quantity by the file's order id; sums to `remaining`. */
  readonly shares: Map<string, number>;
}

/** The replay's orders, in the ranks that the engine will give them; each change adds the commands that make it. */
export class PlannedBook {
  readonly #levels = { buy: new Map<number, PlannedOrder[]>(), sell: new Map<number, PlannedOrder[]>() };
  readonly #ordersOf = new Map<string, PlannedOrder[]>();
  #commands: ReplayCommand[] = [];
  #lastId = 0;

  /** The commands since the last call. */
  takeCommands(): ReplayCommand[] {
    const commands = this.#commands;
    this.#commands = [];
    return commands;
  }

  /** Quantity at a price. */
  quantityAt(side: Side, price: number): number {
    return (this.#levels[side].get(price) ?? []).reduce((sum, order) => sum + order.remaining, 0);
  }

  /** Quantity that stands for an order of the file. */
  quantityOf(fileId: string): number {
    return (this.#ordersOf.get(fileId) ?? []).reduce((sum, order) => sum + (order.shares.get(fileId) ?? 0), 0);
  }

  /** Ids of the file's orders that rest at a price, best rank first. */
  namedAt(side: Side, price: number): string[] {
    const ids = (this.#levels[side].get(price) ?? []).flatMap((order) => [...order.shares.keys()]);
    return [...new Set(ids)].filter((id) => id !== UNNAMED);
  }

  rest(fileId: string, side: Side, price: number, quantity: number): void {
    const id = this.#nextId();
    const order = { id, side, price, quantity, remaining: quantity, shares: new Map([[fileId, quantity]]) };
    const level = this.#levels[side].get(price);
    if (level === undefined) this.#levels[side].set(price, [order]);
    else level.push(order);
    this.#enlist(fileId, order);
    this.#commands.push({ type: 'rest', orderId: id, side, price, quantity });
  }

  restUnnamed(side: Side, price: number, quantity: number): void {
    this.rest(UNNAMED, side, price, quantity);
  }

  cancelUnnamed(side: Side, price: number): void {
    for (const order of [...(this.#levels[side].get(price) ?? [])]) {
      this.#lower(order, UNNAMED, order.shares.get(UNNAMED) ?? 0);
    }
  }

  /** Takes up to `quantity` off an order of the file, keeping its place. */
  reduce(fileId: string, quantity: number): void {
    let left = quantity;
    for (const order of (this.#ordersOf.get(fileId) ?? []).toReversed()) {
      const lowered = Math.min(left, order.shares.get(fileId) ?? 0);
      this.#lower(order, fileId, lowered);
      left -= lowered;
    }
  }

  /** Gives unnamed quantity at the price to an order of the file that has less than `quantity`, as far as there is any. */
  name(fileId: string, side: Side, price: number, quantity: number): void {
    let missing = quantity - this.quantityOf(fileId);
    for (const order of this.#levels[side].get(price) ?? []) {
      if (missing <= 0) return;
      const given = Math.min(missing, order.shares.get(UNNAMED) ?? 0);
      this.#transfer(order, UNNAMED, fileId, given);
      missing -= given;
    }
  }

  /** An order from the other side takes `quantity` at up to the price, where the file says that the order `fileId` is executed. */
  take(fileId: string, side: Side, price: number, quantity: number): PlannedExecution {
    const makerIds = (this.#ordersOf.get(fileId) ?? []).map((order) => order.id);
    const takerId = this.#nextId();
    const takerSide = side === 'buy' ? 'sell' : 'buy';
    this.#commands.push({ type: 'take', orderId: takerId, side: takerSide, price, quantity });
    const wronged: { holder: string; quantity: number }[] = [];
    let left = quantity;
    for (const order of this.#upTo(side, price)) {
      if (left === 0) break;
      const taken = Math.min(left, order.remaining);
      left -= taken;
      order.remaining -= taken;
      let share = taken;
      for (const holder of [fileId, ...order.shares.keys()]) {
        const lost = Math.min(share, order.shares.get(holder) ?? 0);
        if (lost === 0) continue;
        this.#setShare(order, holder, (order.shares.get(holder) ?? 0) - lost);
        share -= lost;
        if (holder !== fileId) wronged.push({ holder, quantity: lost });
      }
      if (order.remaining === 0) this.#drop(order);
    }
    for (const { holder, quantity: owed } of wronged) this.#repay(fileId, holder, owed);
    return { takerId, makerIds, quantity };
  }

  /** The file says that `from` was executed, but `to` was: what is left of `from` stands for `to`. */
  #repay(from: string, to: string, owed: number): void {
    let left = owed;
    for (const order of [...(this.#ordersOf.get(from) ?? [])]) {
      const given = Math.min(left, order.shares.get(from) ?? 0);
      this.#transfer(order, from, to, given);
      left -= given;
    }
  }

  /** Resting orders that an opposite order limited to `price` can take, in the order in which it takes them. */
  #upTo(side: Side, price: number): PlannedOrder[] {
    const levels = this.#levels[side];
    const prices = [...levels.keys()].filter((each) => (side === 'buy' ? each >= price : each <= price));
    prices.sort((a, b) => (side === 'buy' ? b - a : a - b));
    return prices.flatMap((each) => levels.get(each) ?? []);
  }

  #lower(order: PlannedOrder, holder: string, quantity: number): void {
    if (quantity === 0) return;
    this.#setShare(order, holder, (order.shares.get(holder) ?? 0) - quantity);
    order.remaining -= quantity;
    order.quantity -= quantity;
    const { id: orderId, side, price } = order;
    if (order.remaining === 0) {
      this.#drop(order);
      this.#commands.push({ type: 'cancel', orderId, side });
    } else {
      const amendmentId = this.#nextId();
      this.#commands.push({ type: 'reduce', amendmentId, orderId, side, price, quantity: order.quantity });
    }
  }

  #transfer(order: PlannedOrder, from: string, to: string, quantity: number): void {
    if (quantity === 0) return;
    this.#setShare(order, from, (order.shares.get(from) ?? 0) - quantity);
    if (!order.shares.has(to)) this.#enlist(to, order);
    order.shares.set(to, (order.shares.get(to) ?? 0) + quantity);
  }

  #setShare(order: PlannedOrder, holder: string, quantity: number): void {
    if (quantity > 0) {
      order.shares.set(holder, quantity);
      return;
    }
    order.shares.delete(holder);
    const orders = this.#ordersOf.get(holder) ?? [];
    const left = orders.filter((each) => each !== order);
    if (left.length === 0) this.#ordersOf.delete(holder);
    else this.#ordersOf.set(holder, left);
  }

  #enlist(holder: string, order: PlannedOrder): void {
    if (holder === UNNAMED) return;
    const orders = this.#ordersOf.get(holder);
    if (orders === undefined) this.#ordersOf.set(holder, [order]);
    else orders.push(order);
  }

  #drop(order: PlannedOrder): void {
    const level = (this.#levels[order.side].get(order.price) ?? []).filter((each) => each !== order);
    if (level.length === 0) this.#levels[order.side].delete(order.price);
    else this.#levels[order.side].set(order.price, level);
  }

  #nextId(): string {
    this.#lastId += 1;
    return replayId(this.#lastId);
  }
}
