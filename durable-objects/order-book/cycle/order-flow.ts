import type { BookConfig, MarketSplit } from '../../../data/markets/book-config.ts';
import type { BatchOutcome, UnjournaledHold } from '../../../domain/ledger/outcomes.ts';
import { isFinal } from '../../../domain/order-state/order-state.ts';
import { AdmissionDecisions, type Answering, resultOfOutcome } from '../admission/admission-decisions.ts';
import { type AdmissionRequest, isOpen, requestOf } from '../admission/admission-request.ts';
import { OpenOrderRoom, openOrdersMaxOf } from '../admission/open-orders.ts';
import type { JournalCommand } from '../journal/journal-entry.ts';
import type { BookCommand, BookResult, OrderReport } from '../rpc/commands.ts';
import { Outbox } from '../settlement/outbox.ts';
import { type Batch, batchAfter, type Fence } from './batch.ts';
import { BatchSender } from './batch-sender.ts';
import type { BookState } from './book-state.ts';
import { BrokerWaits } from './broker-waits.ts';
import { CommandQueue } from './command-queue.ts';
import type { FlowHost, FlowStart } from './flow-host.ts';
import { Gathering } from './gathering.ts';
import { JournaledCycles } from './journaled-cycles.ts';
import { KnownAnswers } from './known-answers.ts';
import { MassCancels, ordersMeant } from './mass-cancels.ts';
import { Call, idOf, PendingCommand, repeatIdOf, UNAVAILABLE_AFTER_MS } from './pending-command.ts';
import { bandRulesOf } from './trading-band.ts';

/** Commands of one cycle, and outbox rows of one batch: bounds the batch and the journal row. */
const CYCLE_COMMANDS_MAX = 2_000;
const BATCH_CHUNKS_MAX = 4;
/** Fewer where sells carry their lots, which may be many. */
const CYCLE_COMMANDS_MAX_WITH_LOTS = 1_000;
/** Commands waiting in memory; beyond, the book answers `unavailable`. */
const QUEUE_COMMANDS_MAX = 20_000;
/** Of one account: some batches of its own, so that it leaves room for others. */
const ACCOUNT_COMMANDS_MAX = 5_000;

