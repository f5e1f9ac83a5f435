import { DurableObject } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { openSecret } from '../../data/identity/sealed-secret.ts';
import {
  disableEndpoint,
  type EndpointWithSecrets,
  findEndpoint,
  isHeldBack as isHeldBackNow,
  secretContext,
} from '../../data/webhooks/endpoints.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { type Attempt, type AttemptError, afterAttempt, type DisabledReason } from '../../domain/webhooks/attempt.ts';
import { destinationOf, isPublicAddress, ownNamesOf } from '../../domain/webhooks/destination.ts';
import { resolveName } from '../dns/resolve-name.ts';
import { log } from '../log/log.ts';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryWithAttempts,
  type EndpointBacklog,
  MESSAGES_PER_CALL_MAX,
  type RangeReplay,
  type ReplayOutcome,
  type ReplayRange,
  type WebhookEndpointApi,
  type WebhookMessage,
} from './api.ts';
import { DeliveryQueue, type EndedAttempt, type Taken, type Waiting } from './delivery-queue.ts';
import { send } from './send.ts';

const DISABLING_KEY = 'disabling';
/** How long what was read of the endpoint's row holds; whoever changes the row says so at once. */
const ROW_MS_MAX = 5_000;
/** How long the addresses of a name that were found public hold. */
const ADDRESSES_MS_MAX = 60_000;
/** Tries of one alarm: the runtime bounds the requests of an invocation. */
const TRIES_PER_ALARM_MAX = 250;
/**
 * Messages that are read at once, and how many that were taken are noted at once, or after how long: the runtime holds every request back until what
 * was written before it is on disk. A crash sends those again that were not noted, under the same ids.
 */
const READ_AT_ONCE_MAX = 50;
const NOTED_AT_ONCE_MAX = 25;
const NOTED_AFTER_MS = 100;
/** An alarm sends no longer than this: the runtime ends one after fifteen minutes, at whatever it does, and repeats it a few times only. */
const WORK_MS_MAX = 5 * MINUTE_MS;
/** After so long the runtime has ended it. */
const ALARM_MS_MAX = 15 * MINUTE_MS;
/** Until it is looked again whether a suspended organization may read; one that is reinstated is looked at at once. */
const HELD_BACK_MS = 5 * MINUTE_MS;
/** Until what failed on our side, such as D1 that is away, is tried again. It is no try of the receiver. */
const RETRY_MS = 5_000;

/** The endpoint as it stands now, with what signs for it. */
interface OpenEndpoint {
  readonly row: EndpointWithSecrets;
  readonly secrets: readonly { readonly text: string; readonly endsAt: number | null }[];
  /** Its organization may not read: it is told nothing until it may. */
  readonly isHeldBack: boolean;
  readonly readAt: number;
  /** How often the row had changed. */
  readonly generation: number;
}

/** That it is given up, until D1 says so. */
interface Disabling {
  readonly eventId: string;
  readonly reason: DisabledReason;
  readonly at: number;
}

/** The queue and the log of one endpoint, named by its id (docs/design/webhooks.md). */
export class WebhookEndpoint extends DurableObject<Env> implements WebhookEndpointApi {
  #stored: DeliveryQueue | null = null;
  #endpoint: OpenEndpoint | null = null;
  /** Raised when the row changes: what was read or begun before says nothing of the endpoint as it stands. */
  #generation = 0;
  #examined: { readonly name: string; readonly at: number } | null = null;
  #isTesting = false;
  /** No message is due before, while the organization may not read. */
  #heldUntil = 0;
  /** Taken by the receiver, and not noted yet. */
  #taken: Taken[] = [];
  /** Raised by calls: what was read of the queue before may wait no longer. */
  #calls = 0;
  /** Until then an alarm is under way, at most: it sees what comes meanwhile. */
  #ringsUntil = 0;
  /** As this instance has set it: one that was lost leaves an alarm that may ring much later. */
  #alarmAt = Number.POSITIVE_INFINITY;

