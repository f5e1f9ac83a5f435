import { DurableObject } from 'cloudflare:workers';
import { type BookConfig, readBookConfig } from '../../data/markets/book-config.ts';
import type { BrokerClient, BrokerEvent } from '../../domain/broker/broker-client.ts';
import type { ReservationRow } from '../../domain/ledger/outcomes.ts';
import { type BookMarket, isAtBroker, type VenueRoute } from '../../domain/markets/market.ts';
import { assertStorable } from '../../domain/order-entry/assert-storable.ts';
import { venueOf } from '../broker/broker-of.ts';
import { Hub } from '../fan-out/hub.ts';
import { ListedMarkets } from '../fan-out/listed-markets.ts';
import { log } from '../log/log.ts';
import { isOpen } from './admission/admission-request.ts';
import { holdsIn } from './admission/ledger-order.ts';
import {
  type BookCommand,
  type BookDepth,
  type BookResult,
  type BookStatus,
  type BookTicker,
  COMMANDS_PER_CALL_MAX,
  type Interest,
  type OpenOrders,
  type OpenOrdersQuery,
  type OrderBookApi,
  SETTLED_WAIT_MS,
} from './api.ts';
import { BookAlarm } from './cycle/book-alarm.ts';
import { BookState } from './cycle/book-state.ts';
import type { CyclePoint, FlowHost } from './cycle/flow-host.ts';
import { OrderFlow } from './cycle/order-flow.ts';
import { idOf } from './cycle/pending-command.ts';
import type { Level, TakerTerms } from './engine/engine.ts';
import type { VenueEngine } from './engine/venue/venue-engine.ts';
import { BookFeed } from './feed/book-feed.ts';
import { continuityFailure } from './journal/continuity.ts';
import { BOOK_CODE, type BookCode } from './journal/engine-version.ts';
import { Journal, type OutboxRow } from './journal/journal.ts';
import { BrokerLink } from './routing/broker-link.ts';
import { commandsOf, resultsText } from './rpc/call-text.ts';
import { interestsIn } from './rpc/interests-in.ts';
import { openOrdersIn } from './rpc/open-orders-in.ts';
import type { ToldAdjustment } from './rpc/told-adjustment.ts';
import { answeredWithin } from './settlement/answer-watch.ts';
import { type BookLedger, objectBookLedger, type Taken } from './settlement/book-ledger.ts';

/** When the book itself, and not its sockets, wants the alarm: an object has but one. */
const BOOK_DUE_KEY = 'book_due';
const START_RETRY_MS_MIN = 10;
const START_TRIES_MAX = 8;
const START_WITHIN_MS = 5_000;
/** Longest wait for D1 to answer a question for one row. */
const D1_WAIT_MS = 2_000;
/** Least time between two readings of the rules that stale commands ask for. */
const RULES_REST_MS = 200;

/** What the journal alone says of a book. */
interface Replayed {
  readonly state: BookState;
  readonly outbox: OutboxRow[];
  /** Why the replay stopped short; null when it is whole. */
  readonly failure: string | null;
}

