import { DurableObject } from 'cloudflare:workers';
import { formatGwei } from 'viem';
import { type Database, database } from '../../data/database.ts';
import { followSettlements } from '../../data/partner/settlements.ts';
import { type ChainRecord, noteRecorded } from '../../data/settlements/chain-records.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { GrowingPause } from '../../domain/calendar/growing-pause.ts';
import {
  type GasPrice,
  type Inclusion,
  type RegistryCall,
  type RegistryEntry,
  RegistryRefusal,
  type WritableRegistry,
  writableRegistryOf,
} from '../chain/registry-client.ts';
import { checkpointerOf } from '../checkpointer/api.ts';
import { ledgerOf } from '../ledger/api.ts';
import { log } from '../log/log.ts';
import { type FinalEntry, sequencerOf } from '../sequencer/api.ts';
import { wakeDispatch } from '../webhook-dispatch/api.ts';
import type { RecorderApi, RecorderStatus } from './api.ts';
import { RecordQueue, type Sent } from './record-queue.ts';
import { type RecorderSettings, recorderSettings } from './recorder-settings.ts';

/** Settlements of one transaction: some five million gas. */
const BATCH_MAX = 100;
/** Transactions that wait for their blocks side by side, and one of checkpoints beside them. */
const IN_FLIGHT_MAX = 4;
/** What waits here at most; the rest waits in the sequencer. */
const WAITING_MAX = 10_000;
/** How often the chain is asked for what is under way. */
const POLL_MS = 1_000;
/** Between tries of what fails: twice as long each time. */
const RETRY_MS_MIN = 1_000;
const RETRY_MS_MAX = MINUTE_MS;
/** After so long without a block a transaction is signed anew and pays more: nodes replace it for a tenth more, and above. */
const BUMP_AFTER_MS = MINUTE_MS;
const BUMP_PERCENT = 15n;
/** Signings of one transaction; more where the last one pays less than the chain asks. */
const TRIES_MAX = 20;
/** How often the account's balance is looked at while there is work. */
const FUNDS_EVERY_MS = 5 * MINUTE_MS;
/** With fewer full transactions left than that the log warns. */
const FUNDS_LOW = 20;
/** Calls of one ring that make settlements of trades. */
const FOLLOW_CALLS_MAX = 20;
/** What waits longer than that is a warning of the log. */
const LATE_AFTER_MS = 5 * MINUTE_MS;

/** Where the chain stands. */
interface ChainPlace {
  /** Of its last block. */
  readonly height: number;
  /** The next one of the recorder's account. */
  readonly nonce: number;
  /** Whether a transaction under way has that nonce. */
  readonly isNextSent: boolean;
}

/** Where the recorder can be killed; tests kill it at each. */
export type RecorderPoint = 'before_keep' | 'before_broadcast' | 'after_broadcast' | 'before_note' | 'before_confirm';

/** Brings what is final into the registry, each once, whatever is lost on the way. */
export class Recorder extends DurableObject<Env> implements RecorderApi {
  readonly #queue = new RecordQueue(this.ctx.storage);
  readonly #registry = this.registry();
  #waitsFor: string | null = null;
  #checkpointsWaitFor: string | null = null;
  /** Number of the last checkpoint that the registry has, as far as this instance knows. */
  #checkpoint = 0;
  readonly #pause = new GrowingPause(RETRY_MS_MIN, RETRY_MS_MAX);
  /** Of checkpoints alone: what keeps them back keeps back no settlements. */
  readonly #checkpointPause = new GrowingPause(RETRY_MS_MIN, RETRY_MS_MAX);
  /** When checkpoints that have failed are tried again. */
  #checkpointsAt = 0;
  /** Full transactions that its account can pay, as it stood at that time. */
  #funds: { readonly transactions: number; readonly at: number } | null = null;
  #alarmAt = Number.POSITIVE_INFINITY;
  /** When the chain was last asked. */
  #askedAt = 0;
  #hasNews = false;
  #isRinging = false;

