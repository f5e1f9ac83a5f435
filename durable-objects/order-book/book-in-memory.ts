import type { BookConfig } from '../../data/book-config.ts';
import type { ExistingOrder } from '../../data/existing-order.ts';
import { batchOf } from '../../domain/ledger/batch-text.ts';
import { Ledger } from '../../domain/ledger/ledger.ts';
import { LedgerViolation } from '../../domain/ledger/ledger-violation.ts';
import type { SettlementChunk } from '../../domain/ledger/records.ts';
import type { BookBatch } from '../../domain/ledger/transactions.ts';
import type { OrderTerms } from '../../domain/orders/order.ts';
import type { CommitAnswer } from '../ledger/api.ts';
import type { BookCommand, BookResult, PlaceCommand } from './api.ts';
import { type BookSnapshot, BookState } from './book-state.ts';
import type { OutboxRow } from './journal.ts';
import type { JournalEntry } from './journal-entry.ts';
import { type FlowHost, type FlowJournal, OrderFlow } from './order-flow.ts';

const CONFIG: BookConfig = {
  market: {
    symbol: 'ACME-USD',
    baseAsset: 'acme',
    quoteAsset: 'usd',
    priceScale: 2,
    quantityScale: 0,
    quoteScale: 2,
    tickSize: 1,
    lotSize: 1,
    quantityMin: 1,
    quantityMax: 1_000_000,
    makerFeeBps: 10,
    takerFeeBps: 30,
    bandBps: 0,
    referencePrice: null,
    status: 'open',
    tracksLots: true,
    rulesVersion: 1,
  },
  regulation: null,
  accreditationType: null,
  emitsEvents: false,
  venueHalted: false,
};

/** The journal of a flow, kept in memory. */
class MemoryJournal implements FlowJournal {
  readonly entries: JournalEntry[] = [];
  haltReason: string | null = null;
  outboxEnd = 0;

  append(entry: JournalEntry, chunks: readonly SettlementChunk[], setAlarm: (() => void) | null): OutboxRow[] {
    this.entries.push(structuredClone(entry));
    setAlarm?.();
    return chunks.map((chunk) => ({ seq: ++this.outboxEnd, chunk }));
  }

  halt(reason: string): void {
    this.haltReason = reason;
  }

  settled(): void {}

  wantsSnapshot(): boolean {
    return false;
  }

  writeSnapshot(_snapshot: BookSnapshot): void {}
}

/** For tests: a book's flow on the ledger itself, both in memory, with a clock that stands until it is set. */
export class BookInMemory {
  readonly ledger = new Ledger();
  readonly journal = new MemoryJournal();
  readonly state = new BookState(CONFIG.market);
  readonly flow: OrderFlow;
  /** Runs before a batch reaches the ledger, and may throw: the request is lost. */
  beforeCommit: (batch: BookBatch) => Promise<void> | void = () => undefined;
  /** What becomes of a request to the ledger. */
  fate: () => 'through' | 'lost' | 'answer_lost' = () => 'through';
  /** What D1 would say of orders that have ended. */
  readonly ended = new Map<string, ExistingOrder>();
  backlogged = false;
  now = 1_700_000_000_000;
  #ids = 0;

  constructor(isStateRight = true) {
    const { symbol } = CONFIG.market;
    this.ledger.apply({ kind: 'own', book: symbol, owner: 'me', previousOwner: '' }, this.#context);
    const start = { batch: 0, settled: 0, outbox: [], isStateRight };
    this.flow = new OrderFlow(this.#host(), this.state, CONFIG, start);
  }

  get #context(): { time: number; backlogged: boolean } {
    return { time: this.now, backlogged: this.backlogged };
  }

  /** Cash, or shares in one lot each. */
  deposit(account: string, asset: string, amount: number, lots = 1): void {
    const tracksLots = asset === 'acme';
    const id = this.id('deposit');
    const received = Array.from({ length: tracksLots ? lots : 0 }, (_, index) => ({
      id: `${id}.${index}`,
      account,
      quantity: amount / lots,
      cost: 0,
      acquiredAt: this.now + index,
      restrictionEndsAt: null,
      offeringType: null,
    }));
    const transfer = { kind: 'transfer', type: 'deposit', id, account, asset, amount, cost: 0 } as const;
    const rest = { tracksLots, lots: received, reference: null, createdAt: this.now, event: null };
    this.ledger.apply({ ...transfer, ...rest }, this.#context);
  }

  grant(account: string, asset: string, amount: number): void {
    const grant = { kind: 'grant', id: this.id('grant'), account, asset, amount } as const;
    this.ledger.apply({ ...grant, createdAt: this.now, expect: [] }, this.#context);
  }

  place(
    account: string,
    side: OrderTerms['side'],
    quantity: number,
    price: number,
    terms: Partial<OrderTerms> = {},
    command: Partial<PlaceCommand> = {},
  ): PlaceCommand {
    return {
      type: 'place',
      orderId: this.id('order'),
      account,
      owner: 'org',
      keyId: null,
      clientOrderId: null,
      terms: {
        side,
        type: 'limit',
        timeInForce: 'GTC',
        quantity,
        price,
        stopPrice: null,
        expiresAt: null,
        selfTradePrevention: 'cancel_newest',
        hidden: false,
        displayQuantity: null,
        ...terms,
      },
      attributes: 0,
      requires: 0,
      allowanceAsset: null,
      positionAsset: null,
      factsVersion: 1,
      rulesVersion: 1,
      ...command,
    };
  }

  async submit(...commands: BookCommand[]): Promise<BookResult[]> {
    return this.flow.submit(commands);
  }

  id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${this.#ids}`;
  }

  #host(): FlowHost {
    return {
      ledger: { commit: (batch) => this.#commit(batch), order: (id) => Promise.resolve(this.ended.get(id) ?? null) },
      journal: this.journal,
      owner: 'me',
      now: () => this.now,
      scheduleAlarm: () => undefined,
      abort: (reason) => {
        throw new Error(reason);
      },
      alert: () => undefined,
      warn: () => undefined,
      journaled: () => undefined,
      rulesDiffer: () => undefined,
      settled: () => undefined,
      step: () => undefined,
    };
  }

  async #commit(text: string): Promise<CommitAnswer> {
    const batch = batchOf(text);
    await this.beforeCommit(batch);
    const fate = this.fate();
    if (fate === 'lost') throw new Error('the request was lost');
    try {
      const { outcome } = this.ledger.apply(batch, this.#context);
      if (fate === 'answer_lost') throw new Error('the answer was lost');
      return outcome;
    } catch (error) {
      if (error instanceof LedgerViolation) return { type: 'violated', message: error.message };
      throw error;
    }
  }
}
