import { DurableObject } from 'cloudflare:workers';
import { database } from '../../data/database.ts';
import { type BookConfig, readBookConfig } from '../../data/ledger/book-config.ts';
import { type BookLedger, d1BookLedger } from '../../data/ledger/book-ledger.ts';
import { Hub } from '../feed/hub.ts';
import { ListedMarkets } from '../feed/listed-markets.ts';
import {
  type BookCommand,
  type BookDepth,
  type BookResult,
  type BookStatus,
  type BookTicker,
  COMMANDS_PER_CALL_MAX,
  type OrderBookApi,
  SETTLED_WAIT_MS,
} from './api.ts';
import { BookFeed } from './book-feed.ts';
import { BookState } from './book-state.ts';
import { commandsOf, resultsText } from './call-text.ts';
import { Journal } from './journal.ts';
import type { BookMarket } from './ledger-order.ts';
import { LossWatch } from './loss-watch.ts';
import { type CyclePoint, type FlowHost, OrderFlow } from './order-flow.ts';
import { isOpen } from './slot.ts';
import { idOf } from './waiting.ts';

/** An alarm this long after a journaled cycle drains what a crash left in the outbox. */
const DRAIN_AFTER_MS = 1_000;
/** When the book itself, and not its sockets, wants the alarm: an object has but one. */
const BOOK_DUE_KEY = 'book_due';
const START_RETRY_MS_MIN = 10;
const START_TRIES_MAX = 8;