  async wake(): Promise<void> {
    if (this.#registry === null) return;
    this.#hasNews = true;
    // Blocks become final more often than the chain is to be asked.
    const now = Date.now();
    const at = Math.max(now, Math.min(now, this.#askedAt) + POLL_MS);
    if (!this.#isRinging && this.#waitsFor === null && this.#alarmAt > at) await this.#setAlarm(at);
  }

  async status(): Promise<RecorderStatus> {
    const { size, since, height, refused } = this.#queue;
    return {
      waiting: size,
      refused,
      waitingSince: since,
      inFlight: this.#queue.sent().length,
      height,
      checkpoint: this.#checkpoint,
      affordable: this.#funds?.transactions ?? null,
      waitsFor: this.#waitsFor,
      checkpointsWaitFor: this.#checkpointsWaitFor,
    };
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    if (this.#registry === null) return;
    this.#isRinging = true;
    this.#hasNews = false;
    let next: number | null = null;
    try {
      await this.#work(this.#registry);
      this.#waitsFor = null;
      const isOpen = this.#queue.size > 0 || this.#queue.sent().length > 0;
      this.#pause.end();
      if (isOpen || this.#hasNews) next = Date.now() + POLL_MS;
      else if (this.#checkpointsWaitFor !== null) next = this.#checkpointsAt;
    } catch (error) {
      this.#waitsFor = reasonOf(error);
      next = Date.now() + this.#pause.next_ms();
    } finally {
      this.#isRinging = false;
      this.#askedAt = Date.now();
    }
    this.#report();
    if (next !== null) await this.#setAlarm(next);
  }

  /** Tests have a chain of their own. */
  protected registry(): WritableRegistry | null {
    return writableRegistryOf(this.env);
  }

  /** Tests have others. */
  protected get settings(): RecorderSettings {
    return recorderSettings(this.env);
  }

  /** Waits in tests only. */
  protected step(_point: RecorderPoint): Promise<void> | undefined {
    return undefined;
  }

  async #work(registry: WritableRegistry): Promise<void> {
    await this.#takeFinal();
    await this.#watchFunds(registry);
    await this.#followSent(registry);
    await this.#sendNext(registry);
    await this.#sendCheckpoints(registry);
  }

  async #takeFinal(): Promise<void> {
    while (this.#queue.size < WAITING_MAX) {
      const { height } = this.#queue;
      const page = await sequencerOf(this.env).finalEntries(height);
      if (page.height === height) return;
      this.#queue.take(page.entries, page.height, Date.now());
    }
  }

  /** Nothing depends on it but the warning. */
  async #watchFunds(registry: WritableRegistry): Promise<void> {
    const at = Date.now();
    if (this.#funds !== null && at - this.#funds.at < FUNDS_EVERY_MS) return;
    const transactions = await registry.affordable(BATCH_MAX).catch(() => null);
    if (transactions === null) return;
    this.#funds = { transactions, at };
    if (transactions < FUNDS_LOW) log('warn', 'the account of the recorder has little gas', { transactions });
  }

  async #followSent(registry: WritableRegistry): Promise<void> {
    const sent = this.#queue.sent();
    if (sent.length === 0) return;
    const [height, nonce] = [await registry.height(), await registry.nonce()];
    // Where nothing has the account's next nonce, no block takes those after it.
    const isNextSent = sent.some((transaction) => transaction.nonce === nonce);
    for (const transaction of sent) await this.#follow(registry, transaction, { height, nonce, isNextSent });
  }

  /** A transaction that is deep enough is noted; one that a reorganization has thrown out, or that pays too little, is handed in again. */
  async #follow(registry: WritableRegistry, sent: Sent, { height, nonce, isNextSent }: ChainPlace): Promise<void> {
    const found = await this.#inclusionOf(registry, sent);
    if (found !== null) {
      if (height - found.inclusion.blockNumber + 1 < this.settings.confirmations) return;
      if (found.inclusion.isSuccess && sent.checkpoint !== null) return this.#confirmCheckpoints(sent, sent.checkpoint);
      if (found.inclusion.isSuccess) return this.#confirm(registry, sent.nonce, found);
      log('warn', 'a transaction of the recorder was reverted', { hash: found.hash });
      return this.#queue.release(sent.nonce);
    }
    const isOld = Date.now() - sent.sentAt >= BUMP_AFTER_MS;
    // Another transaction has its nonce, as far as this node knows, or one before it has none.
    if (sent.nonce < nonce || (sent.nonce > nonce && !isNextSent))
      return isOld ? this.#queue.release(sent.nonce) : undefined;
    const last = sent.tries.at(-1);
    if (last === undefined) return;
    if (isOld) return this.#bump(registry, sent, last);
    await registry.broadcast(last);
  }

  async #inclusionOf(registry: WritableRegistry, { tries }: Sent) {
    for (const { hash } of tries) {
      const inclusion = await registry.inclusion(hash);
      if (inclusion !== null) return { hash, inclusion };
    }
    return null;
  }

  /**
   * The same under the same nonce, for more: up to the highest price, and where the account can pay it. Without funds no price helps, and what it was raised
   * to meanwhile would be paid once they are there.
   */
  async #bump(registry: WritableRegistry, sent: Sent, last: Sent['tries'][number]): Promise<void> {
    const now = await registry.gasPrice();
    const more = (price: bigint, least: bigint) => {
      const bumped = price + (price * BUMP_PERCENT) / 100n + 1n;
      return bumped > least ? bumped : least;
    };
    const price = { total: more(last.price.total, now.total), priority: more(last.price.priority, now.priority) };
    const paysTooLittle = now.total > last.price.total;
    const isTooDear = price.total > this.settings.gasPriceMax;
    if (isTooDear && paysTooLittle) {
      await registry.broadcast(last).catch(() => undefined);
      throw this.#tooDear(now);
    }
    const hasTries = sent.tries.length < TRIES_MAX || paysTooLittle;
    if (isTooDear || !hasTries || !(await registry.canPay(last, price))) return registry.broadcast(last);
    const again = { ...(await registry.signAgain(last, price)), price };
    await this.#send(registry, { ...sent, tries: [...sent.tries, again] }, this.#queue.entriesOf(sent.nonce));
  }

  #tooDear({ total }: GasPrice): Error {
    const [asked, most] = [formatGwei(total), formatGwei(this.settings.gasPriceMax)];
    return new Error(`a unit of gas costs ${asked} gwei, and REGISTRY_GAS_GWEI_MAX is ${most}`);
  }

