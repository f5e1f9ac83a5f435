import { DurableObject } from 'cloudflare:workers';
import { batchOf } from '../../domain/ledger/batch-text.ts';
import type { HeldKind, HeldPage, HeldRow } from '../../domain/ledger/held-rows.ts';
import { JournalBroken } from '../../domain/ledger/journal-chain.ts';
import type { JournaledTransaction, JournalRow } from '../../domain/ledger/journal-row.ts';
import { segmentKey } from '../../domain/ledger/journal-segment.ts';
import type { JournalPart } from '../../domain/ledger/journal-source.ts';
import type { Ledger as LedgerState } from '../../domain/ledger/ledger.ts';
import { LEDGER_CODE, type LedgerCode } from '../../domain/ledger/ledger-rules.ts';
import type {
  Fence,
  LedgerViolationRow,
  OpenOrderPlace,
  OutcomeOf,
  OwnOutcome,
  ReservationRow,
} from '../../domain/ledger/outcomes.ts';
import type { AccountBalance } from '../../domain/ledger/records.ts';
import type { LedgerTransaction, TakeOwnership } from '../../domain/ledger/transactions.ts';
import { UNSETTLED_MAX } from '../../domain/ledger/unsettled.ts';
import { log } from '../log/log.ts';
import { orderBookOf } from '../order-book/api.ts';
import { wakeSequencer } from '../sequencer/api.ts';
import { wakeDispatch } from '../webhook-dispatch/api.ts';
import { AccountFeed, type AccountFeedHost } from './account-feed.ts';
import { adoptRules } from './adopt-rules.ts';
import {
  AVAILABLE_ACCOUNTS_MAX,
  type BoundFill,
  type CommitAnswer,
  type DailyUse,
  type DailyUseQuestion,
  type DoorTransaction,
  HELD_ROWS_MAX,
  LEDGER_SHARD,
  type LedgerApi,
  type LedgerStatus,
  PROJECTED_WAIT_MS,
  type RebuildOutcome,
} from './api.ts';
import { Cancellations, type CancelledOrders } from './cancellations.ts';
import { type CommitPoint, GroupCommit, TransactionFailed } from './group-commit.ts';
import { JournalArchive, type SealPoint } from './journal-archive.ts';
import { type JournalHead, LedgerJournal } from './ledger-journal.ts';
import { LEDGER_SETTINGS, type LedgerSettings } from './ledger-settings.ts';
import { Projector, type ProjectPoint } from './projector.ts';
import { ReadModelRebuild } from './read-model-rebuild.ts';
import { replay } from './replay.ts';

/** Rows in one answer to a reader of the journal. */
const PART_ROWS_MAX = 10_000;
/** A D1 that lacks a row for so long answers no reads of accounts. */
const LATE_AFTER_MS = PROJECTED_WAIT_MS;

export type LedgerPoint = CommitPoint | ProjectPoint | SealPoint;

/** What a ledger that has recovered works with. */
interface Running {
  readonly ledger: LedgerState;
  readonly commit: GroupCommit;
  readonly projector: Projector;
  readonly archive: JournalArchive;
  readonly cancellations: Cancellations;
  readonly rebuild: ReadModelRebuild;
}

/** What Cloudflare lets an object hold. */
const STORE_BYTES_MAX = 10_000_000_000;

