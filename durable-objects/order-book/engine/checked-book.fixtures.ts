import type { AmendOrder, Engine, EngineEvent, PlaceOrder } from './engine.ts';
import { createFastEngine } from './fast.ts';
import { createPlainEngine } from './plain.fixtures.ts';

export const IMPLEMENTATIONS = [
  ['plain', createPlainEngine],
  ['fast', createFastEngine],
] as const;

/** For tests: a book that checks its own rules after every command, with short ways to say commands and to read what happened. */
export class CheckedBook {
  readonly engine: Engine;
  #orders = 0;
  #now = 1_000;

  constructor(engine: Engine) {
    this.engine = engine;
  }

  place(terms: Partial<PlaceOrder> & Pick<PlaceOrder, 'side' | 'quantity' | 'price'>): {
    id: string;
    events: EngineEvent[];
  } {
    this.#orders += 1;
    const id = terms.orderId ?? `o${this.#orders}`;
    const events = this.apply({
      type: 'place',
      account: `account of ${id}`,
      keyId: null,
      orderType: 'limit',
      timeInForce: 'GTC',
      stopPrice: 0,
      expiresAt: 0,
      selfTradePrevention: 'cancel_newest',
      hidden: false,
      displayQuantity: 0,
      attributes: 0,
      requires: 0,
      ...terms,
      orderId: id,
    });
    return { id, events };
  }

  buy(quantity: number, price: number, terms: Partial<PlaceOrder> = {}): { id: string; events: EngineEvent[] } {
    return this.place({ side: 'buy', quantity, price, ...terms });
  }

  sell(quantity: number, price: number, terms: Partial<PlaceOrder> = {}): { id: string; events: EngineEvent[] } {
    return this.place({ side: 'sell', quantity, price, ...terms });
  }

  /** Changes a price or a quantity, and nothing else that is not said. */
  amend(orderId: string, change: Partial<AmendOrder>): EngineEvent[] {
    const { quantity = 1, price = 1, requires = 0 } = this.engine.order(orderId) ?? {};
    return this.apply({ type: 'amend', orderId, quantity, price, requires, unfilledOnly: false, ...change });
  }

  apply(command: Parameters<Engine['apply']>[0]): EngineEvent[] {
    const events = this.engine.apply(command, ++this.#now);
    this.engine.assertInvariants();
    return events;
  }
}

/** Maker, price and quantity of each fill. */
export const fills = (events: readonly EngineEvent[]): (readonly [string, number, number])[] =>
  events.flatMap((event) => (event.type === 'filled' ? [[event.makerId, event.price, event.quantity] as const] : []));

/** Types of the events that are not about levels, with their reason where they have one. */
export const story = (events: readonly EngineEvent[]): string[] =>
  events
    .filter((event) => event.type !== 'level')
    .map((event) => ('reason' in event ? `${event.type} ${event.reason}` : event.type));