  async enqueue(messages: readonly WebhookMessage[]): Promise<void> {
    if (messages.length > MESSAGES_PER_CALL_MAX) throw new RangeError(`${messages.length} messages`);
    const now = Date.now();
    this.#noted().enqueue(messages, now);
    if (this.#noted().isOverfull) this.#giveUp('overflow', now);
    await this.#wake();
  }

  async sendTest(message: WebhookMessage): Promise<DeliveryWithAttempts | null> {
    if (this.#isTesting) return null;
    this.#isTesting = true;
    try {
      const endpoint = await this.#open();
      if (endpoint === null) return null;
      const refused = await this.#refusedDestination(endpoint.row.url, Date.now());
      const attempt = await this.#try(
        endpoint,
        { ...message, sequence: null },
        refused === 'away' ? 'not_resolved' : refused,
      );
      return this.#queue.recordTest(message, attempt);
    } finally {
      this.#isTesting = false;
    }
  }

  async replay(deliveryId: string, as: string): Promise<ReplayOutcome> {
    const outcome = this.#noted().replay(deliveryId, as, Date.now());
    await this.#wake();
    return outcome;
  }

  async replayRange(range: ReplayRange): Promise<RangeReplay> {
    const outcome = this.#noted().replayRange(range, Date.now());
    await this.#wake();
    return outcome;
  }

  async skip(deliveryId: string): Promise<boolean | null> {
    this.#calls += 1;
    const isSkipped = this.#noted().skip(deliveryId, Date.now());
    await this.#wake();
    return isSkipped;
  }

  async deliveries(query: DeliveriesQuery): Promise<Delivery[]> {
    return this.#noted().list(query);
  }

  async delivery(id: string): Promise<DeliveryWithAttempts | null> {
    return this.#noted().find(id);
  }

  async backlog(): Promise<EndpointBacklog> {
    const head = this.#noted().head();
    const { waiting, waitingBytes } = this.#noted();
    return { waiting, waitingBytes, failingSince: head?.firstTriedAt ?? null, nextTryAt: head?.nextTryAt ?? null };
  }

  async changed(): Promise<void> {
    this.#generation += 1;
    this.#calls += 1;
    this.#endpoint = null;
    this.#examined = null;
    this.#heldUntil = 0;
    this.#noted().hasten();
    await this.#setAlarm(Date.now());
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    this.#ringsUntil = Date.now() + ALARM_MS_MAX;
    let failedAt: number | null = null;
    try {
      if (!(await this.#work())) return;
    } catch (error) {
      // An alarm that fails is repeated a few times by the runtime, and then no more.
      failedAt = Date.now();
      const reason = error instanceof Error ? error.message : String(error);
      log('warn', 'webhooks wait', { endpoint: this.#id, reason });
    } finally {
      this.#ringsUntil = 0;
    }
    const next = failedAt === null ? this.#nextDue(Date.now()) : failedAt + RETRY_MS;
    if (next !== null) await this.#setAlarm(next);
  }

  /** False where the endpoint is gone, and this object with it. */
  async #work(): Promise<boolean> {
    await this.#tellGivenUp();
    const until = Date.now() + WORK_MS_MAX;
    let messages: Waiting[] = [];
    let calls = this.#calls;
    try {
      for (let tries = 0; tries < TRIES_PER_ALARM_MAX && Date.now() < until; tries++) {
        const endpoint = await this.#open();
        if (endpoint === null) {
          await this.ctx.storage.deleteAlarm();
          await this.ctx.storage.deleteAll();
          this.#taken = [];
          this.#stored = null;
          return false;
        }
        const now = Date.now();
        if (endpoint.row.disabledReason !== null) {
          this.#noted().bury(endpoint.row.disabledReason, now);
          return true;
        }
        this.#heldUntil = endpoint.isHeldBack ? now + HELD_BACK_MS : 0;
        if (endpoint.isHeldBack) return true;
        if (messages.length === 0 || calls !== this.#calls) {
          calls = this.#calls;
          messages = this.#noted().next(READ_AT_ONCE_MAX);
        }
        const head = messages.shift();
        if (head === undefined || (head.nextTryAt ?? 0) > now) return true;
        if (await this.#deliver(endpoint, head)) continue;
        messages = [];
        await this.#tellGivenUp();
      }
      return true;
    } finally {
      this.#noteTaken();
    }
  }

  /** Whether it was taken. */
  async #deliver(endpoint: OpenEndpoint, head: Waiting): Promise<boolean> {
    const refused = await this.#refusedDestination(endpoint.row.url, Date.now());
    // Of our side: no try of the receiver.
    if (refused === 'away') throw new Error('names are not looked up');
    const attempt = await this.#try(endpoint, head, refused);
    const now = Date.now();
    const failed = { tries: head.tries + 1, firstTriedAt: head.firstTriedAt ?? attempt.at };
    const after = afterAttempt(attempt, failed, now, Math.random());
    if (after.type === 'delivered') {
      this.#taken.push({ message: head, attempt });
      const [first] = this.#taken;
      const isLate = first !== undefined && now >= first.attempt.at + NOTED_AFTER_MS;
      if (isLate || this.#taken.length >= NOTED_AT_ONCE_MAX) this.#noteTaken();
      return true;
    }
    // What failed by terms that hold no longer is tried at once by the new ones.
    const isOutdated = endpoint.generation !== this.#generation;
    const isWaiting = this.#noted().recordRefused(
      head,
      attempt,
      after.type === 'retry' && !isOutdated ? after.at : now,
    );
    // A message that its owner has skipped gives up nobody else's; a receiver that is gone is gone.
    const isOver = after.type === 'disable' && (isWaiting || after.reason === 'gone');
    if (isOver && !isOutdated) this.#giveUp(after.reason, now);
    return false;
  }

  #noteTaken(): void {
    const taken = this.#taken.splice(0);
    if (taken.length > 0) this.#queue.recordTaken(taken);
  }

  /** The queue with what was taken noted in it. */
  #noted(): DeliveryQueue {
    this.#noteTaken();
    return this.#queue;
  }

  async #try(
    { row, secrets }: OpenEndpoint,
    message: { readonly eventId: string; readonly sequence: number | null; readonly payload: string },
    refused: AttemptError | null,
  ): Promise<EndedAttempt> {
    const at = Date.now();
    const signing = secrets.filter(({ endsAt }) => endsAt === null || endsAt > at).map(({ text }) => text);
    const attempt: Attempt =
      refused === null
        ? await send({ ...message, url: row.url, secrets: signing })
        : { status: null, error: refused, response: null };
    return { ...attempt, at, durationMs: Date.now() - at };
  }

  /**
   * Why nothing may be sent there now: an address is judged again before it is called, since what its name leads to may change. `away`: nobody says what
   * it leads to.
   */
  async #refusedDestination(url: string, now: number): Promise<AttemptError | 'away' | null> {
    const destination = destinationOf(url, {
      isLocal: this.env.ENVIRONMENT === 'local',
      ownNames: ownNamesOf(this.env),
    });
    if (!destination.ok) return 'not_allowed';
    const { name } = destination.value;
    if (name === null) return null;
    if (this.#examined?.name === name && now - this.#examined.at < ADDRESSES_MS_MAX) return null;
    const addresses = await resolveName(this.env.WEBHOOK_RESOLVER_URL, name);
    if (addresses === 'away') return 'away';
    if (addresses === 'failed' || addresses.length === 0) return 'not_resolved';
    if (!addresses.every(isPublicAddress)) return 'not_public';
    this.#examined = { name, at: now };
    return null;
  }

  /** The endpoint's row and secrets; null where it was deleted. */
  async #open(): Promise<OpenEndpoint | null> {
    const generation = this.#generation;
    const now = Date.now();
    if (this.#endpoint !== null && now - this.#endpoint.readAt < ROW_MS_MAX) return this.#endpoint;
    const row = await this.readRow();
    if (row === null) return null;
    const secrets = [{ text: await this.#unseal(row.secret), endsAt: null as number | null }];
    if (row.formerSecret !== null)
      secrets.push({ text: await this.#unseal(row.formerSecret), endsAt: row.formerSecretEndsAt });
    for (const { secret, endsAt } of row.earlierSecrets)
      if (endsAt > now) secrets.push({ text: await this.#unseal(secret), endsAt });
    const isHeldBack = await isHeldBackNow(database(this.env.DB), row.organization);
    // Changed while it was read: what was read may be older than the change.
    if (generation !== this.#generation) return this.#open();
    this.#endpoint = { row, secrets, isHeldBack, readAt: now, generation };
    return this.#endpoint;
  }

  /** Waits in tests only. */
  protected readRow(): Promise<EndpointWithSecrets | null> {
    return findEndpoint(database(this.env.DB), this.#id);
  }

  #unseal(secret: string): Promise<string> {
    return openSecret(secret, this.env.API_KEY_MASTER_KEY, secretContext(this.#id));
  }

  /** Gives up what waits; D1 learns of it at the next alarm, whatever crashes before. */
  #giveUp(reason: DisabledReason, now: number): void {
    this.#calls += 1;
    this.ctx.storage.transactionSync(() => {
      this.#noted().bury(reason, now);
      this.ctx.storage.kv.put<Disabling>(DISABLING_KEY, { eventId: uuidv7(), reason, at: now });
    });
    log('warn', 'webhook endpoint disabled', { endpoint: this.#id, reason });
  }

  async #tellGivenUp(): Promise<void> {
    const disabling = this.ctx.storage.kv.get<Disabling>(DISABLING_KEY);
    if (disabling === undefined) return;
    await disableEndpoint(database(this.env.DB), this.#id, disabling);
    this.ctx.storage.kv.delete(DISABLING_KEY);
    this.#endpoint = null;
  }

  #nextDue(now: number): number | null {
    const forgetAt = this.#queue.forget(now);
    if (this.ctx.storage.kv.get(DISABLING_KEY) !== undefined) return now;
    const head = this.#noted().head();
    if (head === null) return forgetAt;
    const dueAt = Math.max(head.nextTryAt ?? now, this.#heldUntil);
    return Math.min(dueAt, forgetAt ?? Number.POSITIVE_INFINITY);
  }

  /** Something may be due now. */
  async #wake(): Promise<void> {
    const now = Date.now();
    if (now < this.#ringsUntil) return;
    const due = this.#nextDue(now);
    if (due !== null && due < this.#alarmAt) await this.#setAlarm(due);
  }

  /** An alarm that is set, while it rings, to the time at which it was due is lost: so it is set to a later one. */
  async #setAlarm(at: number): Promise<void> {
    this.#alarmAt = Math.max(at, Date.now() + 1);
    await this.ctx.storage.setAlarm(this.#alarmAt);
  }

  /** Made anew where everything was deleted. */
  get #queue(): DeliveryQueue {
    this.#stored ??= new DeliveryQueue(this.ctx.storage);
    return this.#stored;
  }

  get #id(): string {
    const { name } = this.ctx.id;
    if (name === undefined) throw new Error('an endpoint is addressed by its id');
    return name;
  }
}