/** The order book of one market: its name is the market's symbol (DESIGN 8). */
export class OrderBook extends DurableObject<Env> implements OrderBookApi {
  readonly #journal: Journal;
  readonly #owner = crypto.randomUUID();
  readonly #ledger: BookLedger;
  readonly #feed: BookFeed;
  readonly #losses: LossWatch;
  /** Its sockets; test objects speak through them. */
  protected readonly hub: Hub;
  #state: BookState | null = null;
  #flow: OrderFlow | null = null;
  #starting: Promise<OrderFlow | null> | null = null;
  #readingRules: Promise<void> | null = null;
  #alarmAt = Number.POSITIVE_INFINITY;
  #bookDueAt = Number.POSITIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#journal = new Journal(ctx.storage);
    this.#ledger = d1BookLedger(env.DB);
    this.#losses = new LossWatch({
      db: database(env.DB),
      cancel: (symbol, command) => env.ORDER_BOOK.getByName(symbol).submit([command]),
      warn: (reason) => this.#log('warn', 'daily losses were not checked', reason),
    });
    this.#feed = new BookFeed({ storage: ctx.storage, book: () => this.#recovered() });
    this.hub = new Hub(ctx, env, { kind: 'book', source: this.#feed, markets: new ListedMarkets(env) });
    this.#feed.attach(this.hub);
    // What is asked for later must not push out what an earlier instance has asked for.
    ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = (await ctx.storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
    });
  }

  /** A feed's WebSocket; the Worker has checked who opens it. */
  override fetch(request: Request): Response {
    const response = this.hub.connect(request);
    this.#scheduleBeat();
    return response;
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    await this.hub.message(socket, message);
    this.#scheduleBeat();
  }

  override webSocketClose(socket: WebSocket): void {
    this.hub.closed(socket);
  }

  override webSocketError(socket: WebSocket): void {
    this.hub.closed(socket);
  }

  credentialChanged(gate: string): Promise<void> {
    return this.hub.credentialChanged(gate);
  }

  async submit(commands: BookCommand[]): Promise<BookResult[]> {
    if (commands.length > COMMANDS_PER_CALL_MAX)
      throw new RangeError(`more than ${COMMANDS_PER_CALL_MAX} commands in one call`);
    const flow = this.#flow ?? (await this.#start());
    if (flow === null) return commands.map((command) => ({ type: 'unavailable', orderId: idOf(command) }));
    return flow.submit(commands);
  }

  async submitText(commands: string): Promise<string> {
    return resultsText(await this.submit(commandsOf(commands)));
  }

  async depth(levels: number): Promise<BookDepth> {
    const state = await this.#restored();
    if (state === null) return { sequence: 0, bids: [], asks: [], timestamp: Date.now() };
    return { sequence: state.view.bookSequence, ...state.engine.depth(levels), timestamp: state.time };
  }

  async ticker(): Promise<BookTicker> {
    const state = await this.#restored();
    if (state === null) return { bid: null, ask: null, last: null, timestamp: Date.now() };
    const { bids, asks } = state.engine.depth(1);
    return {
      bid: bids[0]?.[0] ?? null,
      ask: asks[0]?.[0] ?? null,
      last: state.engine.lastPrice(),
      timestamp: state.time,
    };
  }

  async settled(): Promise<boolean> {
    const flow = this.#flow ?? (await this.#start());
    return flow === null ? false : flow.settled(SETTLED_WAIT_MS);
  }

  async reconfigure(): Promise<boolean> {
    const flow = this.#flow ?? (await this.#start());
    const config = await readBookConfig(this.env.DB, this.#symbol());
    return flow !== null && config !== null && flow.reconfigure(config);
  }

  async status(): Promise<BookStatus> {
    const flow = this.#flow ?? (await this.#start());
    const config = await readBookConfig(this.env.DB, this.#symbol());
    return {
      market: config?.market.status ?? 'closed',
      owner: this.#owner,
      batch: flow?.fence.batch ?? 0,
      settled: flow?.fence.settled ?? 0,
      journaled: this.#journal.journaled,
      outbox: flow?.outboxLength ?? 0,
      liveOrders: this.#state?.engine.size ?? 0,
      stateHash: this.#state?.engine.stateHash() ?? '',
      halted: this.#journal.haltReason,
    };
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    await this.hub.beat(Date.now());
    const due = this.ctx.storage.kv.get<number>(BOOK_DUE_KEY);
    if (due !== undefined && (due <= Date.now() || this.#journal.hasOutbox)) await this.#drain();
    else if (due !== undefined) this.#setAlarm(due);
    this.#scheduleBeat();
  }

  /** Settles what a crash has left and expires what is due. */
  async #drain(): Promise<void> {
    this.#bookDueAt = Number.POSITIVE_INFINITY;
    const flow = this.#flow ?? (await this.#start());
    if (flow === null) {
      this.#scheduleAlarm();
      return;
    }
    flow.kick();
    await flow.settled(SETTLED_WAIT_MS);
    const expiry = this.#state?.engine.nextExpiry() ?? null;
    if (flow.outboxLength > 0) this.#scheduleAlarm();
    else if (expiry !== null) this.#setBookAlarm(expiry);
    else this.ctx.storage.kv.delete(BOOK_DUE_KEY);
  }

  /** Test objects wait and kill here. */
  protected step(_point: CyclePoint): Promise<void> | undefined {
    return undefined;
  }

  #symbol(): string {
    const name = this.ctx.id.name;
    if (name === undefined) throw new Error('an order book is addressed by its symbol');
    return name;
  }

  /** The book with its flow running, as its feeds need it. */
  async #recovered(): Promise<BookState | null> {
    if (this.#state === null) await this.#start();
    return this.#state;
  }

  /** All that reading needs: while the ledger is away, the journal alone. Null when there is no such market. */
  async #restored(): Promise<BookState | null> {
    if (this.#state !== null || (await this.#start()) !== null) return this.#state;
    const market = this.#journal.market;
    return market === null ? null : this.#replay(market).state;
  }

  /** Recovery in the order of DESIGN 8: snapshot, replay, fence, release. Null when D1 is out of reach or there is no such market. */
  #start(): Promise<OrderFlow | null> {
    this.#starting ??= this.#recover().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #recover(): Promise<OrderFlow | null> {
    for (let tries = 0; tries < START_TRIES_MAX; tries++) {
      try {
        const config = await readBookConfig(this.env.DB, this.#symbol());
        return config === null ? null : await this.#takeOver(config);
      } catch (error) {
        this.#log('warn', 'book could not start', error instanceof Error ? error.message : String(error));
        await new Promise((resolve) => setTimeout(resolve, START_RETRY_MS_MIN * 2 ** tries));
      }
    }
    return null;
  }

  async #takeOver(config: BookConfig): Promise<OrderFlow> {
    this.#journal.saveMarket(config.market);
    const { state, outbox, lastBatch } = this.#replay(config.market);
    const { batch, settled, unjournaled } = await this.#ledger.takeOwnership(
      config.market.symbol,
      this.#owner,
      lastBatch,
    );
    const next = outbox.find((row) => row.seq > settled)?.seq ?? this.#journal.outboxEnd + 1;
    if (next !== settled + 1) {
      this.#journal.halt(`D1 has settled ${settled}, and the outbox goes on with ${next}`);
      this.#log('error', 'book halted', 'the outbox does not continue where D1 has settled');
    }
    if (unjournaled.length > 0 && this.#journal.haltReason === null) {
      const entry = {
        time: Math.max(state.time, Date.now()),
        batch,
        commands: [{ type: 'release' as const, holds: unjournaled }],
      };
      outbox.push(...this.#journal.append(entry, state.run(entry).chunks, () => this.#scheduleAlarm()));
    }
    const flow = new OrderFlow(this.#host(), state, config, { batch, settled }, outbox);
    this.#state = state;
    this.#flow = flow;
    this.#feed.begin(state);
    // A halt that the last instance did not get to carry out.
    if (!isOpen(config)) void flow.reconfigure(config);
    flow.kick();
    return flow;
  }

  #replay(market: BookMarket): { state: BookState; outbox: ReturnType<Journal['append']>; lastBatch: number } {
    const restored = this.#journal.restore();
    const state = new BookState(market, restored.snapshot);
    for (const { entry, gave } of restored.entries) {
      const { chunks } = state.run(entry);
      this.#feed.remember(chunks);
      if (!gave(chunks)) {
        this.#journal.halt('replay of the journal gave other effects than were journaled');
        this.#log('error', 'book halted', 'replay differs');
        break;
      }
    }
    return { state, outbox: restored.outbox, lastBatch: restored.lastBatch };
  }

  #host(): FlowHost {
    return {
      ledger: this.#ledger,
      journal: this.#journal,
      owner: this.#owner,
      now: () => Date.now(),
      scheduleAlarm: () => this.#scheduleAlarm(),
      abort: (reason) => {
        this.#log('error', 'book gives up', reason);
        this.ctx.abort(reason);
        throw new Error(reason);
      },
      alert: (reason) => this.#log('error', 'book halted', reason),
      warn: (reason) => this.#log('warn', 'the ledger did not answer', reason),
      journaled: (outcome) => this.#feed.publish(outcome),
      rulesDiffer: () => this.#readRulesAgain(),
      settled: (chunks) => {
        this.#feed.settled(chunks);
        this.#losses.settled(chunks);
      },
      step: (point) => this.step(point),
    };
  }

  /** An operator's change may have been lost on its way here. */
  #readRulesAgain(): void {
    this.#readingRules ??= this.reconfigure()
      .catch((error) => this.#log('warn', 'the rules could not be read', String(error)))
      .then(() => {
        this.#readingRules = null;
      });
  }

  #scheduleAlarm(): void {
    const drainAt = Date.now() + DRAIN_AFTER_MS;
    const at = Math.min(drainAt, this.#state?.engine.nextExpiry() ?? drainAt);
    if (this.#bookDueAt > at || this.#bookDueAt <= Date.now()) this.#setBookAlarm(at);
  }

  #setBookAlarm(at: number): void {
    this.#bookDueAt = at;
    this.ctx.storage.kv.put(BOOK_DUE_KEY, at);
    this.#setAlarm(at);
  }

  #scheduleBeat(): void {
    const at = this.hub.nextBeat(Date.now());
    if (at !== null) this.#setAlarm(at);
  }

  /** The alarm rings at the earliest time that anyone has asked for. */
  #setAlarm(at: number): void {
    if (this.#alarmAt <= at && this.#alarmAt > Date.now()) return;
    this.#alarmAt = at;
    void this.ctx.storage.setAlarm(at);
  }

  #log(level: 'warn' | 'error', message: string, reason: string): void {
    console[level](JSON.stringify({ level, message, book: this.ctx.id.name, owner: this.#owner, reason }));
  }
}