/** The ledger of one shard, named `ledger:<n>` (docs/design/ledger.md). */
export class Ledger extends DurableObject<Env> implements LedgerApi {
  readonly #journal: LedgerJournal;
  readonly #accountFeed = new AccountFeed(() => this.#followable());
  #running: Running | null = null;
  #haltReason: string | null = null;
  #alarmAt = Number.POSITIVE_INFINITY;
  #reportedAt = Date.now();
  /** A call of the sequencer that is under way, and whether it may have missed something. */
  #waking: Promise<void> | null = null;
  #wakesAgain = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    this.#journal = new LedgerJournal(ctx.storage);
    ctx.blockConcurrencyWhile(async () => {
      this.#alarmAt = (await ctx.storage.getAlarm()) ?? Number.POSITIVE_INFINITY;
      this.#recover();
    });
  }

  /** The socket of a feed object, which follows accounts. */
  override fetch(request: Request): Response {
    return this.#accountFeed.connect(request);
  }

  async commitText(text: string): Promise<string> {
    const batch = batchOf(text);
    if (batch.kind !== 'batch') throw new TypeError('not the text of a batch');
    const answer: CommitAnswer = await this.#submit(batch, text).catch((error: unknown) => {
      if (error instanceof TransactionFailed) return { type: 'violated', message: error.message };
      throw error;
    });
    return JSON.stringify(answer);
  }

  async takeOwnership(request: TakeOwnership): Promise<OwnOutcome> {
    return this.#submit(request);
  }

  async transact<T extends DoorTransaction>(transaction: T): Promise<OutcomeOf[T['kind']]> {
    return this.#submit(transaction);
  }

  async fence(book: string): Promise<Fence> {
    return this.#usable().ledger.fence(book);
  }

  async balances(account: string): Promise<AccountBalance[]> {
    return this.#usable().ledger.balances(account);
  }

  async available(accounts: readonly string[], asset: string): Promise<number[]> {
    if (accounts.length > AVAILABLE_ACCOUNTS_MAX) throw new RangeError(`${accounts.length} accounts in one question`);
    const { ledger } = this.#usable();
    return accounts.map((account) => ledger.balance(account, asset).available);
  }

  async dailyUse({ keyId, account, asset, quantity }: DailyUseQuestion): Promise<DailyUse> {
    const { ledger } = this.#usable();
    return { ...ledger.keyUse(keyId, Date.now()), cost: ledger.costOf(account, asset, quantity) };
  }

  async openBooks(account: string): Promise<string[]> {
    return this.#usable().ledger.openBooks(account);
  }

  async isForgotten(orderId: string): Promise<boolean> {
    return this.#usable().ledger.isForgotten(orderId);
  }

  async openOrder(
    account: string,
    wanted: { readonly orderId: string } | { readonly clientOrderId: string },
  ): Promise<OpenOrderPlace | null> {
    const { ledger } = this.#usable();
    if ('orderId' in wanted) return ledger.openOrder(account, wanted.orderId);
    return ledger.openOrderCalled(account, wanted.clientOrderId);
  }

  async clientOrderIds(orderIds: string[]): Promise<(string | null)[]> {
    return this.#usable().ledger.clientOrderIds(orderIds);
  }

  async reservations(book: string): Promise<ReservationRow[]> {
    return this.#usable().ledger.reservations(book);
  }

  async heldPage(kind: HeldKind, from: number, count: number): Promise<HeldPage> {
    return this.#usable().ledger.heldPage(kind, from, Math.min(count, HELD_ROWS_MAX));
  }

  async heldRows(kind: HeldKind, keys: readonly string[]): Promise<HeldRow[]> {
    if (keys.length > HELD_ROWS_MAX) throw new RangeError(`more than ${HELD_ROWS_MAX} keys in one call`);
    return this.#usable().ledger.heldRows(kind, keys);
  }

  async projected(): Promise<boolean> {
    return this.#haltReason === null && this.#usable().projector.projected(this.settings.projectedWait_ms);
  }

  async status(): Promise<LedgerStatus> {
    return this.#status();
  }

  async stateHash(): Promise<{ journaled: number; stateHash: string }> {
    const stateHash = this.#usable().ledger.stateHash();
    return { journaled: this.#journal.head.seq, stateHash };
  }

  async selfAudit(): Promise<LedgerViolationRow[]> {
    if (this.#haltReason !== null) return [{ invariant: 'replay', violation: this.#haltReason }];
    const { ledger } = this.#usable();
    const differences = this.#differencesFromReplay(ledger);
    return [
      ...differences.map((violation): LedgerViolationRow => ({ invariant: 'replay', violation })),
      ...ledger.violations(),
    ];
  }

  async journalPartAfter(seq: number): Promise<JournalPart> {
    const segment = this.#journal.segments.having(seq + 1);
    if (segment !== null) return { type: 'segment', key: segmentKey(this.#shard(), segment), segment };
    return { type: 'rows', rows: this.#journal.storedRows(seq, PART_ROWS_MAX, this.settings.partBytesMax) };
  }

  async rebuildReadModel(id: string): Promise<RebuildOutcome> {
    return this.#usable().rebuild.begin(id);
  }

  /** Goes on with what a crash has left, or with what has become due. */
  override alarm(): void {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    if (this.#running === null || this.#haltReason !== null) return;
    const { ledger, projector, archive, cancellations, rebuild } = this.#running;
    projector.kick();
    archive.kick();
    cancellations.kick();
    rebuild.kick();
    this.#reportIfDue(Date.now());
    if (projector.isBehind || rebuild.isUnfinished || ledger.pendingCancellations().length > 0) this.#scheduleAlarm(0);
    if (archive.dueAt !== null) this.#scheduleAlarm(archive.dueAt);
  }

  /** Tests have smaller bounds. */
  protected get settings(): LedgerSettings {
    return LEDGER_SETTINGS;
  }

  /** Tests upgrade a ledger to other code. */
  protected get code(): LedgerCode {
    return LEDGER_CODE;
  }

  /** Test objects wait and kill here. */
  protected step(_point: LedgerPoint): Promise<void> | undefined {
    return undefined;
  }

  async #submit<T extends LedgerTransaction>(transaction: T, text?: string): Promise<OutcomeOf[T['kind']]> {
    return this.#usable().commit.submit(transaction, text ?? JSON.stringify(transaction));
  }

  /** What is journaled, and nothing else, is shown and built upon. */
  #usable(): Running {
    if (this.#haltReason !== null) throw new Error(`the ledger is halted: ${this.#haltReason}`);
    if (this.#running === null || this.#running.commit.isUnusable) throw new Error('the ledger starts again');
    return this.#running;
  }

  #followable(): AccountFeedHost {
    const { ledger } = this.#usable();
    return {
      seq: this.#journal.head.seq,
      balance: (account, asset) => ledger.accountBalance(account, asset),
      balances: (account) => ledger.balances(account),
      openOrderIds: (account) => ledger.openOrderIds(account),
    };
  }

  #status(): LedgerStatus {
    const running = this.#running;
    const { ledger, projector, commit, rebuild } = running ?? {};
    return {
      journaled: this.#journal.head.seq,
      projected: projector?.cursor ?? this.#journal.projected,
      sealed: this.#journal.segments.sealed,
      behindSince: projector?.behindSince ?? null,
      ...(ledger?.size ?? { accounts: 0, balances: 0, reservations: 0, amendments: 0, lots: 0, unsettled: 0 }),
      bounds: running === null ? [] : this.#bounds(running),
      admits: this.#haltReason === null && commit?.isUnusable === false && running !== null && !isBacklogged(running),
      cancellationsPending: ledger?.pendingCancellations().length ?? 0,
      rebuild: rebuild?.progress ?? null,
      halted: this.#haltReason,
    };
  }

  #bounds({ ledger, commit, projector, archive }: Running): BoundFill[] {
    const { settings } = this;
    const { limits } = ledger.rules;
    const { balances, reservations, amendments, lots, unsettled } = ledger.size;
    const { transactions, bytes } = commit.queued;
    return [
      { bound: 'balances', used: balances, max: limits.balancesMax },
      { bound: 'reservations', used: reservations - amendments, max: limits.reservationsMax },
      { bound: 'amendments', used: amendments, max: limits.amendmentsMax },
      { bound: 'lots', used: lots, max: limits.lotsMax },
      { bound: 'unsettled', used: unsettled, max: UNSETTLED_MAX },
      { bound: 'queued_transactions', used: transactions, max: settings.queueTransactionsMax },
      { bound: 'queued_bytes', used: bytes, max: settings.queueBytesMax },
      { bound: 'unprojected_rows', used: this.#journal.head.seq - projector.cursor, max: settings.backlogRowsMax },
      { bound: 'unprojected_bytes', used: projector.bytesBehind, max: settings.backlogBytesMax },
      { bound: 'unsealed_bytes', used: archive.bytesUnsealed, max: settings.unsealedBytesMax },
      { bound: 'store_bytes', used: this.ctx.storage.sql.databaseSize, max: STORE_BYTES_MAX },
    ];
  }

  /** The ledger's metrics: a line of the log now and then, a warning while D1 is late or nothing is admitted. */
  #reportIfDue(now: number): void {
    if (now - this.#reportedAt < this.settings.reportEvery_ms) return;
    this.#reportedAt = now;
    const { journaled, projected, sealed, behindSince, bounds, admits } = this.#status();
    const behindMs = behindSince === null ? 0 : Math.max(0, now - behindSince);
    const level = !admits || behindMs >= LATE_AFTER_MS ? 'warn' : 'info';
    const fills = Object.fromEntries(bounds.map(({ bound, used, max }) => [bound, { used, max }]));
    const lag = { rows: journaled - projected, ms: behindMs };
    const unsealed = journaled - sealed;
    log(level, 'ledger status', { ledger: this.ctx.id.name, journaled, lag, unsealed, admits, bounds: fills });
  }

  #recover(): void {
    try {
      const ledger = replay(this.#journal, this.code, this.#journal.recovered);
      const { storage } = this.ctx;
      if (adoptRules({ storage, journal: this.#journal, ledger, rules: this.code.rules, now: Date.now() }))
        this.#scheduleAlarm(0);
      this.#run(ledger);
    } catch (error) {
      if (!(error instanceof JournalBroken)) throw error;
      this.#halt(error.message);
    }
  }

  #run(ledger: LedgerState): void {
    const journal = this.#journal;
    const { settings } = this;
    const step = (point: LedgerPoint): Promise<void> | undefined => this.step(point);
    const projector = new Projector({
      d1: this.env.DB,
      shard: this.#shard(),
      journal,
      settings,
      values: ledger,
      sealedRowsAfter: (seq) => archive.rowsAfter(seq),
      eventsWritten: () => this.#wakeDispatch(),
      halt: (reason) => this.#halt(reason),
      warn: (reason) => this.#log('warn', 'rows did not get to D1 yet', reason),
      step,
    });
    const archive = new JournalArchive({
      storage: this.ctx.storage,
      bucket: this.env.LEDGER_JOURNAL,
      shard: this.#shard(),
      journal,
      settings,
      now: () => Date.now(),
      sealed: () => journal.prune(projector.cursor),
      wakeAt: (time) => this.#scheduleAlarm(time),
      warn: (reason) => this.#log('warn', 'the journal was not sealed', reason),
      step,
    });
    const commit = new GroupCommit({
      storage: this.ctx.storage,
      journal,
      ledger,
      settings,
      now: () => Date.now(),
      isBacklogged: () => isBacklogged({ projector, archive, rebuild }),
      journaled: (row) => this.#journaled(row),
      answered: () => this.#checkpointIfDue(ledger),
      unusable: () => projector.stop(),
      abort: (reason) => this.#abort(reason),
      step,
    });
    const cancellations = new Cancellations({
      pending: () => (this.#haltReason === null && !commit.isUnusable ? ledger.pendingCancellations() : []),
      cancelIn: (book, orders) => this.#cancelIn(book, orders),
      confirm: async (id, book) => {
        await this.#submit({ kind: 'cancelled', id, book });
      },
      warn: (reason) => this.#log('warn', 'orders were not cancelled yet', reason),
    });
    const rebuild = new ReadModelRebuild({
      d1: this.env.DB,
      shard: this.#shard(),
      journal,
      projector,
      now: () => Date.now(),
      sealedRowsAfter: (seq) => archive.rowsAfter(seq),
      wakeAt: (time) => this.#scheduleAlarm(time),
      warn: (reason) => this.#log('warn', 'the read model was not rebuilt yet', reason),
    });
    this.#running = { ledger, commit, projector, archive, cancellations, rebuild };
    projector.kick();
    archive.kick();
    cancellations.kick();
    rebuild.kick();
    if (journal.head.seq > 0) this.#wakeReaders();
  }

  /** What the instance before had journaled may have been told to nobody. */
  #wakeReaders(): void {
    this.#wakeDispatch();
    this.#wakeSequencer();
  }

  /** Lost, the dispatcher finds the events by itself. */
  #wakeDispatch(): void {
    const failed = (error: unknown) => this.#log('warn', 'the dispatcher was not woken', String(error));
    this.ctx.waitUntil(wakeDispatch(this.env, 'exchange').catch(failed));
  }

  /** One call at a time: what is journaled meanwhile is told by the next. Lost, the sequencer finds it by itself. It reads the one shard that there is. */
  #wakeSequencer(): void {
    if (this.#shard() !== LEDGER_SHARD) return;
    this.#wakesAgain = true;
    this.#waking ??= this.#wakeWhileNews();
    this.ctx.waitUntil(this.#waking);
  }

  async #wakeWhileNews(): Promise<void> {
    try {
      while (this.#wakesAgain) {
        this.#wakesAgain = false;
        await wakeSequencer(this.env);
      }
    } catch (error) {
      this.#log('warn', 'the sequencer was not woken', String(error));
    } finally {
      this.#waking = null;
    }
  }

  #journaled(row: JournalRow): void {
    this.#scheduleAlarm(0);
    const { bytes } = this.#journal.head;
    this.#running?.projector.push(row, bytes);
    this.#running?.archive.push(row.time, bytes);
    this.#accountFeed.journaled(row);
    this.#reportIfDue(row.time);
    if (row.entries.some(isSettling)) this.#wakeSequencer();
    const asksBooks = row.entries.some(({ outcome }) => 'cancelIn' in outcome && outcome.cancelIn.length > 0);
    if (asksBooks) this.#running?.cancellations.kick();
    // A key that has reached its daily loss: nobody else asks its books.
    else if (this.#running?.ledger.hasPendingCancellations) this.#running.cancellations.kickAtOnce();
  }

  #checkpointIfDue(ledger: LedgerState): void {
    if (!this.#journal.wantsCheckpoint(this.settings)) return;
    this.#journal.writeCheckpoint(ledger.checkpoint(), Date.now());
    this.#journal.prune(this.#running?.projector.cursor ?? 0);
  }

  async #cancelIn(book: string, orders: CancelledOrders): Promise<boolean> {
    const command = { type: 'mass_cancel', ...orders, reason: 'revoked' } as const;
    const [result] = await orderBookOf(this.env, book).submit([command]);
    return result?.type === 'mass_cancelled';
  }

  #differencesFromReplay(ledger: LedgerState): string[] {
    const { checkpoint, head } = this.#journal;
    let end: JournalHead = checkpoint;
    try {
      const again = replay(this.#journal, this.code, (read) => {
        end = read;
      });
      if (end.hash !== head.hash) return [`the journal ends with row ${end.seq}, not ${head.seq}`];
      const [expected, found] = [again.stateHash(), ledger.stateHash()];
      return expected === found ? [] : [`state ${found}, by its journal ${expected}`];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  }

  #shard(): string {
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error('a ledger is addressed by the name of its shard');
    return name;
  }

  /** Sets the alarm to this time, with a delay in which what is under way can finish. An earlier alarm stays. */
  #scheduleAlarm(time: number): void {
    const now = Date.now();
    const alarmAt = Math.max(time, now + this.settings.alarmAfter_ms);
    if (this.#alarmAt > now && this.#alarmAt <= alarmAt) return;
    this.#alarmAt = alarmAt;
    void this.ctx.storage.setAlarm(alarmAt);
  }

  /** Nothing is answered any more until people have looked. */
  #halt(reason: string): void {
    this.#haltReason = reason;
    this.#running?.projector.stop();
    this.#running?.archive.stop();
    this.#log('error', 'ledger halted', reason);
  }

  #abort(reason: string): never {
    this.#log('error', 'ledger gives up', reason);
    this.ctx.abort(reason);
    throw new Error(reason);
  }

  #log(level: 'warn' | 'error', event: string, reason: string): void {
    log(level, event, { ledger: this.ctx.id.name, reason });
  }
}

/** Whether a block has something of it. */
function isSettling({ transaction }: JournaledTransaction): boolean {
  if (transaction.kind === 'adjust_trade') return true;
  return transaction.kind === 'batch' && transaction.chunks.some(({ trades }) => trades.length > 0);
}

/** Whether nothing new may be admitted until D1 or R2 has caught up. */
function isBacklogged({ projector, archive, rebuild }: Pick<Running, 'projector' | 'archive' | 'rebuild'>): boolean {
  return projector.isFarBehind || archive.isFarBehind || rebuild.isReadModelGone;
}
