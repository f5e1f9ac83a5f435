import {
  type BrokerClient,
  type BrokerEvent,
  type BrokerOrder,
  type BrokerRefusal,
  type BrokerUnavailable,
  SUBMITTED_MAX,
  type SubmitAnswer,
  WATCHED_MAX,
} from '../../../domain/broker/broker-client.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { opensAt, type TradingHours } from '../../../domain/markets/trading-hours.ts';
import { decimalToScaled } from '../../../domain/money/decimal-text.ts';
import { err, type Result } from '../../../domain/result.ts';
import type { LiveOrder } from '../engine/engine.ts';
import type { BrokerReport } from '../engine/venue/broker-report.ts';
import type { VenueEngine } from '../engine/venue/venue-engine.ts';
import type { JournalCommand } from '../journal/journal-entry.ts';
import { answeredWithin, type Timer } from '../settlement/answer-watch.ts';
import { brokerOrderOf, brokerSymbolOf, replacementOf } from './broker-order.ts';
import { reportOf } from './broker-reports.ts';

/** Orders that were sent and that the broker has not been heard to have: of a broker that takes one a call, and of one that takes many. */
const HANDED_OVER_MAX = 64;
const HANDED_OVER_MAX_WHERE_MANY = 256;
/** Calls to the broker at the same time. */
const CALLS_AT_ONCE = 8;
/** Ends that one pass asks for: fills are read before the next ones. */
const ENDS_PER_PASS_MAX = 64;
/** Orders of which one pass asks for other terms. */
const REPLACEMENTS_PER_PASS_MAX = 64;
/** Whether the broker has given them is looked up this long after they were asked for first: not each broker tells it by an event. */
const LOOK_AFTER_MS = 500;
/** Orders that one pass ends because their market has closed. */
const ENDED_AT_CLOSE_MAX = 256;
/** Pages of events that one pass reads. */
const PAGES_MAX = 20;
/** What is asked for again where nothing came of it. */
const ASK_AGAIN_MS = 5_000;
/** Events are asked for this long after the last time; twice as long each time that nothing came. */
const POLL_MS_MIN = 500;
const POLL_MS_MAX = 5_000;
/** The same where the broker tells by itself: so long without a word, something may be lost. */
const SILENCE_MS_MIN = 10_000;
const SILENCE_MS_MAX = 300_000;
/** Events are read anew from the first on so long after the last time; twice as long where the cursor does not hold even that long. */
const REREAD_MS_MIN = 500;
const REREAD_MS_MAX = 30_000;
/** Reports that came unasked until the place in the broker's events is moved on: what lies behind it must not be forgotten here. */
const HEARD_MAX = 1_000;
/** What was just sent is answered soon: events are asked for so many times at once, with a pause that doubles. */
const QUICK_POLLS_MAX = 6;
const QUICK_POLL_MS = 10;
/** A broker that is away is left alone for so long; twice as long each time. */
const AWAY_MS_MIN = 250;
const AWAY_MS_MAX = 30_000;
/** Longest wait for an answer of the broker: a call that hangs counts as one that it did not answer. */
const ANSWER_WAIT_MS = 15_000;

/** A request that was sent longer ago than this arrives no more. */
const REQUEST_LIFE_MS = 30_000;
/** When an order was sent that was handed over and not yet sent. */
const NOT_SENT = Number.NEGATIVE_INFINITY;

interface AskedReplacement {
  readonly revision: number;
  readonly askedAt: number;
  /** When it is asked for, or looked up, again. */
  readonly dueAt: number;
}

/** What the link needs of the book that it stands in. */
export interface BrokerLinkHost {
  readonly broker: BrokerClient;
  /** What happens there is told to the book: it asks for events only where it has heard nothing for too long. */
  readonly tellsByItself: boolean;
  readonly market: BookMarket;
  /** Of the market, as its rules are now. */
  hours(): TradingHours | undefined;
  /** The book's engine; null while it may not act: it does not own its market, or stands still. */
  engine(): VenueEngine | null;
  /** Journals and applies; false while the book stands still. */
  record(commands: readonly JournalCommand[]): boolean;
  /** Resolves once what was journaled is on disk: nothing is sent that a crash could undo. */
  onDisk(): Promise<void>;
  now(): number;
  readonly timer: Timer;
  warn(reason: string): void;
}