  async #sendNext(registry: WritableRegistry): Promise<void> {
    for (let sent = this.#queue.sent(); sent.length < IN_FLIGHT_MAX; sent = this.#queue.sent()) {
      const entries = this.#queue.next(BATCH_MAX);
      if (entries.length === 0) return;
      const nonce = await this.#nextNonce(registry, sent);
      const first = await this.#firstOf(registry, entries, nonce);
      if (first !== null) await this.#send(registry, { nonce, tries: [first], checkpoint: null }, entries);
    }
  }

  /** Null where the registry takes no more records of one of their trades: that one is left out from here on. */
  async #firstOf(registry: WritableRegistry, entries: readonly FinalEntry[], nonce: number) {
    try {
      return await this.#firstTry(registry, { functionName: 'record', entries }, nonce);
    } catch (error) {
      const full = error instanceof RegistryRefusal ? error.fullTrade : null;
      if (full === null || !entries.some(({ tradeId }) => tradeId.toLowerCase() === full)) throw error;
      log('error', 'the registry takes no more records of a trade', { trade: full });
      this.#queue.refuse(full);
      return null;
    }
  }

  /** Checkpoints that fail keep back no settlements. */
  async #sendCheckpoints(registry: WritableRegistry): Promise<void> {
    if (Date.now() < this.#checkpointsAt) return;
    let reason: string | null = null;
    try {
      await this.#sendNextCheckpoints(registry);
      this.#checkpointPause.end();
    } catch (error) {
      reason = reasonOf(error);
      this.#checkpointsAt = Date.now() + this.#checkpointPause.next_ms();
    }
    if (reason !== null && reason !== this.#checkpointsWaitFor) log('warn', 'checkpoints are not recorded', { reason });
    this.#checkpointsWaitFor = reason;
  }

  /** Those after the last that the registry has: one transaction at a time, since it refuses what does not follow. */
  async #sendNextCheckpoints(registry: WritableRegistry): Promise<void> {
    const sent = this.#queue.sent();
    if (sent.some(({ checkpoint }) => checkpoint !== null)) return;
    if ((await checkpointerOf(this.env).checkpoints(this.#checkpoint)).length === 0) return;
    this.#checkpoint = await registry.lastCheckpoint();
    const checkpoints = await checkpointerOf(this.env).checkpoints(this.#checkpoint);
    const last = checkpoints.at(-1);
    if (last === undefined) return;
    const nonce = await this.#nextNonce(registry, sent);
    const tries = [await this.#firstTry(registry, { functionName: 'recordCheckpoints', checkpoints }, nonce)];
    await this.#send(registry, { nonce, tries, checkpoint: last.number }, []);
  }

  /** The first that nothing has: a gap is filled before anything follows. */
  async #nextNonce(registry: WritableRegistry, sent: readonly Sent[]): Promise<number> {
    let nonce = await registry.nonce();
    while (sent.some((transaction) => transaction.nonce === nonce)) nonce += 1;
    return nonce;
  }

  async #firstTry(registry: WritableRegistry, call: RegistryCall, nonce: number): Promise<Sent['tries'][number]> {
    const price = await registry.gasPrice();
    if (price.total > this.settings.gasPriceMax) throw this.#tooDear(price);
    return { ...(await registry.sign(call, nonce, price)), price };
  }

  /** Kept before it is handed in: whatever becomes of this instance, the next one knows every transaction that may be in a block. */
  async #send(registry: WritableRegistry, sent: Omit<Sent, 'sentAt'>, entries: readonly FinalEntry[]): Promise<void> {
    await this.step('before_keep');
    this.#queue.keep({ ...sent, sentAt: Date.now() }, entries);
    await this.ctx.storage.sync();
    await this.step('before_broadcast');
    const last = sent.tries.at(-1);
    if (last !== undefined) await registry.broadcast(last);
    await this.step('after_broadcast');
  }

  #confirmCheckpoints({ nonce }: Sent, checkpoint: number): void {
    this.#queue.confirm(nonce);
    this.#checkpoint = checkpoint;
  }

  async #confirm(
    registry: WritableRegistry,
    nonce: number,
    { hash, inclusion }: { readonly hash: `0x${string}`; readonly inclusion: Inclusion },
  ): Promise<void> {
    const entries = this.#queue.entriesOf(nonce);
    const own = new Set(inclusion.recorded.map(keyOf));
    const records: ChainRecord[] = [];
    for (const entry of entries) {
      if (own.has(keyOf(entry))) records.push({ ...entry, transaction: hash, blockNumber: inclusion.blockNumber });
      else records.push(...(await recordedBefore(registry, entry)));
    }
    if (!(await ledgerOf(this.env).projected())) throw new Error('D1 does not show the trades yet');
    await this.step('before_note');
    const db = database(this.env.DB);
    const trades = [...new Set(records.map(({ tradeId }) => tradeId))];
    if (trades.length > 0) await makeSettlements(db, trades);
    await noteRecorded(db, records, Date.now());
    // Before it is confirmed: what is not confirmed is noted, and told to the dispatcher, again.
    await wakeDispatch(this.env, 'exchange').catch(() => undefined);
    await this.step('before_confirm');
    this.#queue.confirm(nonce);
  }

  /** The recorder's metrics: how far it is behind, and a warning while that is long. */
  #report(): void {
    const { size, since } = this.#queue;
    const behind_ms = since === null ? 0 : Date.now() - since;
    if (behind_ms >= LATE_AFTER_MS)
      log('warn', 'settlements wait for the registry', { waiting: size, behind_ms, reason: this.#waitsFor });
  }

  async #setAlarm(at: number): Promise<void> {
    this.#alarmAt = Math.max(at, Date.now() + 1);
    await this.ctx.storage.setAlarm(this.#alarmAt);
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}

function keyOf({ tradeId, hash }: RegistryEntry): string {
  return `${tradeId.toLowerCase()} ${hash}`;
}

/** All of these trades have their settlements then: one that has none is told of by nobody. @throws Error where that takes too long for one ring */
async function makeSettlements(db: Database, trades: readonly string[]): Promise<void> {
  for (let call = 0; call < FOLLOW_CALLS_MAX; call++)
    if (!(await followSettlements(db, trades, Date.now())).isFull) return;
  throw new Error('not all trades have settlements yet');
}

/** What stood in the registry before a transaction told it again. */
async function recordedBefore(registry: WritableRegistry, entry: FinalEntry): Promise<ChainRecord[]> {
  const found = (await registry.recordsOf(entry.tradeId)).find(({ hash }) => hash === entry.hash);
  if (found?.transaction == null) throw new Error(`the registry has no transaction of ${entry.id}`);
  return [{ ...entry, transaction: found.transaction, blockNumber: found.blockNumber }];
}
