import type { BookConfig } from '../../../data/markets/book-config.ts';
import type { ExistingOrder } from '../../../data/orders/existing-order.ts';
import { batchOf } from '../../../domain/ledger/batch-text.ts';
import { Ledger } from '../../../domain/ledger/ledger.ts';
import type { LedgerLimits } from '../../../domain/ledger/ledger-limits.ts';
import { LEDGER_CODE } from '../../../domain/ledger/ledger-rules.ts';
import { LedgerViolation } from '../../../domain/ledger/ledger-violation.ts';
import type { ReceivedLot, SettlementChunk } from '../../../domain/ledger/records.ts';
import type { BookBatch } from '../../../domain/ledger/transactions.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import type { CommitAnswer } from '../../ledger/api.ts';
import type { OutboxRow } from '../journal/journal.ts';
import type { JournalEntry } from '../journal/journal-entry.ts';
import type { BookCommand, BookResult, PlaceCommand } from '../rpc/commands.ts';
import { type BookSnapshot, BookState } from './book-state.ts';
import type { FlowHost } from './flow-host.ts';
import { OrderFlow } from './order-flow.ts';

const ACME: BookConfig = {
  market: {
    symbol: 'ACME-USD',
    route: 'internal',
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
    bandHaltSeconds: 0,
    referencePrice: null,
    status: 'open',
    tracksLots: true,
    rulesVersion: 1,
  },
  regulation: null,
  category: 'privates',
  accreditationType: null,
  emitsEvents: false,
  venueHalted: false,
};

type Journal = FlowHost['journal'];

/** The journal of a flow, kept in memory. */
class MemoryJournal implements Journal {
  readonly entries: JournalEntry[] = [];
  /** All effects that there ever were. */
  readonly chunks: SettlementChunk[] = [];
  haltReason: string | null = null;
  outboxEnd = 0;
  settledSeq = 0;
  /** What the ledger was not known to have. */
  outbox: OutboxRow[] = [];

  get lastBatch(): number {
    return this.entries.reduce((last, { batch }) => batch ?? last, 0);
  }

  append(entry: JournalEntry, chunks: readonly SettlementChunk[], setAlarm: (() => void) | null): OutboxRow[] {
    this.entries.push(structuredClone(entry));
    setAlarm?.();
    const rows = chunks.map((chunk) => ({ seq: ++this.outboxEnd, chunk }));
    this.outbox.push(...rows);
    this.chunks.push(...chunks);
    return rows;
  }

  halt(reason: string): void {
    this.haltReason = reason;
  }

  settled(seq: number): void {
    this.settledSeq = seq;
    this.outbox = this.outbox.filter((row) => row.seq > seq);
  }

  wantsSnapshot(): boolean {
    return false;
  }

  writeSnapshot(_snapshot: BookSnapshot): void {}
}

/** For tests: a book's flow on the ledger itself, both in memory, with a clock that stands until it is set. */
export class BookInMemory {
  readonly ledger: Ledger;
  readonly journal = new MemoryJournal();
  state: BookState;
  flow: OrderFlow;
  /** Of a routed market: its way to the broker, and where its book's cycles are heard of. */
  journaled: () => void = () => undefined;
  readonly #config: BookConfig;
  owner = 'me';
  /** Runs before a batch reaches the ledger, and may throw: the request is lost. */
  beforeCommit: (batch: BookBatch) => Promise<void> | void = () => undefined;
  /** What becomes of a request to the ledger; of one that hangs nobody hears again. */
  fate: () => 'through' | 'lost' | 'answer_lost' | 'hangs' | 'answer_hangs' = () => 'through';
  /** What D1 would say of orders that have ended. */
  readonly ended = new Map<string, ExistingOrder>();
  /** What reading that comes to. */
  orderAnswers = (orderId: string): Promise<ExistingOrder | null> => Promise.resolve(this.ended.get(orderId) ?? null);
  backlogged = false;
  now = 1_700_000_000_000;
  readonly #timers = new Set<{ readonly at: number; readonly ring: () => void }>();
  #ids = 0;