/**
 * Between a routed market's book and the broker (docs/design/broker.md#handing-over). What is to be sent follows from journaled state alone, and is
 * sent once that is on disk, as often as it takes: the broker knows a repetition by the order's id. What the broker says is journaled with the
 * place in its events from which to read on. So a crash at any point repeats, and loses nothing.
 */
export class BrokerLink {
  readonly #host: BrokerLinkHost;
  #running: Promise<void> | null = null;
  #isAsked = false;
  #awayUntil = 0;
  #awayFor_ms = 0;
  #pollAt = 0;
  #pollPause_ms: number;
  /** Before this nothing is read anew from its first event on. */
  #rereadAt = 0;
  #rereadPause_ms = 0;
  /** Reports that came unasked since events were read last. */
  #heard = 0;
  #isHurried = false;
  /** What the calls of a pass came to: whether any was answered, and of those that were not the one that asks for most patience. */
  #isAnswered = false;
  #unanswered: BrokerUnavailable | null = null;
  /** When an order was sent last; of one that an earlier instance handed over, when this one has found it. */
  readonly #sent = new Map<string, number>();
  /** When the end of an order was asked for, the oldest first; forgotten once it is time to ask again. */
  readonly #cancelsSent = new Map<string, number>();

  /** Other terms that were asked for, the oldest first; forgotten after a time, and then asked for as if for the first time. */
  readonly #replacementsAsked = new Map<string, AskedReplacement>();

  constructor(host: BrokerLinkHost) {
    this.#host = host;
    this.#pollPause_ms = this.#pauses.min_ms;
  }