/** The order book of one market: its name is the market's symbol (docs/design/order-path.md). */
export class OrderBook extends DurableObject<Env> implements OrderBookApi {
  readonly #journal: Journal;
  readonly #ledger: BookLedger;
  readonly #feed: BookFeed;
  /** Its sockets; test objects speak through them. */
  protected readonly hub: Hub;
  readonly #alarm: BookAlarm;
  /** Why this code touches nothing: the journal is of a version that it does not have. Not stored: other code goes on. */
  #versionFailure: string | null = null;
  /** Both from the first replay on, whether the ledger is there or not. */
  #state: BookState | null = null;
  #flow: OrderFlow | null = null;
  /** To the broker, of a routed market; null where orders match here. */
  #link: BrokerLink | null = null;
  /** The last attempt to take ownership has failed: calls that need no ownership do not wait for the next attempt. */
  #isCutOff = false;
  #starting: Promise<OrderFlow | null> | null = null;
  /** The present or last reading of the rules, and the one that follows it. */
  #reading: Promise<boolean> = Promise.resolve(true);
  #nextReading: Promise<boolean> | null = null;
  #rulesAskedAt = 0;
  #alarmAt = Number.POSITIVE_INFINITY;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#journal = new Journal(ctx.storage, this.code);
    this.#ledger = objectBookLedger(env, (ms, ring) => this.timer(ms, ring));
    this.#alarm = new BookAlarm({
      now: () => Date.now(),
      random: () => Math.random(),
      get: () => ctx.storage.kv.get<number>(BOOK_DUE_KEY),
      put: (at) => ctx.storage.kv.put(BOOK_DUE_KEY, at),
      clear: () => ctx.storage.kv.delete(BOOK_DUE_KEY),
      wakeAt: (at) => this.#setAlarm(at),
    });
    this.#feed = new BookFeed({
      storage: ctx.storage,
      book: () => this.#restored(),
      config: () => this.#flow?.config ?? this.#journal.config,
    });
    this.hub = new Hub(ctx, env, { kind: 'book', source: this.#feed, markets: new ListedMarkets(env) });
    this.#feed.attach(this.hub);
    // An alarm that is set later must not replace an earlier one that another instance has set.
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
    for (const command of commands)
      if (command.type === 'place' || command.type === 'reject') assertStorable(command.terms);
    const waits = !this.#isCutOff || !commands.every(needsNoLedger);
    const flow = this.#owning ?? (waits ? await this.#start() : null) ?? this.#flow;
    if (flow === null) return commands.map((command) => ({ type: 'unavailable', orderId: idOf(command) }));
    return flow.submit(commands);
  }

  async submitText(commands: string): Promise<string> {
    return resultsText(await this.submit(commandsOf(commands)));
  }

  async depth(levels: number): Promise<BookDepth> {
    const state = await this.#restored();
    if (state === null) return { sequence: 0, bids: [], asks: [], timestamp: Date.now() };
    return { sequence: state.view.bookSequence, ...state.publicDepth(levels), timestamp: state.view.changedAt };
  }

  async depthFor(taker: TakerTerms, levels: number): Promise<Level[]> {
    return (await this.#restored())?.engine.depthFor(taker, levels) ?? [];
  }

  async ticker(): Promise<BookTicker> {
    const state = await this.#restored();
    const now = Date.now();
    if (state === null)
      return { bid: null, ask: null, last: null, going: null, reference: null, haltedUntil: null, timestamp: now };
    const { bids, asks } = state.publicDepth(1);
    const { last: going, reference } = state.pricesAt(now);
    return {
      bid: bids[0]?.[0] ?? null,
      ask: asks[0]?.[0] ?? null,
      last: state.engine.lastPrice(),
      going,
      reference,
      haltedUntil: state.band.isHaltedAt(now) ? state.band.haltedUntil : null,
      timestamp: state.view.changedAt,
    };
  }

  async openOrders(account: string, query: OpenOrdersQuery): Promise<OpenOrders | null> {
    const flow = this.#owning ?? (await this.#start());
    // What a halted book has may not be right.
    if (flow === null || this.#state === null || this.#journal.haltReason !== null) return null;
    return openOrdersIn(this.#state, account, query);
  }

  async interests(): Promise<Interest[] | null> {
    const flow = this.#owning ?? (await this.#start());
    if (flow === null || this.#state === null || this.#journal.haltReason !== null) return null;
    return interestsIn(this.#state);
  }

  async settled(): Promise<boolean> {
    const flow = this.#owning ?? (await this.#start());
    return flow === null ? false : flow.settled(SETTLED_WAIT_MS);
  }

  /** One reading at a time, since an older one that is answered last would win. Callers meanwhile share the reading that follows it. */
  reconfigure(): Promise<boolean> {
    this.#nextReading ??= this.#reading.then(() => {
      this.#nextReading = null;
      this.#reading = this.#readRules();
      return this.#reading;
    });
    return this.#nextReading;
  }

  async #readRules(): Promise<boolean> {
    const flow = this.#owning ?? (await this.#start());
    if (flow === null) return false;
    try {
      // An operator's change reaches D1 through the ledger.
      if (!(await this.#ledger.projected())) return false;
      const config = await this.#configInD1();
      if (config === null) return false;
      this.#journal.saveConfig(config);
      const done = flow.reconfigure(config);
      this.#feed.reconfigured();
      // Other hours may let go what waits.
      this.#link?.kick();
      return await done;
    } catch (error) {
      this.#log('warn', 'the rules could not be read', String(error));
      return false;
    }
  }

  async tellAdjustment(told: ToldAdjustment): Promise<void> {
    await this.#restored();
    this.#feed.tellAdjustment(told);
  }

  async hearBroker(): Promise<void> {
    if ((this.#owning ?? (await this.#start())) === null) return;
    this.#link?.listen();
    await this.#link?.idle();
  }

  async tellOfBroker(events: readonly BrokerEvent[]): Promise<boolean> {
    if ((this.#owning ?? (await this.#start())) === null) return false;
    return (await this.#link?.hear(events)) ?? false;
  }

  async status(): Promise<BookStatus> {
    const flow = this.#owning ?? (await this.#start()) ?? this.#flow;
    return {
      market: (flow?.config ?? this.#journal.config)?.market.status ?? 'closed',
      owner: this.#owner,
      batch: flow?.fence.batch ?? 0,
      settled: flow?.fence.settled ?? 0,
      journaled: this.#journal.journaled,
      outbox: flow?.outboxLength ?? 0,
      queued: flow?.queueLength ?? 0,
      liveOrders: this.#state?.engine.size ?? 0,
      haltedUntil: this.#state?.band.haltedUntil ?? null,
      halted: this.#versionFailure ?? this.#journal.haltReason,
    };
  }

  async stateHash(): Promise<{ journaled: number; stateHash: string } | null> {
    await this.#restored();
    const stateHash = this.#state?.engine.stateHash();
    return stateHash === undefined ? null : { journaled: this.#journal.journaled, stateHash };
  }

  async holds(): Promise<ReservationRow[] | null> {
    const flow = this.#owning ?? (await this.#start());
    return flow?.isStill && this.#state !== null ? holdsIn(this.#state.orders.values()) : null;
  }

  async resume(): Promise<BookStatus> {
    if (this.#owning === null) await this.#start();
    if (this.#journal.haltReason !== null) {
      this.#log('warn', 'book resumed by an operator', this.#journal.haltReason);
      this.#flow?.stop();
      this.#flow = null;
      this.#link = null;
      this.#state = null;
      this.#isCutOff = false;
      this.#journal.resume();
    }
    return this.status();
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    await this.hub.beat(Date.now());
    if (this.#alarm.woken(this.#journal.hasOutbox)) await this.#drain();
    this.#scheduleBeat();
  }

  /** Settles what a crash has left and expires what is due. */
  async #drain(): Promise<void> {
    const flow = this.#owning ?? (await this.#start());
    if (flow === null) {
      this.#alarm.couldNotStart();
      return;
    }
    flow.kick();
    this.#link?.kick();
    await Promise.all([flow.settled(SETTLED_WAIT_MS), this.#link?.idle()]);
    const nextDue = this.#nextDue;
    // One that is resumed starts anew and drains then.
    const isHalted = this.#journal.haltReason !== null;
    if (flow.outboxLength > 0 && !isHalted) this.#alarm.afterCycle(nextDue);
    else this.#alarm.drained(isHalted ? null : nextDue);
  }

  /** Rings after so many milliseconds; test objects have another clock. */
  protected timer(ms: number, ring: () => void): () => void {
    const timer = setTimeout(ring, ms);
    return () => clearTimeout(timer);
  }

  /** The broker that orders of a routed market go to; test objects have one that fails as they like. */
  protected brokerFor(route: VenueRoute): BrokerClient {
    return venueOf(this.env, route);
  }

  /** Tests upgrade a book to other code. */
  protected get code(): BookCode {
    return BOOK_CODE;
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

  /** The book, if this instance owns it in the ledger. */
  get #owning(): OrderFlow | null {
    return this.#flow?.isOwner ? this.#flow : null;
  }

  get #owner(): string {
    return this.#owning?.owner ?? '';
  }

  /** All that reading needs, which is the journal: whether the ledger is there or not. Null when there is no such market. */
  async #restored(): Promise<BookState | null> {
    if (this.#flow === null) {
      if (this.#isOfOtherVersion()) throw new Error(this.#versionFailure ?? '');
      const config = this.#journal.config ?? (await this.#readConfig().catch(() => null));
      if (config === null) return null;
      this.#flow ??= this.#restore(config);
    }
    if (!this.#flow.isOwner) void this.#start();
    return this.#state;
  }

  /** The steps of docs/design/order-path.md#recovery. Null when the ledger is out of reach or there is no such market. */
  #start(): Promise<OrderFlow | null> {
    this.#starting ??= this.#recover().finally(() => {
      this.#starting = null;
    });
    return this.#starting;
  }

  async #recover(): Promise<OrderFlow | null> {
    if (this.#isOfOtherVersion()) return null;
    const until = Date.now() + START_WITHIN_MS;
    for (let tries = 0; tries < START_TRIES_MAX && Date.now() < until; tries++) {
      try {
        const config = await this.#readConfig();
        if (config === null) return null;
        this.#flow ??= this.#restore(config);
        this.#flow.goBy(config);
        await this.#takeOver(this.#flow, config);
        this.#isCutOff = false;
        return this.#flow;
      } catch (error) {
        this.#log('warn', 'book could not start', error instanceof Error ? error.message : String(error));
        await new Promise<void>((resolve) => this.timer(START_RETRY_MS_MIN * 2 ** tries, resolve));
      }
    }
    this.#isCutOff = true;
    return null;
  }

  #isOfOtherVersion(): boolean {
    if (this.#versionFailure !== null) return true;
    this.#versionFailure = this.#journal.versionFailure();
    if (this.#versionFailure === null) return false;
    this.#log('error', 'book stands still', this.#versionFailure);
    return true;
  }

  /** The market as D1 has it; while D1 is away, as it was read last. What has changed since, the ledger refuses as stale. */
  async #readConfig(): Promise<BookConfig | null> {
    try {
      const config = await this.#configInD1();
      if (config !== null) this.#journal.saveConfig(config);
      return config;
    } catch (error) {
      const last = this.#journal.config;
      if (last === null) throw error;
      this.#log('warn', 'the rules are those that were read last', String(error));
      return last;
    }
  }

  /** @throws when D1 fails, or does not answer */
  #configInD1(): Promise<BookConfig | null> {
    const timer = (ms: number, ring: () => void): (() => void) => this.timer(ms, ring);
    return answeredWithin(timer, D1_WAIT_MS, readBookConfig(this.env.DB, this.#symbol()));
  }

  /** The book as its journal says. It takes cancels from here on; the ledger may be away. */
  #restore(config: BookConfig): OrderFlow {
    const { state, outbox, failure } = this.#replay(config.market);
    if (failure !== null) this.#halt(failure);
    this.#state = state;
    this.#link = state.venue === null ? null : this.#linkOf(state, state.venue);
    this.#feed.begin(state);
    const start = { confirmed: this.#journal.settledSeq, outbox, isStateRight: failure === null };
    return new OrderFlow(this.#host(crypto.randomUUID()), state, config, start);
  }

  /** Makes this instance the book's owner in the ledger, and gives back what an earlier one has left there. */
  async #takeOver(flow: OrderFlow, config: BookConfig): Promise<void> {
    const ownership = await this.#ledger.takeOwnership(config.market.symbol, flow.owner, this.#journal.lastBatch);
    if (this.#flow !== flow) throw new Error('the book was resumed meanwhile');
    if (ownership.type === 'fenced') return this.#abort(`book was taken over by ${ownership.owner}`);
    const { batch, settled, unjournaled } = ownership;
    const discontinuity = continuityFailure(ownership, {
      lastBatch: this.#journal.lastBatch,
      confirmed: this.#journal.settledSeq,
      nextOutbox: flow.firstOutboxAfter(settled),
      outboxEnd: this.#journal.outboxEnd,
    });
    if (discontinuity === null) this.#journal.settled(settled);
    else this.#halt(discontinuity);
    flow.own({ batch, settled });
    if (unjournaled.length > 0 && this.#journal.haltReason === null) flow.release(unjournaled);
    // D1 may show the past, so a halt is what the ledger says; here is one that the last instance did not get to carry out.
    const agreed = asLedgerSays(config, ownership);
    flow.goBy(agreed);
    if (!isOpen(agreed) || flow.isBeforeSplit) void flow.reconfigure(agreed);
    this.#feed.reconfigured();
    flow.kick();
    this.#link?.kick();
  }

  /** A routed market's way to the broker: it acts only for the instance that owns the book. */
  #linkOf(state: BookState, venue: VenueEngine): BrokerLink {
    const route = isAtBroker(state.market) ? state.market.route : 'broker';
    const owning = (): OrderFlow | null => (this.#state === state ? this.#owning : null);
    return new BrokerLink({
      broker: this.brokerFor(route),
      tellsByItself: route === 'prime',
      market: state.market,
      hours: () => (this.#flow?.config ?? this.#journal.config)?.market.tradingHours,
      engine: () => (owning() === null || this.#journal.haltReason !== null ? null : venue),
      record: (commands) => owning()?.record(commands) ?? false,
      onDisk: () => this.ctx.storage.sync(),
      now: () => Date.now(),
      timer: (ms, ring) => this.timer(ms, ring),
      warn: (reason) => this.#log('warn', 'the broker did not do as asked', reason),
    });
  }

  #replay(market: BookMarket): Replayed {
    const { version, snapshot, rows, outbox } = this.#journal.restore();
    const state = new BookState(market, snapshot, version);
    for (const row of rows) {
      if (row.type === 'broken') return { state, outbox, failure: row.reason };
      state.goBy(row.version);
      const { chunks } = state.run(row.entry);
      this.#feed.remember(chunks);
      if (!row.gave(chunks))
        return { state, outbox, failure: `replay of row ${row.seq} of the journal gave other effects than it had` };
    }
    state.goBy(this.code.current);
    return { state, outbox, failure: null };
  }

  #halt(reason: string): void {
    if (this.#journal.haltReason === null) this.#journal.halt(reason);
    this.#log('error', 'book halted', reason);
  }

  #abort(reason: string): never {
    this.#log('error', 'book gives up', reason);
    this.ctx.abort(reason);
    throw new Error(reason);
  }

  #host(owner: string): FlowHost {
    return {
      ledger: this.#ledger,
      journal: this.#journal,
      owner,
      now: () => Date.now(),
      timer: (ms, ring) => this.timer(ms, ring),
      scheduleAlarm: () => this.#scheduleAlarm(),
      abort: (reason) => this.#abort(reason),
      alert: (reason) => this.#log('error', 'book halted', reason),
      warn: (reason) => this.#log('warn', 'the ledger did not answer', reason),
      journaled: (outcome) => {
        this.#feed.publish(outcome);
        this.#link?.kick();
      },
      rulesDiffer: () => this.#readRulesAgain(),
      settled: (chunks) => this.#feed.settled(chunks),
      step: (point) => this.step(point),
    };
  }

  /** An operator's change may have been lost on its way here. */
  #readRulesAgain(): void {
    if (this.#nextReading !== null || Date.now() < this.#rulesAskedAt + RULES_REST_MS) return;
    this.#rulesAskedAt = Date.now();
    void this.reconfigure();
  }

  #scheduleAlarm(): void {
    this.#alarm.afterCycle(this.#nextDue);
  }

  /** When something is due though nobody asks; null for never. */
  get #nextDue(): number | null {
    const due = [this.#state?.nextDue, this.#link?.nextDue].filter((at) => at != null);
    return due.length === 0 ? null : Math.min(...due);
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

  #log(level: 'warn' | 'error', event: string, reason: string): void {
    log(level, event, { book: this.ctx.id.name, owner: this.#owner, reason });
  }
}

/** Rules of a market with its status as the ledger has it, where D1 shows another version, and the halt of the venue. */
function asLedgerSays(
  { market, ...config }: BookConfig,
  { market: { version, status }, venueHalted }: Pick<Taken, 'market' | 'venueHalted'>,
): BookConfig {
  return { ...config, market: market.rulesVersion === version ? market : { ...market, status }, venueHalted };
}

function needsNoLedger({ type }: BookCommand): boolean {
  return type === 'cancel' || type === 'mass_cancel';
}
