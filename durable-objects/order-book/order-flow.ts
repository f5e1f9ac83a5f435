import type { BookConfig } from '../../data/ledger/book-config.ts';
import type { BookLedger, CommitOutcome } from '../../data/ledger/book-ledger.ts';
import type { AdmissionResults, AmendmentRow, BookBatch, OrderRow, SettlementChunk } from '../../data/ledger/rows.ts';
import type { BookCommand, BookResult } from './api.ts';
import type { BookState, CycleOutcome } from './book-state.ts';
import type { Journal, OutboxRow } from './journal.ts';
import type { JournalCommand } from './journal-entry.ts';
import { resultOfExisting } from './refusal.ts';
import { Admissions, isOpen, prepareSlot, resultOfOutcome, type Slot } from './slot.ts';
import { CommandQueue, idOf, type Waiting } from './waiting.ts';

/** Commands of one cycle, and outbox rows of one D1 batch: bounds every parameter of the batch and the journal row. */
const CYCLE_COMMANDS_MAX = 2_000;
const BATCH_CHUNKS_MAX = 4;
/** Fewer where sells carry their lots, which may be many: a journal row must stay below the 2 MB that a value may have. */
const CYCLE_COMMANDS_MAX_WITH_LOTS = 1_000;
/** Commands waiting in memory; beyond, the book answers `unavailable`. */
const QUEUE_COMMANDS_MAX = 20_000;
/** A command that the ledger has kept waiting this long is answered `unavailable`. */
const UNAVAILABLE_AFTER_MS = 5_000;
/** With nobody waiting, effects rest this long, so that the next commands share their batch. */
const SETTLE_DELAY_MS = 2;
/**
 * Callers that were answered come back at once, so a batch waits for as many commands as the last one answered, at most this many turns
 * of the event loop: one batch of 50 costs the ledger a fifth less than several small ones (measured at 64 connections).
 */
const GATHER_TURNS_MAX = 8;
const RETRY_DELAY_MS_MIN = 5;
const RETRY_DELAY_MS_MAX = 1_000;

/** Where a cycle can be killed; tests kill it at each. */
export type CyclePoint = 'before_commit' | 'after_commit' | 'after_journal' | 'before_answer';

/** What the cycle needs of the object it runs in. */
export interface FlowHost {
  readonly ledger: BookLedger;
  readonly journal: Journal;
  /** This instance, as the fence names it. */
  readonly owner: string;
  now(): number;
  /** Makes sure that an alarm drains the outbox and expires orders, even after a crash. */
  scheduleAlarm(): void;
  /** Gives this instance up: another one owns the book, or memory and journal may differ. */
  abort(reason: string): never;
  /** An alarm for people: the book stands still until someone has looked. */
  alert(reason: string): void;
  /** Something to look into that the book gets over by itself. */
  warn(reason: string): void;
  /** A cycle has been journaled. */
  journaled(outcome: CycleOutcome): void;
  /** A command was checked under other rules of the market than this book has: one of the two is behind. */
  rulesDiffer(): void;
  /** The ledger has these effects. */
  settled(chunks: readonly SettlementChunk[]): void;
  /** Waits in tests only, at the points where they kill. */
  step(point: CyclePoint): Promise<void> | undefined;
}

/** A batch on its way, with the commands it carries in their order. */
interface Sent {
  readonly batch: BookBatch;
  readonly slots: readonly Slot[];
}

type Answer = readonly [waiting: Waiting, result: BookResult | 'look_up'];

/**
 * The cycle of one book (DESIGN 8): settle and admit in one D1 batch, match, journal, answer; one batch in flight at a time, and the
 * next one leaves before callers are answered.
 */
export class OrderFlow {
  readonly #host: FlowHost;
  readonly #state: BookState;
  readonly #queue = new CommandQueue();
  readonly #outbox: OutboxRow[];
  /** Commands by their id while they wait, so that a retry joins the first call. */
  readonly #byId = new Map<string, Promise<BookResult>>();
  #cancels: Waiting[] = [];
  #config: BookConfig;
  /** The fence as D1 has it. */
  #batch: number;
  #settled: number;
  #running = false;
  /** Ends a wait once so many commands are queued, or someone waits for the ledger. */
  #wake: { readonly atCommands: number; readonly resolve: () => void } | null = null;
  #settledWaiters: { readonly seq: number; readonly resolve: (done: boolean) => void }[] = [];