  constructor(isStateRight = true, limits: Partial<LedgerLimits> = {}, market: Partial<BookConfig['market']> = {}) {
    this.ledger = new Ledger(limits);
    const { version } = LEDGER_CODE.rules;
    this.ledger.apply({ kind: 'ledger_rules', version, limits: this.ledger.rules.limits }, this.#context);
    this.#config = { ...ACME, market: { ...ACME.market, ...market } };
    this.state = new BookState(this.#config.market);
    this.flow = this.#startFlow(isStateRight);
    this.takeOver();
  }

  /** The object is lost and starts again from its journal; until `takeOver` it does not own the book in the ledger. */
  restart(): void {
    this.flow.stop();
    this.owner = this.id('owner');
    this.state = new BookState(this.#config.market);
    for (const entry of this.journal.entries) this.state.run(entry);
    this.flow = this.#startFlow(true);
  }

  /** Recovery's calls to the ledger: fence, then release of what the last batch admitted and the journal lacks. */
  takeOver(): void {
    const { symbol } = this.#config.market;
    const { owner: previousOwner } = this.ledger.fence(symbol);
    const own = { kind: 'own', book: symbol, owner: this.owner, previousOwner } as const;
    const { outcome } = this.ledger.apply(own, this.#context);
    if (outcome.type === 'fenced') throw new Error(`the book was taken over by ${outcome.owner}`);
    const { batch, settled, admitted } = outcome;
    this.flow.own({ batch, settled });
    if (batch > this.journal.lastBatch && admitted.length > 0) this.flow.release(admitted);
    this.flow.kick();
  }

  #startFlow(isStateRight: boolean): OrderFlow {
    const { settledSeq, outbox } = this.journal;
    return new OrderFlow(this.#host(), this.state, this.#config, { confirmed: settledSeq, outbox, isStateRight });
  }

  get #context(): { time: number; backlogged: boolean } {
    return { time: this.now, backlogged: this.backlogged };
  }

  /** Cash, or shares in so many lots, each on these terms. */
  deposit(account: string, asset: string, amount: number, lots = 1, terms: Partial<ReceivedLot> = {}): void {
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
      ...terms,
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
      daily: null,
      factsVersion: 1,
      rulesVersion: 1,
      ...command,
    };
  }

  async submit(...commands: BookCommand[]): Promise<BookResult[]> {
    return this.flow.submit(commands);
  }

  /** Lets time pass: timers ring in their order, each in a turn of its own. */
  async pass(ms: number): Promise<void> {
    const until = this.now + ms;
    for (;;) {
      const [next] = [...this.#timers].filter(({ at }) => at <= until).sort((a, b) => a.at - b.at);
      if (next === undefined) break;
      this.#timers.delete(next);
      this.now = Math.max(this.now, next.at);
      next.ring();
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    this.now = until;
  }

  #timer(ms: number, ring: () => void): () => void {
    const timer = { at: this.now + ms, ring };
    this.#timers.add(timer);
    return () => void this.#timers.delete(timer);
  }

  id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${this.#ids}`;
  }

  #host(): FlowHost {
    return {
      ledger: { commit: (batch) => this.#commit(batch), order: (id) => this.orderAnswers(id) },
      journal: this.journal,
      owner: this.owner,
      now: () => this.now,
      timer: (ms, ring) => this.#timer(ms, ring),
      scheduleAlarm: () => undefined,
      abort: (reason) => {
        throw new Error(reason);
      },
      alert: () => undefined,
      warn: () => undefined,
      journaled: () => this.journaled(),
      rulesDiffer: () => undefined,
      settled: () => undefined,
      step: () => undefined,
    };
  }

  async #commit(text: string): Promise<CommitAnswer> {
    const batch = batchOf(text);
    await this.beforeCommit(batch);
    // An instance that is gone hears of nothing.
    if (batch.owner !== this.owner) return new Promise(() => undefined);
    const fate = this.fate();
    if (fate === 'lost') throw new Error('the request was lost');
    if (fate === 'hangs') return new Promise(() => undefined);
    try {
      const { outcome } = this.ledger.apply(batch, this.#context);
      if (fate === 'answer_lost') throw new Error('the answer was lost');
      if (fate === 'answer_hangs') return new Promise(() => undefined);
      return outcome;
    } catch (error) {
      if (error instanceof LedgerViolation) return { type: 'violated', message: error.message };
      throw error;
    }
  }
}
