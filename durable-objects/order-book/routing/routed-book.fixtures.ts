import { expect } from 'vitest';
import type { Market } from '../../../domain/markets/market.ts';
import type { TradingHours } from '../../../domain/markets/trading-hours.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import { BookInMemory } from '../cycle/book-in-memory.fixtures.ts';
import type { BookResult } from '../rpc/commands.ts';
import { BrokerLink } from './broker-link.ts';
import { ScriptedBroker } from './scripted-broker.fixtures.ts';

/** A routed market's book on the ledger itself, and a broker that does what the test says. Prices in cents, taker fee 30 bps. */
export class RoutedBook extends BookInMemory {
  readonly broker = new ScriptedBroker();
  tellsByItself = false;
  hours: TradingHours = 'always';
  link: BrokerLink;
  /** Runs before anything is sent. */
  onDisk: () => Promise<void> = () => Promise.resolve();
  /** Waits for the broker that may end without its answer. */
  readonly patience: (() => void)[] = [];

  constructor(market: Partial<Market> = {}) {
    super(true, {}, { route: 'broker', ...market });
    this.link = this.#newLink();
    this.journaled = () => this.link.kick();
    this.deposit('alice', 'usd', 1_000_00);
    this.deposit('bob', 'acme', 100, 2);
  }

  #newLink(): BrokerLink {
    return new BrokerLink({
      broker: this.broker,
      tellsByItself: this.tellsByItself,
      market: this.state.market,
      hours: () => this.hours,
      engine: () => this.state.venue,
      record: (commands) => this.flow.record(commands),
      onDisk: () => this.onDisk(),
      now: () => this.now,
      timer: (ms, ring) => {
        if (ms < 1_000) queueMicrotask(ring);
        else this.patience.push(ring);
        return () => undefined;
      },
      warn: () => undefined,
    });
  }

  /** The object is lost, and starts from its journal: nothing but that is known. */
  lose(): void {
    this.restart();
    this.link = this.#newLink();
    this.takeOver();
    this.link.kick();
  }

  async order(account: string, side: 'buy' | 'sell', quantity: number, price: number, terms: Partial<OrderTerms> = {}) {
    const command = this.place(account, side, quantity, price, terms);
    const [result] = await this.submit(command);
    if (result?.type !== 'done') throw new Error(`refused: ${JSON.stringify(result)}`);
    await this.link.idle();
    return command.orderId;
  }

  async amend(
    account: string,
    orderId: string,
    change: { readonly quantity?: number; readonly price?: number },
  ): Promise<BookResult | undefined> {
    const { quantity = null, price = null } = change;
    const of = { type: 'amend', amendmentId: this.id('amend'), orderId, account, quantity, price } as const;
    const rest = { stopPrice: null, checkedOver: null, unfilledOnly: false, limitedKey: null } as const;
    return (await this.submit({ ...of, ...rest, factsVersion: 1, rulesVersion: 1 }))[0];
  }

  async cancel(account: string, orderId: string): Promise<BookResult | undefined> {
    const cancelled = this.submit({ type: 'cancel', orderId, account });
    return (await cancelled)[0];
  }

  /** Until nothing is under way between the book, its ledger and the broker. */
  async quiet(): Promise<void> {
    for (let turns = 0; turns < 4; turns++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      await this.link.idle();
    }
    if (!(await this.flow.settled(1_000))) throw new Error(`nothing settles: ${this.journal.haltReason}`);
  }

  /** Reads what the broker has said meanwhile, and settles it. */
  async listen(): Promise<void> {
    this.now += 10_000;
    this.flow.kick();
    this.link.kick();
    await this.link.idle();
    if (!(await this.flow.settled(1_000))) throw new Error(`nothing settles: ${this.journal.haltReason}`);
    this.state.venue?.assertInvariants();
    expect(this.ledger.violations()).toEqual([]);
  }

  has(account: string, asset: string): number {
    const { available, held } = this.ledger.balance(account, asset);
    return available + held;
  }

  get breaks() {
    return this.journal.chunks.flatMap((chunk) => chunk.breaks ?? []).map(({ kind }) => kind);
  }

  get trades() {
    return this.journal.chunks.flatMap((chunk) => chunk.trades);
  }
}