  constructor(
    host: FlowHost,
    state: BookState,
    config: BookConfig,
    fence: { batch: number; settled: number },
    outbox: readonly OutboxRow[],
  ) {
    this.#host = host;
    this.#state = state;
    this.#config = config;
    this.#batch = fence.batch;
    this.#settled = fence.settled;
    this.#outbox = outbox.filter((row) => row.seq > fence.settled);
    host.journal.settled(fence.settled);
  }

  get outboxLength(): number {
    return this.#outbox.length;
  }

  get fence(): { batch: number; settled: number } {
    return { batch: this.#batch, settled: this.#settled };
  }

  /** The market changed; one that no longer takes orders loses its open ones. False when they could not be cancelled yet. */
  async reconfigure(config: BookConfig): Promise<boolean> {
    this.#config = config;
    if (isOpen(config)) return true;
    const reason = config.market.status === 'closed' ? 'delisted' : 'halt';
    const [result] = await this.submit([{ type: 'mass_cancel', account: null, keyId: null, side: null, reason }]);
    return result?.type === 'mass_cancelled';
  }

  submit(commands: readonly BookCommand[]): Promise<BookResult[]> {
    const answers = Promise.all(commands.map((command) => this.#enter(command)));
    if (this.#cancels.length > 0) this.#runWithoutAdmission(this.#cancels.splice(0));
    this.kick();
    return answers;
  }

  /** Whether everything journaled by now has settled within `timeout_ms`. */
  settled(timeout_ms: number): Promise<boolean> {
    const seq = this.#host.journal.outboxEnd;
    if (this.#settled >= seq) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.#settledWaiters.push({ seq, resolve });
      setTimeout(() => resolve(false), timeout_ms);
      this.kick();
    });
  }

  /** Expires what is due and drains what has not settled. */
  kick(): void {
    if (this.#host.journal.haltReason !== null) return;
    if (this.#isExpiryDue(this.#cycleTime())) this.#runWithoutAdmission([]);
    if (this.#wake !== null && (this.#queue.length >= this.#wake.atCommands || this.#settledWaiters.length > 0))
      this.#wake.resolve();
    if (!this.#running) void this.#run();
  }

  #enter(command: BookCommand): Promise<BookResult> {
    const id = command.type === 'amend' ? command.amendmentId : command.type === 'place' ? command.orderId : null;
    const same = id === null ? undefined : this.#byId.get(id);
    if (same !== undefined) return same;
    const live = command.type === 'place' ? this.#state.orders.get(command.orderId) : undefined;
    if (live !== undefined) return Promise.resolve({ type: 'done', report: this.#state.report(live) });
    if (this.#host.journal.haltReason !== null || this.#queue.length >= QUEUE_COMMANDS_MAX) {
      return Promise.resolve({ type: 'unavailable', orderId: idOf(command) });
    }
    const answered = new Promise<BookResult>((resolve) => {
      const overtakes =
        (command.type === 'cancel' || command.type === 'mass_cancel') && !this.#queue.isBusy(command.account);
      const waiting: Waiting = {
        command,
        since_ms: this.#host.now(),
        queued: !overtakes,
        abandoned: false,
        answer: (result) => {
          if (id !== null) this.#byId.delete(id);
          resolve(result);
        },
      };
      if (overtakes) this.#cancels.push(waiting);
      else this.#queue.push(waiting);
    });
    if (id !== null) this.#byId.set(id, answered);
    return answered;
  }

  /** Cancels and expiries need nothing of D1: engine, journal, answer. */
  #runWithoutAdmission(cancels: readonly Waiting[]): void {
    const commands = cancels.map(({ command }) => command as JournalCommand);
    const { outcomes } = this.#journalCycle(null, commands, this.#cycleTime());
    this.#answer(cancels.map((waiting, index) => [waiting, resultOfOutcome(waiting.command, outcomes[index])]));
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      let sent = this.#compose();
      let sending = sent && this.#commitUntilKnown(sent);
      while (sent !== null && sending !== null) {
        const results: AdmissionResults | null = await sending;
        if (results === null) break;
        const answers = this.#matchAndJournal(sent, results);
        await this.#host.step('after_journal');
        sent = this.#queue.length > 0 && this.#queue.length * 2 >= answers.length ? this.#compose() : null;
        sending = sent && this.#commitUntilKnown(sent);
        await this.#host.step('before_answer');
        this.#answer(answers);
        if (this.#host.journal.wantsSnapshot) this.#host.journal.writeSnapshot(this.#state.snapshot());
        if (sent === null) {
          await this.#restBriefly();
          await this.#gather(answers.length);
          sent = this.#compose();
          sending = sent && this.#commitUntilKnown(sent);
        }
      }
    } catch (error) {
      this.#host.abort(`cycle failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#running = false;
  }

  async #restBriefly(): Promise<void> {
    if (this.#queue.length === 0 && this.#outbox.length > 0) await this.#commandsQueued(1, SETTLE_DELAY_MS);
  }

  async #gather(wanted: number): Promise<void> {
    for (let turn = 0; turn < GATHER_TURNS_MAX && this.#queue.length < wanted; turn++)
      await this.#commandsQueued(wanted, 0);
  }

  /** Until so many commands are queued, for this long at most, and not at all while someone waits for the ledger. */
  async #commandsQueued(atCommands: number, timeout_ms: number): Promise<void> {
    if (this.#settledWaiters.length > 0) return;
    let timer: ReturnType<typeof setTimeout> | undefined;
    await new Promise<void>((resolve) => {
      this.#wake = { atCommands, resolve };
      timer = setTimeout(resolve, timeout_ms);
    });
    clearTimeout(timer);
    this.#wake = null;
  }

  /** The next batch: effects in journal order, then every waiting command with what it asks of the ledger; null when there is none. */
  #compose(): Sent | null {
    if (this.#host.journal.haltReason !== null) return null;
    const chunks = this.#outbox.slice(0, BATCH_CHUNKS_MAX);
    const { market, emitsEvents } = this.#config;
    const now_ms = this.#host.now();
    const slots = this.#queue
      .take(market.tracksLots ? CYCLE_COMMANDS_MAX_WITH_LOTS : CYCLE_COMMANDS_MAX)
      .map((waiting) => prepareSlot(waiting, this.#state, this.#config, now_ms));
    if (slots.some((slot) => slot.kind === 'refused' && slot.refusal.reason === 'stale')) this.#host.rulesDiffer();
    if (chunks.length === 0 && slots.length === 0) return null;
    const orders: OrderRow[] = [];
    const amendments: AmendmentRow[] = [];
    for (const slot of slots) {
      if (slot.kind === 'order') orders.push(slot.prepared.row);
      else if (slot.kind === 'refused' && slot.row !== null) orders.push(slot.row);
      else if (slot.kind === 'amendment') amendments.push(slot.prepared.row);
    }
    const batch: BookBatch = {
      book: market.symbol,
      owner: this.#host.owner,
      batch: this.#batch + 1,
      settledFrom: this.#settled,
      settledTo: chunks.at(-1)?.seq ?? this.#settled,
      baseAsset: market.baseAsset,
      quoteAsset: market.quoteAsset,
      tracksLots: market.tracksLots,
      emitsEvents,
      chunks: chunks.map((row) => row.chunk),
      orders,
      amendments,
    };
    return { batch, slots };
  }

  /** Sends the same batch until its outcome is known; null when the book had to halt. */
  async #commitUntilKnown(sent: Sent): Promise<AdmissionResults | null> {
    let delay_ms = RETRY_DELAY_MS_MIN;
    for (;;) {
      await this.#host.step('before_commit');
      let outcome: CommitOutcome;
      try {
        outcome = await this.#host.ledger.commit(sent.batch);
      } catch (error) {
        this.#host.warn(`batch ${sent.batch.batch}: ${error instanceof Error ? error.message : String(error)}`);
        this.#giveUpOld(sent);
        await new Promise((resolve) => setTimeout(resolve, delay_ms));
        delay_ms = Math.min(RETRY_DELAY_MS_MAX, delay_ms * 2);
        continue;
      }
      await this.#host.step('after_commit');
      switch (outcome.type) {
        case 'landed':
          this.#batch = sent.batch.batch;
          this.#advanceSettled(sent.batch.settledTo);
          return outcome.results;
        case 'fenced':
          return this.#host.abort(`book ${sent.batch.book} is owned by ${outcome.owner}`);
        case 'violated':
          this.#halt(`batch ${sent.batch.batch}: ${outcome.message}`, sent);
          return null;
      }
    }
  }

  /** The ledger's answers, turned into a journaled cycle and the answers to the callers. */
  #matchAndJournal({ batch, slots }: Sent, results: AdmissionResults): Answer[] {
    const time = this.#cycleTime();
    const admissions = new Admissions(results, this.#state, this.#config, time);
    const commands: JournalCommand[] = [];
    const decided = slots.map((slot) => {
      const { command, answer } = admissions.decide(slot);
      if (command !== null) commands.push(command);
      return { waiting: slot.waiting, answer, at: command === null ? -1 : commands.length - 1 };
    });
    const { outcomes } = this.#journalCycle(batch.batch, commands, time);
    return decided.map(({ waiting, answer, at }) => [
      waiting,
      answer ?? resultOfOutcome(waiting.command, outcomes[at]),
    ]);
  }

  /** Runs and journals one cycle; nothing is written when nothing happened. A throw here gives the object up. */
  #journalCycle(
    batch: number | null,
    commands: readonly JournalCommand[],
    time: number,
  ): Pick<CycleOutcome, 'outcomes'> {
    if (commands.length === 0 && !this.#isExpiryDue(time)) return { outcomes: [] };
    try {
      const entry = { time, batch, commands };
      const outcome = this.#state.run(entry);
      this.#outbox.push(...this.#host.journal.append(entry, outcome.chunks, () => this.#host.scheduleAlarm()));
      this.#host.journaled(outcome);
      return outcome;
    } catch (error) {
      return this.#host.abort(`journal failed: ${error instanceof Error ? error.message : String(error)}`);
    }
  }

  #answer(answers: readonly Answer[]): void {
    for (const [waiting, result] of answers) {
      if (waiting.queued) this.#queue.done(waiting);
      if (result === 'look_up') void this.#lookUp(waiting);
      else waiting.answer(result);
    }
  }

  /** The order is not live here, or is a retry of one in D1: what became of it stands there, once this book's effects have settled. */
  async #lookUp(waiting: Waiting): Promise<void> {
    const { command } = waiting;
    const orderId = idOf(command);
    while (!(await this.settled(UNAVAILABLE_AFTER_MS))) {
      if (command.type === 'place' && this.#host.journal.haltReason === null) continue;
      waiting.answer({ type: 'unavailable', orderId });
      return;
    }
    const { ledger } = this.#host;
    try {
      const isRepeated = command.type === 'amend' && (await ledger.isAmendmentKnown(command.amendmentId));
      waiting.answer(resultOfExisting(command, orderId, await ledger.order(orderId), isRepeated));
    } catch {
      waiting.answer({ type: 'unavailable', orderId });
    }
  }

  /** Callers that have waited too long are told `unavailable`; what of theirs is in flight will be released, not matched. */
  #giveUpOld(sent: Sent): void {
    const before_ms = this.#host.now() - UNAVAILABLE_AFTER_MS;
    for (const waiting of this.#queue.takeOlderThan(before_ms))
      waiting.answer({ type: 'unavailable', orderId: idOf(waiting.command) });
    for (const { waiting } of sent.slots) {
      if (waiting.since_ms >= before_ms) continue;
      waiting.abandoned = true;
      waiting.answer({ type: 'unavailable', orderId: idOf(waiting.command) });
    }
  }

  #halt(reason: string, sent: Sent): void {
    this.#host.journal.halt(reason);
    this.#host.alert(reason);
    for (const { waiting } of sent.slots) this.#queue.done(waiting);
    const waiting = [...sent.slots.map((slot) => slot.waiting), ...this.#queue.takeOlderThan(Number.POSITIVE_INFINITY)];
    for (const each of waiting) each.answer({ type: 'unavailable', orderId: idOf(each.command) });
    for (const { resolve } of this.#settledWaiters.splice(0)) resolve(false);
  }

  #advanceSettled(seq: number): void {
    if (seq === this.#settled) return;
    this.#settled = seq;
    this.#host.journal.settled(seq);
    const rows = this.#outbox.splice(0, this.#outbox.findLastIndex((row) => row.seq <= seq) + 1);
    this.#host.settled(rows.map((row) => row.chunk.rows));
    const waiters = this.#settledWaiters;
    this.#settledWaiters = waiters.filter((waiter) => waiter.seq > seq);
    for (const waiter of waiters) if (waiter.seq <= seq) waiter.resolve(true);
  }

  /** Taken once a cycle; never goes back. */
  #cycleTime(): number {
    return Math.max(this.#state.time, this.#host.now());
  }

  #isExpiryDue(time: number): boolean {
    const expiry = this.#state.engine.nextExpiry();
    return expiry !== null && expiry <= time;
  }
}
