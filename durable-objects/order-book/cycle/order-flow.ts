import type { BookConfig } from '../../../data/markets/book-config.ts';
import type { ExistingOrder } from '../../../data/orders/existing-order.ts';
import { batchText } from '../../../domain/ledger/batch-text.ts';
import type { BatchOutcome, UnjournaledHold } from '../../../domain/ledger/outcomes.ts';
import type { AmendmentAdmission, OrderAdmission, SettlementChunk } from '../../../domain/ledger/records.ts';
import type { BookBatch } from '../../../domain/ledger/transactions.ts';
import type { CommitAnswer } from '../../ledger/api.ts';
import { admissionOf } from '../admission/admission.ts';
import { AdmissionDecisions, type Answering, resultOfOutcome } from '../admission/admission-decisions.ts';
import { type AdmissionRequest, isOpen, requestOf } from '../admission/admission-request.ts';
import { OpenOrderRoom } from '../admission/open-orders.ts';
import { existingOrderOf, resultOfExisting } from '../admission/refusal.ts';
import type { Journal, OutboxRow } from '../journal/journal.ts';
import type { JournalCommand } from '../journal/journal-entry.ts';
import type { BookCommand, BookResult } from '../rpc/commands.ts';
import { AnswerWatch, NoAnswer, type Timer } from '../settlement/answer-watch.ts';
import type { BookLedger } from '../settlement/book-ledger.ts';
import type { BookState, CycleOutcome } from './book-state.ts';
import { CommandQueue } from './command-queue.ts';
import { MassCancels } from './mass-cancels.ts';
import { Call, idOf, PendingCommand, repeatIdOf } from './pending-command.ts';
import { bandRulesOf } from './trading-band.ts';

/** Commands of one cycle, and outbox rows of one batch: bounds the batch and the journal row. */
const CYCLE_COMMANDS_MAX = 2_000;
const BATCH_CHUNKS_MAX = 4;
/** Fewer where sells carry their lots, which may be many. */
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
/** Without an answer for so long a batch counts as lost and is sent again; twice as long each time, since calls that hang pile up. */
const ANSWER_WAIT_MS_MIN = 5_000;
const ANSWER_WAIT_MS_MAX = 60_000;
/** Readings of what became of an order, the first included, and the wait before the second; it doubles each time. */
const READ_TRIES_MAX = 6;
const READ_RETRY_MS_MIN = 20;

/** Where a cycle can be killed; tests kill it at each. */
export type CyclePoint = 'before_commit' | 'after_commit' | 'after_journal' | 'before_answer';

/** What the cycle needs of the journal. */
type FlowJournal = Pick<
  Journal,
  'append' | 'settled' | 'halt' | 'haltReason' | 'outboxEnd' | 'wantsSnapshot' | 'writeSnapshot'
>;

/** What the cycle needs of the object it runs in. */
export interface FlowHost {
  readonly ledger: Pick<BookLedger, 'commit' | 'order'>;
  readonly journal: FlowJournal;
  /** This instance, as the fence names it. */
  readonly owner: string;
  now(): number;
  readonly timer: Timer;
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
  /** A command was checked under other rules of the market than this book has, or it takes none: one of the two may be behind. */
  rulesDiffer(): void;
  /** The ledger has these effects. */
  settled(chunks: readonly SettlementChunk[]): void;
  /** Waits in tests only, at the points where they kill. */
  step(point: CyclePoint): Promise<void> | undefined;
}

/** What the journal alone says. */
export interface FlowStart {
  /** The last outbox row that the ledger was known to have. */
  readonly confirmed: number;
  readonly outbox: readonly OutboxRow[];
  /** False when the journal could not be replayed: not even cancels may run. */
  readonly isStateRight: boolean;
}

type Landed = Extract<BatchOutcome, { type: 'landed' }>;

/** A batch on its way, with the commands it carries in their order. */
interface Sent {
  readonly batch: number;
  readonly settledTo: number;
  /** Its `batchText`: what is sent again is the same to the letter. */
  readonly text: string;
  readonly requests: readonly AdmissionRequest[];
}

type Answer = readonly [pending: PendingCommand, answering: Answering];