type Landed = Extract<BatchOutcome, { type: 'landed' }>;

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
  readonly #outbox: Outbox;
  readonly #cycles: JournaledCycles;
  readonly #massCancels: MassCancels;
  readonly #brokerWaits: BrokerWaits;
  readonly #sender: BatchSender;
  readonly #gathering: Gathering;
  readonly #known: KnownAnswers;
  /** Commands by their id while they wait, so that a retry joins the first call. */
  readonly #unanswered = new Map<string, PendingCommand>();
  #overtaking: PendingCommand[] = [];
  #config: BookConfig;
  #isOwner = false;
  /** The last batch that the ledger has. */
  #batch = 0;
  #running = false;
  /** A batch was sent, and what it admitted is not journaled yet. */
  #isBatchOpen = false;
  #isStopped = false;

  constructor(host: FlowHost, state: BookState, config: BookConfig, start: FlowStart) {
    this.#host = host;
    this.#state = state;
    this.#config = config;
    state.showFor(config);
    this.#isStateRight = start.isStateRight;
    this.#outbox = new Outbox(start.confirmed, start.outbox);
    this.#brokerWaits = new BrokerWaits(host.timer);
    this.#cycles = new JournaledCycles(
      host,
      state,
      this.#outbox,
      () => this.#isSuspended,
      (outcome) => {
        host.journaled(outcome);
        this.#brokerWaits.heard(outcome, (orderId) => this.#reportOf(orderId));
      },
    );
    this.#massCancels = new MassCancels(this.#cycles);
    this.#sender = new BatchSender(host);
    this.#gathering = new Gathering(this.#queue, this.#outbox);
    this.#known = new KnownAnswers(host.ledger, state, {
      within: (timeout_ms) => this.settled(timeout_ms),
      isSuspended: () => this.#isSuspended,
    });
  }

  /** As the fence names this instance, once it owns the book. */
  get owner(): string {
    return this.#host.owner;
  }

  get isOwner(): boolean {
    return this.#isOwner;
  }

  /** The ledger has made this instance the book's owner: from here on batches may be sent, the first after this fence. */
  own(fence: Fence): void {
    this.#isOwner = true;
    this.#batch = fence.batch;
    const settled = this.#outbox.advance(fence.settled);
    // Followers have not been told yet: the instance before died after the ledger settled and before it told them.
    if (settled.length > 0) this.#host.settled(settled.map((row) => row.chunk));
  }

  /** Gives back what the last batch admitted and no instance has journaled. */
  release(holds: readonly UnjournaledHold[]): void {
    this.#cycles.run(this.#batch, [{ type: 'release', holds }]);
  }

  /** The first chunk that follows what the ledger has settled; null for none. */
  firstOutboxAfter(settled: number): number | null {
    return this.#outbox.firstAfter(settled);
  }

  /** The market as it was read last, for what follows. */
  goBy(config: BookConfig): void {
    this.#config = config;
    this.#state.showFor(config);
  }

  get outboxLength(): number {
    return this.#outbox.length;
  }

  get queueLength(): number {
    return this.#queue.length;
  }

  get fence(): Fence {
    return { batch: this.#batch, settled: this.#outbox.settled };
  }

  /** Whether nothing is under way between the book and the ledger. */
  get isStill(): boolean {
    return !this.#isBatchOpen && this.#outbox.length === 0;
  }

  /** Whether shares of the market were split, and prices do not count by it yet: the first order after it must not be judged by those. */
  get isBeforeSplit(): boolean {
    return this.#splitsAhead.length > 0;
  }

  get config(): BookConfig {
    return this.#config;
  }

  /** The market changed, which may end a halt of the book's own; one that no longer takes orders loses its open ones. False when they could not be cancelled yet. */
  async reconfigure(config: BookConfig): Promise<boolean> {
    this.goBy(config);
    if (this.#isOwner && this.#isStateRight) this.#cycles.run(null, this.#changedRules());
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
    if (this.#outbox.settled >= seq) return Promise.resolve(true);
    if (this.#isSuspended) return Promise.resolve(false);
    const isSettled = this.#outbox.settledUpTo(seq, timeout_ms);
    this.kick();
    return isSettled;
  }

  /** Journals what no caller of the book asks for: orders are handed over, a broker has reported. False while the book stands still. */
  record(commands: readonly JournalCommand[]): boolean {
    if (this.#isSuspended) return false;
    this.#cycles.run(null, commands);
    this.#cycles.writeSnapshotIfDue();
    this.kick();
    return true;
  }

  /** Expires what is due and drains what has not settled. */
  kick(): void {
    if (this.#isSuspended) return;
    if (this.#cycles.isTimeDue) this.#cycles.expire().catch((error) => this.#host.warn(String(error)));
    this.#gathering.wakeIfDue();
    if (!this.#running) void this.#run();
  }

  /** Another flow takes the book over: this one changes nothing any more. */
  stop(): void {
    this.#isStopped = true;
    this.#massCancels.stop();
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
    const known = this.#known.ofRepeated(command);
    if (known !== null || !this.#takes(command)) {
      call.answer(at, known ?? { type: 'unavailable', orderId: idOf(command) });
      return;
    }
    const isCancel = command.type === 'cancel' || command.type === 'mass_cancel';
    const overtakes = isCancel && !accountsOf(command).some((account) => this.#queue.isBusy(account));
    const pending = new PendingCommand(command, { call, at }, this.#host.now(), !overtakes, this.#unanswered);
    if (overtakes) this.#overtaking.push(pending);
    else this.#queue.push(pending);
  }

  /** A book that is halted, or without its ledger, takes cancels, which need nothing of the ledger, as long as it knows its orders. */
  #takes({ type, account }: BookCommand): boolean {
    if (this.#isStopped) return false;
    const isCancel = type === 'cancel' || type === 'mass_cancel';
    if (this.#isHalted || !this.#isOwner) return this.#isStateRight && isCancel;
    if (this.#sender.isLedgerSilent && !isCancel) return false;
    const hasRoom = isCancel || this.#queue.lengthOf(account) < ACCOUNT_COMMANDS_MAX;
    return hasRoom && this.#queue.length < QUEUE_COMMANDS_MAX;
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
      const { outcomes } = this.#cycles.run(null, commands);
      this.#answer(single.map((pending, index) => [pending, resultOfOutcome(pending.command, outcomes[index])]));
    }
    for (const pending of cancels) if (pending.command.type === 'mass_cancel') this.#beginMassCancel(pending);
    this.#cycles.writeSnapshotIfDue();
  }

  #beginMassCancel(pending: PendingCommand): void {
    const { command } = pending;
    if (command.type !== 'mass_cancel' || pending.abandoned) return;
    this.#massCancels.begin(pending, command.reason, ordersMeant(command, this.#state.engine));
    if (!this.#massCancels.isRunning) this.#runMassCancels().catch((error) => this.#host.warn(String(error)));
  }

  async #runMassCancels(): Promise<void> {
    await this.#massCancels.run();
    this.#cycles.writeSnapshotIfDue();
    this.kick();
  }

  async #run(): Promise<void> {
    this.#running = true;
    try {
      let sent = this.#compose();
      let sending = sent && this.#commit(sent);
      while (sent !== null && sending !== null) {
        const landed: Landed | null = await sending;
        if (landed === null) break;
        // An order never trades past its expiry, however many expire with it.
        while (this.#cycles.isTimeDue && !this.#isSuspended) await this.#cycles.expire();
        const answers = this.#matchAndJournal(sent, landed);
        this.#isBatchOpen = false;
        await this.#host.step('after_journal');
        sent = this.#queue.length > 0 && this.#queue.length * 2 >= answers.length ? this.#compose() : null;
        sending = sent && this.#commit(sent);
        await this.#host.step('before_answer');
        this.#answer(answers);
        this.#cycles.writeSnapshotIfDue();
        if (sent === null) {
          await this.#gathering.afterBatch(answers.length);
          sent = this.#compose();
          sending = sent && this.#commit(sent);
        }
      }
    } catch (error) {
      this.#host.abort(`cycle failed: ${error instanceof Error ? error.message : String(error)}`);
    }
    this.#isBatchOpen = false;
    this.#running = false;
  }

  /** The next batch: what has not settled, and every waiting command; null when there is none. */
  #compose(): Batch | null {
    if (this.#isSuspended) return null;
    const settling = this.#outbox.oldest(BATCH_CHUNKS_MAX);
    const now_ms = this.#host.now();
    const room = new OpenOrderRoom(this.#state.open, openOrdersMaxOf(this.#config.market));
    const requests = this.#queue
      .take(this.#config.market.tracksLots ? CYCLE_COMMANDS_MAX_WITH_LOTS : CYCLE_COMMANDS_MAX)
      .map((pending) => requestOf(pending, this.#state, this.#config, room, now_ms));
    if (requests.some(isRefusedByRules)) this.#host.rulesDiffer();
    if (settling.length === 0 && requests.length === 0) return null;
    return batchAfter(this.fence, this.#host.owner, this.#config, settling, requests);
  }

  /** Sends a batch until its outcome is known; null when the book had to halt. */
  async #commit(sent: Batch): Promise<Landed | null> {
    this.#isBatchOpen = true;
    const answer = await this.#sender.outcomeOf(sent, () => this.#giveUpOld(sent));
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

  /** The ledger's answers, turned into a journaled cycle and the answers to the callers. */
  #matchAndJournal({ batch, requests }: Batch, landed: Landed): Answer[] {
    const { time } = this.#cycles;
    const decisions = new AdmissionDecisions(landed, this.#state, this.#config, time);
    const commands: JournalCommand[] = this.#changedRules();
    const decided = requests.map((request) => {
      const { command, answer } = decisions.decide(request);
      if (command !== null) commands.push(command);
      return { pending: request.pending, answer, at: command === null ? -1 : commands.length - 1 };
    });
    const { outcomes } = this.#cycles.run(batch, commands, time);
    return decided.map(({ pending, answer, at }) => [
      pending,
      answer ?? resultOfOutcome(pending.command, outcomes[at]),
    ]);
  }

  /** What brings the book to the rules that it goes by from here on, if they are others. */
  #changedRules(): JournalCommand[] {
    const { market } = this.#config;
    const rules: JournalCommand[] = this.#state.band.hasRules(market)
      ? []
      : [{ type: 'rules', rules: bandRulesOf(market) }];
    return [
      ...rules,
      ...this.#splitsAhead.map((split) => ({ type: 'split', ...split, tickSize: market.tickSize }) as const),
    ];
  }

  get #splitsAhead(): readonly MarketSplit[] {
    return this.#state.splitsAhead(this.#config.splits ?? []);
  }

  #answer(answers: readonly Answer[]): void {
    for (const [pending, answering] of answers) {
      if (pending.queued && !pending.abandoned) this.#queue.done(pending);
      if (answering === 'ended') void this.#answerLater(pending, this.#known.ofEnded(pending.command));
      else if (answering === 'stale') void this.#answerLater(pending, this.#known.ofStale(pending.command));
      else if (answering === 'mass_cancel') this.#beginMassCancel(pending);
      else if (this.#isAtBroker(pending.command, answering)) this.#awaitBroker(pending);
      else pending.answer(answering);
    }
  }

  /** A cancel after which the order is still open, or an amendment that it does not have yet: the broker was asked, and has not answered. */
  #isAtBroker({ type }: BookCommand, result: BookResult): boolean {
    if (result.type !== 'done' || isFinal(result.report.status)) return false;
    return type === 'cancel' || (type === 'amend' && this.#state.isReplacing(result.report.orderId));
  }

  #awaitBroker(pending: PendingCommand): void {
    const orderId = idOf(pending.command);
    this.#brokerWaits.add(pending, orderId, () => this.#reportOf(orderId));
  }

  #reportOf(orderId: string): OrderReport | null {
    const order = this.#state.orders.get(orderId);
    return order === undefined ? null : this.#state.report(order);
  }

  async #answerLater(pending: PendingCommand, result: Promise<BookResult>): Promise<void> {
    pending.answer(await result);
  }

  /** Callers that have waited too long are told `unavailable`; what of theirs is in flight will be released, not matched. */
  #giveUpOld(sent: Batch): void {
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

  #halt(reason: string, sent: Batch): void {
    this.#isBatchOpen = false;
    this.#host.journal.halt(reason);
    this.#host.alert(reason);
    for (const { pending } of sent.requests) if (!pending.abandoned) this.#queue.done(pending);
    const waiting = [...sent.requests.map(({ pending }) => pending), ...this.#queue.takeOlderThan(Infinity)];
    for (const pending of waiting) pending.answer({ type: 'unavailable', orderId: idOf(pending.command) });
    this.#outbox.giveUp();
  }

  #advanceSettled(seq: number): void {
    if (seq === this.#outbox.settled) return;
    this.#host.journal.settled(seq);
    this.#host.settled(this.#outbox.advance(seq).map((row) => row.chunk));
  }
}

/** Whose orders the command means: the end of a family relation those of both. */
function accountsOf(command: BookCommand): readonly (string | null)[] {
  const isOfTwo = command.type === 'mass_cancel' && command.relative !== undefined;
  return isOfTwo ? [command.account, command.relative] : [command.account];
}

function isRefusedByRules(request: AdmissionRequest): boolean {
  if (request.kind !== 'refused') return false;
  const { refusal } = request;
  // A halt that ends by itself is the book's own.
  return refusal.reason === 'stale' || (refusal.reason === 'market_not_open' && refusal.resumesAt === undefined);
}