  /** Sends what is to be sent and reads what the broker says; one such run at a time. */
  kick(): void {
    this.#isAsked = true;
    // In a turn of its own: what it journals first asks for it again.
    this.#running ??= Promise.resolve()
      .then(() => this.#run())
      .catch((error) => this.#host.warn(error instanceof Error ? error.message : String(error)))
      .finally(() => {
        this.#running = null;
        if (this.#isAsked) this.kick();
      });
  }

  /** Takes what the broker tells by itself; true once that is on disk. False while the book stands still: it is to be told again. */
  async hear(events: readonly BrokerEvent[]): Promise<boolean> {
    const reports = events.map((event) => reportOf(event, this.#host.market));
    if (!this.#report(reports, null)) return false;
    this.#heard += reports.length;
    if (this.#lacksSomething(reports)) this.listen();
    await this.#host.onDisk();
    return true;
  }

  /** An order that is complete by the broker's word, and of which executions are missing here: what told of them may be lost. */
  #lacksSomething(reports: readonly BrokerReport[]): boolean {
    const engine = this.#host.engine();
    return reports.some(
      (report) => 'fillsOrder' in report && report.fillsOrder && engine?.order(report.orderId) !== undefined,
    );
  }

  /** Reads what the broker says now, whatever it tells by itself. */
  listen(): void {
    this.#pollAt = 0;
    this.kick();
  }

  /** Ends with the run that is under way, if there is one. */
  async idle(): Promise<void> {
    await this.#running;
  }

  /** When the book is to be woken though nothing happens here: an order is at the broker, or is to be sent there. Null for never. */
  get nextDue(): number | null {
    const engine = this.#host.engine();
    if (engine === null || engine.size === 0) return null;
    const isAnyDue = engine.isAnySent || engine.waitingImmediates(1).length > 0;
    const opens = isAnyDue ? null : opensAt(this.#host.hours(), this.#host.now());
    if (opens !== null) return Math.max(this.#awayUntil, opens);
    const pollAt = this.#host.tellsByItself && engine.hasToSend ? 0 : this.#pollAt;
    return Math.max(this.#awayUntil, pollAt, this.#host.now() + POLL_MS_MIN);
  }

  get #pauses(): { readonly min_ms: number; readonly max_ms: number } {
    return this.#host.tellsByItself
      ? { min_ms: SILENCE_MS_MIN, max_ms: SILENCE_MS_MAX }
      : { min_ms: POLL_MS_MIN, max_ms: POLL_MS_MAX };
  }

  /** A broker that tells by itself is read before anything is sent: what becomes of that is for it to tell. */
  get #steps() {
    const sending = [this.#submit, this.#askForEnds, this.#askForReplacements];
    if (!this.#host.tellsByItself) return [...sending, this.#readEvents];
    const isSilent = this.#host.now() >= this.#pollAt || this.#heard >= HEARD_MAX;
    return isSilent ? [this.#readEvents, ...sending] : sending;
  }

  /** Something was sent: a broker that tells by itself is asked where it is silent for too long from now on. */
  #expectWord(): void {
    if (!this.#host.tellsByItself) {
      this.#isHurried = true;
      return;
    }
    this.#pollPause_ms = SILENCE_MS_MIN;
    this.#pollAt = Math.min(this.#pollAt, this.#host.now() + SILENCE_MS_MIN);
  }

  get #takesMany(): boolean {
    return this.#host.broker.submitMany !== undefined;
  }

  async #run(): Promise<void> {
    let quickPolls = 0;
    while (this.#isAsked) {
      this.#isAsked = false;
      const engine = this.#host.engine();
      if (engine === null || this.#host.now() < this.#awayUntil) return;
      await this.#pass(engine);
      if (this.#isAsked || !this.#isHurried || engine.size === 0) continue;
      if (quickPolls === QUICK_POLLS_MAX) this.#isHurried = false;
      else {
        await this.#pause(QUICK_POLL_MS * 2 ** quickPolls++);
        this.#isAsked = true;
      }
    }
  }

  async #pass(engine: VenueEngine): Promise<void> {
    const handedOverMax = this.#takesMany ? HANDED_OVER_MAX_WHERE_MANY : HANDED_OVER_MAX;
    if (this.#isClosed && !this.#endImmediates(engine)) return;
    const waiting = this.#isClosed ? [] : engine.waiting(handedOverMax - engine.handedOver().length);
    if (waiting.length > 0) {
      if (!this.#host.record([{ type: 'hand_over', orderIds: waiting }])) return;
      for (const orderId of waiting) this.#sent.set(orderId, NOT_SENT);
      this.#expectWord();
    }
    await this.#host.onDisk();
    this.#isAnswered = false;
    this.#unanswered = null;
    // One order that gets no answer keeps nobody's cancels and fills waiting.
    for (const step of this.#steps) {
      await step.call(this, engine);
      if (this.#isAskedForPatience()) break;
    }
    this.#backOff();
  }

  /** While the market is closed, orders that can wait do. Those that cannot, and were not sent while it was open, have ended unfilled. */
  #endImmediates(engine: VenueEngine): boolean {
    const at = this.#host.now();
    const ended = engine.waitingImmediates(ENDED_AT_CLOSE_MAX);
    this.#isAsked ||= ended.length === ENDED_AT_CLOSE_MAX;
    const reports = ended.map(
      (orderId): BrokerReport => ({
        type: 'done',
        id: `closed:${orderId}`,
        orderId,
        at,
        outcome: 'cancelled',
        filled: 0,
      }),
    );
    return this.#report(reports, null);
  }

  get #isClosed(): boolean {
    return opensAt(this.#host.hours(), this.#host.now()) !== null;
  }

  async #submit(engine: VenueEngine): Promise<void> {
    const reports: BrokerReport[] = [];
    const handed = engine.handedOver();
    const known = new Set(handed);
    for (const orderId of this.#sent.keys()) if (!known.has(orderId)) this.#sent.delete(orderId);
    for (const orderId of handed) if (!this.#sent.has(orderId)) this.#sent.set(orderId, this.#host.now());
    const wanted = handed.filter((orderId) => engine.isEndWanted(orderId));
    await this.#each(wanted, (orderId) => this.#withdraw(orderId, reports));
    const ordersPerCall = this.#takesMany ? SUBMITTED_MAX : 1;
    const calls: string[][] = [];
    for (let at = 0; at < handed.length; at += ordersPerCall) calls.push(handed.slice(at, at + ordersPerCall));
    await this.#each(calls, (orderIds) => this.#handOver(engine, orderIds, reports));
    this.#report(reports, null);
  }

  /** One call to the broker. An order whose end is wanted by now is left out, and so is one whose time is over: its end is about to be. */
  async #handOver(engine: VenueEngine, orderIds: readonly string[], reports: BrokerReport[]): Promise<boolean> {
    const now = this.#host.now();
    const sent = orderIds
      .filter((orderId) => !engine.isEndWanted(orderId))
      .flatMap((orderId) => engine.order(orderId) ?? [])
      .filter(({ timeInForce, expiresAt }) => timeInForce !== 'GTD' || expiresAt > now);
    if (sent.length === 0) return true;
    for (const { orderId } of sent) this.#sent.set(orderId, now);
    const answers = await this.#submitted(sent);
    for (const [at, answer] of answers.entries()) {
      const { orderId } = sent[at] as LiveOrder;
      if (!this.#isThere(answer)) continue;
      if (answer.ok) reports.push({ type: 'taken', orderId });
      else if (answer.error.reason === 'refused') reports.push(this.#refused(orderId, answer.error));
    }
    return answers.every((answer) => answer.ok || answer.error.reason === 'refused');
  }

  async #submitted(orders: readonly LiveOrder[]): Promise<readonly SubmitAnswer[]> {
    const { broker, market } = this.#host;
    const terms = orders.map((order) => brokerOrderOf(order, market));
    if (broker.submitMany === undefined) return Promise.all(terms.map((order) => this.#answer(broker.submit(order))));
    const answer = await this.#answer(broker.submitMany(brokerSymbolOf(market), terms));
    return answer.ok ? answer.value : orders.map(() => answer);
  }

  /** An order whose end is wanted is sent no more: either the broker has it, or it never will. */
  async #withdraw(orderId: string, reports: BrokerReport[]): Promise<boolean> {
    const sent = this.#sent.get(orderId) ?? this.#host.now();
    const at = this.#host.now();
    if (sent !== NOT_SENT) {
      const found = await this.#answer(this.#host.broker.order(brokerSymbolOf(this.#host.market), orderId));
      if (!this.#isThere(found)) return false;
      if (!found.ok) return true;
      if (found.value !== null) reports.push({ type: 'taken', orderId });
      if (found.value !== null || at < sent + REQUEST_LIFE_MS) return true;
    }
    reports.push({ type: 'done', id: `withdrawn:${orderId}`, orderId, at, outcome: 'cancelled', filled: 0 });
    return true;
  }

  /** The broker has never had the order, and never will. */
  #refused(orderId: string, { code, detail }: BrokerRefusal): BrokerReport {
    this.#host.warn(`the broker refuses order ${orderId}: ${code}, ${detail}`);
    return { type: 'done', id: `refused:${orderId}`, orderId, at: this.#host.now(), outcome: 'rejected', filled: 0 };
  }

  async #askForEnds(engine: VenueEngine): Promise<void> {
    const due = this.#dueEnds(engine);
    // The others have their turn once the broker was read.
    this.#isAsked ||= due.length === ENDS_PER_PASS_MAX;
    await this.#each(due, async (orderId) => {
      const asked = await this.#answer(this.#host.broker.cancel(brokerSymbolOf(this.#host.market), orderId));
      if (!this.#isThere(asked)) return false;
      // What the broker refuses to end has ended there, which its events say.
      this.#cancelsSent.set(orderId, this.#host.now());
      this.#expectWord();
      return true;
    });
  }

  /** Wanted ends that were not asked for lately, so many that the broker is read between them. */
  #dueEnds(engine: VenueEngine): string[] {
    const before = this.#host.now() - ASK_AGAIN_MS;
    for (const [orderId, at] of this.#cancelsSent) {
      if (at > before) break;
      this.#cancelsSent.delete(orderId);
    }
    return engine.endsWanted(ENDS_PER_PASS_MAX, (orderId) => !this.#cancelsSent.has(orderId));
  }

  async #askForReplacements(engine: VenueEngine): Promise<void> {
    const now = this.#host.now();
    for (const [orderId, { askedAt }] of this.#replacementsAsked) {
      if (askedAt > now - REQUEST_LIFE_MS) break;
      this.#replacementsAsked.delete(orderId);
    }
    const due = engine.replacementsWanted(REPLACEMENTS_PER_PASS_MAX, (orderId) => {
      const asked = this.#replacementsAsked.get(orderId);
      return asked === undefined || asked.revision !== engine.replacement(orderId)?.revision || asked.dueAt <= now;
    });
    this.#isAsked ||= due.length === REPLACEMENTS_PER_PASS_MAX;
    const reports: BrokerReport[] = [];
    await this.#each(due, (orderId) => this.#replace(engine, orderId, reports));
    this.#report(reports, null);
  }

  /** Asks for other terms, or, where that was done, what came of it. */
  async #replace(engine: VenueEngine, orderId: string, reports: BrokerReport[]): Promise<boolean> {
    const [order, wanted] = [engine.order(orderId), engine.replacement(orderId)];
    if (order === undefined || wanted === null) return true;
    const { broker, market } = this.#host;
    const symbol = brokerSymbolOf(market);
    const isAsked = this.#replacementsAsked.get(orderId)?.revision === wanted.revision;
    // Of an order whose end is wanted it is only asked which terms it ends with.
    const isEndWanted = engine.isEndWanted(orderId);
    const lookUp = async (whileOpen: BrokerReport | null): Promise<'unanswered' | BrokerReport | null> => {
      const found = await this.#answer(broker.order(symbol, orderId));
      if (!this.#isThere(found) || !found.ok) return 'unanswered';
      return this.#replacementReport(found.value, orderId, wanted.revision) ?? whileOpen;
    };
    let report = isAsked || isEndWanted ? await lookUp(null) : null;
    if (report === null && !isEndWanted) {
      const asked = await this.#answer(broker.replace(symbol, orderId, replacementOf(wanted, market)));
      if (!this.#isThere(asked)) return false;
      this.#expectWord();
      // What is refused may repeat what was carried out before: the order itself says so.
      if (!asked.ok) report = await lookUp(this.#replaceRejected(orderId, wanted.revision));
    }
    if (report === 'unanswered') return false;
    if (report !== null) {
      reports.push(report);
      return true;
    }
    const askedAt = this.#host.now();
    const dueAt = askedAt + (isAsked ? ASK_AGAIN_MS : LOOK_AFTER_MS);
    this.#replacementsAsked.delete(orderId);
    this.#replacementsAsked.set(orderId, { revision: wanted.revision, askedAt, dueAt });
    return true;
  }

  /** What the order at the broker says of a replacement; null where that is under way. */
  #replacementReport(order: BrokerOrder | null, orderId: string, revision: number): BrokerReport | null {
    if (order !== null && order.revision >= revision) {
      const filled = decimalToScaled(order.filled, this.#host.market.quantityScale);
      const [id, at] = [`replaced:${orderId}~${revision}`, this.#host.now()];
      return { type: 'replaced', id, orderId, at, revision, filled: filled.ok ? filled.value : null };
    }
    return order?.status === 'open' ? null : this.#replaceRejected(orderId, revision);
  }

  #replaceRejected(orderId: string, revision: number): BrokerReport {
    return { type: 'replace_rejected', id: `kept:${orderId}~${revision}`, orderId, at: this.#host.now(), revision };
  }

  async #readEvents(engine: VenueEngine): Promise<void> {
    const symbol = brokerSymbolOf(this.#host.market);
    let cursor = engine.cursor;
    let isNew = false;
    let isReread = false;
    for (let page = 0; page < PAGES_MAX; page++) {
      const watched = engine.watched(WATCHED_MAX);
      const answer = await this.#answer(this.#host.broker.events(symbol, cursor, watched));
      if (!this.#isThere(answer)) return;
      if (!answer.ok) {
        if (answer.error.reason === 'unavailable') return;
        const isLost = answer.error.code === 'unknown_cursor' && cursor !== null;
        if (isLost && !this.#mayReread()) return;
        this.#host.warn(`the broker refuses its events after ${cursor}: ${answer.error.code}, ${answer.error.detail}`);
        if (!isLost) return;
        // What the broker still keeps is read from its first event on: what was applied is known again.
        cursor = null;
        isReread = true;
        continue;
      }
      const { events, more } = answer.value;
      cursor = answer.value.cursor;
      const reports = events.map((event) => reportOf(event, this.#host.market));
      isNew ||= reports.length > 0;
      // A place that is known takes the place of the one that is not. A full page is read once, also where it is all of other symbols: else a pass never comes behind many of them.
      const isPassed = (more || isReread) && cursor !== engine.cursor;
      if (!this.#report(reports, cursor, isPassed)) return;
      if (!more) break;
    }
    this.#heard = 0;
    const { min_ms, max_ms } = this.#pauses;
    this.#pollPause_ms = isNew ? min_ms : Math.min(max_ms, this.#pollPause_ms * 2);
    this.#pollAt = this.#host.now() + this.#pollPause_ms;
  }

  /** A broker that knows no cursor, not even the one it just gave, is read from its first event once a pause: each time is journaled. */
  #mayReread(): boolean {
    const now = this.#host.now();
    if (now < this.#rereadAt) {
      this.#pollAt = this.#rereadAt;
      return false;
    }
    const isSoon = now < this.#rereadAt + this.#rereadPause_ms;
    this.#rereadPause_ms = isSoon ? Math.min(REREAD_MS_MAX, this.#rereadPause_ms * 2) : REREAD_MS_MIN;
    this.#rereadAt = now + this.#rereadPause_ms;
    return true;
  }

  /** False while the book stands still: the broker will say it again. */
  #report(reports: readonly BrokerReport[], cursor: string | null, isPassed = false): boolean {
    if (reports.length === 0 && !isPassed) return true;
    return this.#host.record([{ type: 'broker_reports', reports, cursor }]);
  }

  #pause(ms: number): Promise<void> {
    return new Promise((resolve) => {
      this.#host.timer(ms, resolve);
    });
  }

  async #answer<T>(
    call: Promise<Result<T, BrokerRefusal | BrokerUnavailable>>,
  ): Promise<Result<T, BrokerRefusal | BrokerUnavailable>> {
    try {
      return await answeredWithin(this.#host.timer, ANSWER_WAIT_MS, call);
    } catch (error) {
      const detail = error instanceof Error ? error.message : String(error);
      return err({ reason: 'unavailable', retryAfter_ms: null, detail });
    }
  }

  /** Whether the broker has answered. */
  #isThere(answer: Result<unknown, BrokerRefusal | BrokerUnavailable>): boolean {
    if (answer.ok || answer.error.reason === 'refused') {
      this.#isAnswered = true;
      return true;
    }
    const { retryAfter_ms } = answer.error;
    if (this.#unanswered === null || (retryAfter_ms ?? 0) > (this.#unanswered.retryAfter_ms ?? 0))
      this.#unanswered = answer.error;
    return false;
  }

  #isAskedForPatience(): boolean {
    return this.#unanswered !== null && this.#unanswered.retryAfter_ms !== null;
  }

  /** A broker that has not answered all of a pass is left alone: the longer, the longer it has said nothing at all. */
  #backOff(): void {
    if (this.#unanswered === null) {
      if (this.#isAnswered) this.#awayFor_ms = 0;
      return;
    }
    const { retryAfter_ms, detail } = this.#unanswered;
    if (this.#awayFor_ms === 0) this.#host.warn(`the broker is away: ${detail}`);
    this.#awayFor_ms = this.#isAnswered
      ? AWAY_MS_MIN
      : Math.min(AWAY_MS_MAX, Math.max(AWAY_MS_MIN, this.#awayFor_ms * 2));
    this.#awayUntil = this.#host.now() + Math.max(this.#awayFor_ms, retryAfter_ms ?? 0);
  }

  /** Some at a time, until one of them says that the broker is away. */
  async #each<T>(what: readonly T[], ask: (what: T) => Promise<boolean>): Promise<void> {
    for (let at = 0; at < what.length; at += CALLS_AT_ONCE) {
      const answers = await Promise.all(what.slice(at, at + CALLS_AT_ONCE).map(ask));
      if (answers.includes(false)) return;
    }
  }
}