/**
 * The cycle of one book (docs/design/order-path.md#the-cycle): settle and admit in one batch of the ledger, match, journal, answer. One
 * batch is in flight at a time. The next one leaves before callers are answered where at least half as many commands wait as are to be
 * answered. Until this instance owns the book in the ledger it takes cancels alone, which need nothing but the journal.
 */
export class OrderFlow {
  readonly #host: FlowHost;
  readonly #state: BookState;
  readonly #isStateRight: boolean;
  readonly #queue = new CommandQueue();
  readonly #outbox: OutboxRow[];
  readonly #massCancels = new MassCancels();
  /** Commands by their id while they wait, so that a retry joins the first call. */
  readonly #unanswered = new Map<string, PendingCommand>();
  #overtaking: PendingCommand[] = [];
  #config: BookConfig;
  readonly #watch: AnswerWatch;
  /** The ledger has neither answered nor failed for ANSWER_WAIT_MS_MIN: nobody else needs to wait for it. */
  #isLedgerSilent = false;
  #isOwner = false;
  /** The fence as the ledger has it. */
  #batch = 0;
  #settled: number;
  #running = false;
  /** A batch was sent, and what it admitted is not journaled yet. */
  #isBatchOpen = false;
  #cancelling = false;
  #isStopped = false;
  #expiring: Promise<void> | null = null;
  /** Ends a wait once so many commands are queued, or someone waits for the ledger. */
  #wake: { readonly atCommands: number; readonly resolve: () => void } | null = null;
  #settledWaiters: { readonly seq: number; readonly resolve: (done: boolean) => void }[] = [];

  constructor(host: FlowHost, state: BookState, config: BookConfig, start: FlowStart) {
    this.#host = host;
    this.#state = state;
    this.#config = config;
    this.#watch = new AnswerWatch(host.timer);
    this.#settled = start.confirmed;
    this.#isStateRight = start.isStateRight;
    this.#outbox = [...start.outbox];
  }

  /** As the fence names this instance, once it owns the book. */
  get owner(): string {
    return this.#host.owner;
  }

  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** The ledger has made this instance the book's owner: from here on batches may be sent, the first after this fence. */
  own(fence: { readonly batch: number; readonly settled: number }): void {
    this.#isOwner = true;
    this.#batch = fence.batch;
    this.#settled = fence.settled;
    const settled = this.#outbox.splice(0, this.#outbox.findLastIndex((row) => row.seq <= fence.settled) + 1);
    // Followers have not been told yet: the instance before died after the ledger settled and before it told them.
    if (settled.length > 0) this.#host.settled(settled.map((row) => row.chunk));
  }

  /** Gives back what the last batch admitted and no instance has journaled. */
  release(holds: readonly UnjournaledHold[]): void {
    this.#journalCycle(this.#batch, [{ type: 'release', holds }], this.#cycleTime());
  }

  /** The first chunk that follows what the ledger has settled; null for none. */
  firstOutboxAfter(settled: number): number | null {
    return this.#outbox.find((row) => row.seq > settled)?.seq ?? null;
  }

  /** The market as it was read last, for what follows. */
  goBy(config: BookConfig): void {
    this.#config = config;
  }

