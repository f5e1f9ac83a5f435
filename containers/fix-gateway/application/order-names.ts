import { log } from '../log.ts';
import type { SessionFile } from '../store/session-file.ts';

/** Orders whose later ClOrdIDs are remembered. */
const NAMES_MAX = 100_000;

/** A drop copy that names orders as their sessions do. */
export interface NameFollower {
  /** A request has given the order another ClOrdID. */
  renamed(orderId: string, clOrdId: string): void;
  /** What is told of an order has waited for a request, which is answered. */
  settled(): void;
}

/**
 * What sessions of this gateway call orders once a request has given them another ClOrdID, which the exchange is not told of. Drop copies name them so. It outlives
 * the process, as sessions do.
 */
export class OrderNames {
  readonly #store: Pick<SessionFile, 'state' | 'putState' | 'flush'>;
  /** The longest ago first. */
  readonly #names: Map<string, string>;
  /** Requests under way, by order. */
  readonly #changing = new Map<string, number>();
  readonly #followers = new Set<NameFollower>();

  constructor(store: Pick<SessionFile, 'state' | 'putState' | 'flush'>) {
    this.#store = store;
    this.#names = new Map(store.state<string>(''));
  }

  /** The last ClOrdID of an order, where that is not the one that it was placed under. */
  of(orderId: string): string | null {
    return this.#names.get(orderId) ?? null;
  }

  follow(follower: NameFollower): void {
    this.#followers.add(follower);
  }

  unfollow(follower: NameFollower): void {
    this.#followers.delete(follower);
  }

  isChanging(orderId: string): boolean {
    return this.#changing.has(orderId);
  }

  /** A session makes a request about an order: until it is answered nobody knows what the order is called. */
  changing(orderId: string): void {
    this.#changing.set(orderId, (this.#changing.get(orderId) ?? 0) + 1);
  }

  rename(orderId: string, clOrdId: string): void {
    if (this.#names.get(orderId) === clOrdId) return;
    this.#put(orderId, null);
    this.#put(orderId, clOrdId);
    const [first] = this.#names.keys();
    if (this.#names.size > NAMES_MAX && first !== undefined) this.#put(first, null);
    try {
      this.#store.flush();
    } catch (error) {
      // It is written with the next one.
      log('error', 'names_failed', { error: error instanceof Error ? error.message : '' });
    }
    for (const follower of this.#followers) follower.renamed(orderId, clOrdId);
  }

  /** Requests about these orders are answered. */
  settled(orderIds: readonly string[]): void {
    for (const orderId of orderIds) {
      const others = (this.#changing.get(orderId) ?? 1) - 1;
      if (others > 0) this.#changing.set(orderId, others);
      else this.#changing.delete(orderId);
    }
    if (orderIds.length > 0) for (const follower of this.#followers) follower.settled();
  }

  #put(orderId: string, clOrdId: string | null): void {
    this.#store.putState(orderId, clOrdId);
    if (clOrdId === null) this.#names.delete(orderId);
    else this.#names.set(orderId, clOrdId);
  }
}