  get outboxLength(): number {
    return this.#outbox.length;
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get fence(): { batch: number; settled: number } {
    return { batch: this.#batch, settled: this.#settled };
  }

  /** Whether nothing is under way between the book and the ledger. */
  get isStill(): boolean {
    return !this.#isBatchOpen && this.#outbox.length === 0;
  }

  get config(): BookConfig {
    return this.#config;
  }

  /** The market changed, which may end a halt of the book's own; one that no longer takes orders loses its open ones. False when they could not be cancelled yet. */
  async reconfigure(config: BookConfig): Promise<boolean> {
    this.#config = config;
    if (this.#isOwner && this.#isStateRight) this.#journalCycle(null, this.#changedRules(), this.#cycleTime());
    if (isOpen(config)) return true;
    const reason = config.market.status === 'closed' ? 'delisted' : 'halt';
    const [result] = await this.submit([{ type: 'mass_cancel', account: null, keyId: null, side: null, reason }]);
    return result?.type === 'mass_cancelled';
  }

  submit(commands: readonly BookCommand[]): Promise<BookResult[]> {
    const call = new Call(commands.length);
    for (let at = 0; at < commands.length; at++) this.#enter(commands[at] as BookCommand, call, at);
    if (this.#overtaking.length > 0) this.#runCancels(this.#overtaking.splice(0));
    this.kick();
    return call.results;
  }

  /** Whether everything journaled by now has settled within `timeout_ms`. */
  settled(timeout_ms: number): Promise<boolean> {
    const seq = this.#host.journal.outboxEnd;
    if (this.#settled >= seq) return Promise.resolve(true);
    if (this.#isSuspended) return Promise.resolve(false);
    return new Promise((resolve) => {
      const waiter = { seq, resolve };
      this.#settledWaiters.push(waiter);
      setTimeout(() => {
        this.#settledWaiters = this.#settledWaiters.filter((other) => other !== waiter);
        resolve(false);
      }, timeout_ms);
      this.kick();
    });
  }

  /** Expires what is due and drains what has not settled. */
  kick(): void {
    if (this.#isSuspended) return;
    if (this.#isTimeDue) this.#expire().catch((error) => this.#host.warn(String(error)));
    if (this.#wake !== null && (this.#queue.length >= this.#wake.atCommands || this.#settledWaiters.length > 0))
      this.#wake.resolve();
    if (!this.#running) void this.#run();
  }

  /** Another flow takes the book over: this one changes nothing any more. */
  stop(): void {
    this.#isStopped = true;
    for (const pending of this.#massCancels.giveUp())
      pending.answer({ type: 'unavailable', orderId: idOf(pending.command) });
  }

  get #isHalted(): boolean {
    return this.#host.journal.haltReason !== null;
  }

  /** Nothing may be sent to the ledger. */
  get #isSuspended(): boolean {
    return this.#isStopped || this.#isHalted || !this.#isOwner;
  }

  #enter(command: BookCommand, call: Call, at: number): void {
    const id = repeatIdOf(command);
    const same = id === null ? undefined : this.#unanswered.get(id);
    if (same !== undefined) {
      same.join(call, at);
      return;
    }
    const known = this.#answerOfRepeated(command);
    if (known !== null || !this.#takes(command)) {
      call.answer(at, known ?? { type: 'unavailable', orderId: idOf(command) });
      return;
    }
    const isCancel = command.type === 'cancel' || command.type === 'mass_cancel';
    const overtakes = isCancel && !this.#queue.isBusy(command.account);
    const pending = new PendingCommand(command, { call, at }, this.#host.now(), !overtakes, this.#unanswered);
    if (overtakes) this.#overtaking.push(pending);
    else this.#queue.push(pending);
  }

  /** What the book itself knows of a command that it has run before; null when it knows nothing. */
  #answerOfRepeated(command: BookCommand): BookResult | null {
    if (command.type === 'cancel' || command.type === 'mass_cancel') return null;
    const live = this.#state.orders.get(command.orderId);
    if (live === undefined) return null;
    if (command.type === 'place' || command.type === 'reject')
      return { type: 'done', report: this.#state.report(live) };
    if (!this.#state.amendments.has(command.amendmentId)) return null;
    return resultOfExisting(command, command.orderId, existingOrderOf(live), true);
  }

  /** A book that is halted, or without its ledger, takes cancels, which need nothing of the ledger, as long as it knows its orders. */
  #takes({ type }: BookCommand): boolean {
    if (this.#isStopped) return false;
    const isCancel = type === 'cancel' || type === 'mass_cancel';
    if (this.#isHalted || !this.#isOwner) return this.#isStateRight && isCancel;
    if (this.#isLedgerSilent && !isCancel) return false;
    return this.#queue.length < QUEUE_COMMANDS_MAX;
  }

  /** Cancels need nothing of the ledger: engine, journal, answer. */
  #runCancels(cancels: readonly PendingCommand[]): void {
    const single: PendingCommand[] = [];
    for (const pending of cancels) {
      if (pending.command.type !== 'cancel') continue;
      const isLive = this.#state.orders.get(pending.command.orderId)?.account === pending.command.account;
      if (isLive) single.push(pending);
      else this.#answer([[pending, 'ended']]);
    }
    if (single.length > 0) {
      const commands = single.map(({ command }) => command as JournalCommand);
      const { outcomes } = this.#journalCycle(null, commands, this.#cycleTime());
      this.#answer(single.map((pending, index) => [pending, resultOfOutcome(pending.command, outcomes[index])]));
    }
    for (const pending of cancels) if (pending.command.type === 'mass_cancel') this.#beginMassCancel(pending);
    this.#snapshotIfDue();
  }

  #snapshotIfDue(): void {
    const { journal } = this.#host;
    if (journal.wantsSnapshot(this.#state.orders.size)) journal.writeSnapshot(this.#state.snapshot());
  }

  #beginMassCancel(pending: PendingCommand): void {
    const { command } = pending;
    if (command.type !== 'mass_cancel' || pending.abandoned) return;
    const { account, keyId, side, reason } = command;
    this.#massCancels.begin(pending, reason, this.#state.engine.ordersOf(account, keyId, side));
    if (!this.#cancelling) this.#runMassCancels().catch((error) => this.#host.warn(String(error)));
  }

  /** Slice by slice, the first at once. */
  async #runMassCancels(): Promise<void> {
    this.#cancelling = true;
    while (!this.#isStopped) {
      const slices = this.#massCancels.take();
      const commands = slices.map(({ command }) => command).filter(({ orderIds }) => orderIds.length > 0);
      const { outcomes } = this.#journalCycle(null, commands, this.#cycleTime());
      let at = 0;
      for (const slice of slices) {
        const outcome = slice.command.orderIds.length > 0 ? outcomes[at++] : undefined;
        if (outcome?.type === 'mass_cancelled') this.#massCancels.journaled(slice, outcome.orderIds);
      }
      this.#massCancels.answer();
      if (this.#massCancels.isEmpty) break;
      await eventLoopTurn();
    }
    this.#cancelling = false;
    this.#snapshotIfDue();
    this.kick();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      let sent = this.#compose();
      let sending = sent && this.#commitUntilKnown(sent);
      while (sent !== null && sending !== null) {
        const landed: Landed | null = await sending;
        if (landed === null) break;
        // An order never trades past its expiry, however many expire with it.
        while (this.#isTimeDue && !this.#isSuspended) await this.#expire();
        const answers = this.#matchAndJournal(sent, landed);
        this.#isBatchOpen = false;
        await this.#host.step('after_journal');
        sent = this.#queue.length > 0 && this.#queue.length * 2 >= answers.length ? this.#compose() : null;
        sending = sent && this.#commitUntilKnown(sent);
        await this.#host.step('before_answer');
        this.#answer(answers);
        this.#snapshotIfDue();
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
    this.#isBatchOpen = false;
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
    if (this.#isSuspended) return null;
    const settling = this.#outbox.slice(0, BATCH_CHUNKS_MAX);
    const { market, emitsEvents } = this.#config;
    const now_ms = this.#host.now();
    const room = new OpenOrderRoom(this.#state.open);
    const requests = this.#queue
      .take(market.tracksLots ? CYCLE_COMMANDS_MAX_WITH_LOTS : CYCLE_COMMANDS_MAX)
      .map((pending) => requestOf(pending, this.#state, this.#config, room, now_ms));
    if (requests.some(isRefusedByRules)) this.#host.rulesDiffer();
    if (settling.length === 0 && requests.length === 0) return null;
    const orders: OrderAdmission[] = [];
    const amendments: AmendmentAdmission[] = [];
    for (const request of requests) {
      if (request.kind === 'order') orders.push(admissionOf(request.prepared));
      else if ((request.kind === 'refused' || request.kind === 'rejection') && request.admission !== null)
        orders.push(request.admission);
      else if (request.kind === 'amendment') amendments.push(request.prepared.admission);
    }
    const batch: BookBatch = {
      kind: 'batch',
      book: market.symbol,
      owner: this.#host.owner,
      batch: this.#batch + 1,
      settledFrom: this.#settled,
      settledTo: settling.at(-1)?.seq ?? this.#settled,
      baseAsset: market.baseAsset,
      quoteAsset: market.quoteAsset,
      tracksLots: market.tracksLots,
      emitsEvents,
      chunks: settling.map((row) => row.chunk),
      orders,
      amendments,
    };
    return { batch: batch.batch, settledTo: batch.settledTo, text: batchText(batch), requests };
  }

  /** Sends the same batch until its outcome is known; null when the book had to halt. */
  async #commitUntilKnown(sent: Sent): Promise<Landed | null> {
    this.#isBatchOpen = true;
    let delay_ms = RETRY_DELAY_MS_MIN;
    let wait_ms = ANSWER_WAIT_MS_MIN;
    const giveUpOld = (): void => this.#giveUpOld(sent);
    const commit = (): Promise<CommitAnswer> => this.#host.ledger.commit(sent.text);
    for (;;) {
      await this.#host.step('before_commit');
      let answer: CommitAnswer;
      try {
        answer = await this.#watch.within(wait_ms, giveUpOld, commit);
        this.#isLedgerSilent = false;
      } catch (error) {
        this.#isLedgerSilent = error instanceof NoAnswer;
        if (this.#isLedgerSilent) wait_ms = Math.min(ANSWER_WAIT_MS_MAX, wait_ms * 2);
        this.#host.warn(`batch ${sent.batch}: ${error instanceof Error ? error.message : String(error)}`);
        this.#giveUpOld(sent);
        await new Promise((resolve) => setTimeout(resolve, delay_ms));
        delay_ms = Math.min(RETRY_DELAY_MS_MAX, delay_ms * 2);
        continue;
      }
      await this.#host.step('after_commit');
      switch (answer.type) {
        case 'landed':
          this.#batch = sent.batch;
          this.#advanceSettled(sent.settledTo);
          return answer;
        case 'fenced':
          return this.#host.abort(`book ${this.#config.market.symbol} is owned by ${answer.owner}`);
        case 'violated':
          this.#halt(`batch ${sent.batch}: ${answer.message}`, sent);
          return null;
      }
    }
  }

  /** The ledger's answers, turned into a journaled cycle and the answers to the callers. */
  #matchAndJournal({ batch, requests }: Sent, landed: Landed): Answer[] {
    const time = this.#cycleTime();
    const decisions = new AdmissionDecisions(landed, this.#state, this.#config, time);
    const commands: JournalCommand[] = this.#changedRules();
    const decided = requests.map((request) => {
      const { command, answer } = decisions.decide(request);
      if (command !== null) commands.push(command);
      return { pending: request.pending, answer, at: command === null ? -1 : commands.length - 1 };
    });
    const { outcomes } = this.#journalCycle(batch, commands, time);
    return decided.map(({ pending, answer, at }) => [
      pending,
      answer ?? resultOfOutcome(pending.command, outcomes[at]),
    ]);
  }

  /** What brings the book to the rules that it goes by from here on, if they are others. */
  #changedRules(): JournalCommand[] {
    const { market } = this.#config;
    return this.#state.band.hasRules(market) ? [] : [{ type: 'rules', rules: bandRulesOf(market) }];
  }

  /** Runs and journals one cycle; nothing is written when nothing happened. A throw here gives the object up. */
  #journalCycle(
    batch: number | null,
    commands: readonly JournalCommand[],
    time: number,
  ): Pick<CycleOutcome, 'outcomes'> {
    if (commands.length === 0 && !this.#isTimeDue) return { outcomes: [] };
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

  /** Expires all that is due, and ends a halt, in cycles of their own; one such run at a time. */
  #expire(): Promise<void> {
    this.#expiring ??= this.#runExpiries().finally(() => {
      this.#expiring = null;
    });
    return this.#expiring;
  }

  async #runExpiries(): Promise<void> {
    while (this.#isTimeDue && !this.#isSuspended) {
      this.#journalCycle(null, [], this.#cycleTime());
      if (this.#isTimeDue) await eventLoopTurn();
    }
  }

  #answer(answers: readonly Answer[]): void {
    for (const [pending, answering] of answers) {
      if (pending.queued && !pending.abandoned) this.#queue.done(pending);
      if (answering === 'ended') void this.#answerOfEnded(pending);
      else if (answering === 'stale') void this.#answerOfStale(pending);
      else if (answering === 'mass_cancel') this.#beginMassCancel(pending);
      else pending.answer(answering);
    }
  }

  /** The order has ended, or was refused: what became of it stands in D1, once this book's effects are there. */
  async #answerOfEnded(pending: PendingCommand): Promise<void> {
    const { command } = pending;
    const orderId = idOf(command);
    const isRepeated = command.type === 'amend' && this.#state.amendments.has(command.amendmentId);
    const live = this.#state.orders.get(orderId);
    if (live !== undefined) {
      pending.answer(resultOfExisting(command, orderId, existingOrderOf(live), isRepeated));
      return;
    }
    while (!(await this.settled(UNAVAILABLE_AFTER_MS))) {
      if ((command.type === 'place' || command.type === 'reject') && !this.#isSuspended) continue;
      pending.answer({ type: 'unavailable', orderId });
      return;
    }
    pending.answer(
      await this.#ended(orderId, command.account).then(
        (order) => resultOfExisting(command, orderId, order, isRepeated),
        () => ({ type: 'unavailable', orderId }),
      ),
    );
  }

  /** A placement under rules of before may repeat one that was run under them, its answer lost: that is not judged again. */
  async #answerOfStale(pending: PendingCommand): Promise<void> {
    const { command } = pending;
    const orderId = idOf(command);
    const isSettled = await this.settled(UNAVAILABLE_AFTER_MS);
    const order = isSettled ? await this.#ended(orderId, command.account).catch(() => null) : null;
    pending.answer(
      order === null
        ? { type: 'refused', orderId, refusal: { reason: 'stale' } }
        : resultOfExisting(command, orderId, order, false),
    );
  }

  /** What the read model has of an order. A ledger that is restarted is there again soon. */
  async #ended(orderId: string, account: string | null): Promise<ExistingOrder | null> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.#host.ledger.order(orderId, account);
      } catch (error) {
        if (tries === READ_TRIES_MAX) throw error;
        await new Promise((resolve) => setTimeout(resolve, READ_RETRY_MS_MIN * 2 ** (tries - 1)));
      }
    }
  }

  /** Callers that have waited too long are told `unavailable`; what of theirs is in flight will be released, not matched. */
  #giveUpOld(sent: Sent): void {
    const before_ms = this.#host.now() - UNAVAILABLE_AFTER_MS;
    for (const pending of this.#queue.takeOlderThan(before_ms))
      pending.answer({ type: 'unavailable', orderId: idOf(pending.command) });
    for (const { pending } of sent.requests) {
      if (pending.since_ms >= before_ms || pending.abandoned) continue;
      pending.abandoned = true;
      // It is in flight no longer: a cancel of its account waits for nothing.
      if (pending.queued) this.#queue.done(pending);
      pending.answer({ type: 'unavailable', orderId: idOf(pending.command) });
    }
  }

  #halt(reason: string, sent: Sent): void {
    this.#isBatchOpen = false;
    this.#host.journal.halt(reason);
    this.#host.alert(reason);
    for (const { pending } of sent.requests) if (!pending.abandoned) this.#queue.done(pending);
    const waiting = [...sent.requests.map(({ pending }) => pending), ...this.#queue.takeOlderThan(Infinity)];
    for (const pending of waiting) pending.answer({ type: 'unavailable', orderId: idOf(pending.command) });
    for (const { resolve } of this.#settledWaiters.splice(0)) resolve(false);
  }

  #advanceSettled(seq: number): void {
    if (seq === this.#settled) return;
    this.#settled = seq;
    this.#host.journal.settled(seq);
    const rows = this.#outbox.splice(0, this.#outbox.findLastIndex((row) => row.seq <= seq) + 1);
    this.#host.settled(rows.map((row) => row.chunk));
    const waiters = this.#settledWaiters;
    this.#settledWaiters = waiters.filter((waiter) => waiter.seq > seq);
    for (const waiter of waiters) if (waiter.seq <= seq) waiter.resolve(true);
  }

  /** Taken once a cycle; never goes back. */
  #cycleTime(): number {
    return Math.max(this.#state.time, this.#host.now());
  }

  get #isTimeDue(): boolean {
    const due = this.#state.nextDue;
    return due !== null && due <= this.#cycleTime();
  }
}

function isRefusedByRules(request: AdmissionRequest): boolean {
  if (request.kind !== 'refused') return false;
  const { refusal } = request;
  // A halt that ends by itself is the book's own.
  return refusal.reason === 'stale' || (refusal.reason === 'market_not_open' && refusal.resumesAt === undefined);
}

function eventLoopTurn(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
