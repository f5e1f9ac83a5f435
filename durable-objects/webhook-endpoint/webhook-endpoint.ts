import { DurableObject } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { openSecret } from '../../data/identity/sealed-secret.ts';
import {
  disableEndpoint,
  type EndpointWithSecrets,
  findEndpoint,
  headersContext,
  isHeldBack as isHeldBackNow,
  secretContext,
} from '../../data/webhooks/endpoints.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import {
  type Attempt,
  type AttemptError,
  afterAttempt,
  type DisabledReason,
  leftAloneUntil,
} from '../../domain/webhooks/attempt.ts';
import { Breaker, type BreakerState } from '../../domain/webhooks/breaker.ts';
import { destinationOf, isPublicAddress, ownNamesOf } from '../../domain/webhooks/destination.ts';
import { isSlowAnswer } from '../../domain/webhooks/slow-answer.ts';
import { resolveName } from '../dns/resolve-name.ts';
import { log } from '../log/log.ts';
import { send } from '../webhook-sending/send.ts';
import {
  type Claim,
  type DeadReplayOutcome,
  type DeliveriesQuery,
  type Delivery,
  type DeliveryWithAttempts,
  type EndedAttempt,
  type EndedTry,
  type EndpointBacklog,
  type EventBody,
  type GivenMessages,
  MESSAGES_PER_CALL_MAX,
  type RangeReplay,
  type Recorded,
  type RecordedRest,
  type ReplayOutcome,
  type ReplayRange,
  type SendingTerms,
  TEST_TYPE,
  type WebhookEndpointApi,
  type WebhookMessage,
  type WebhookPointer,
} from './api.ts';
import { DeliveryQueue, type Taken, type Tried, type Waiting } from './delivery-queue.ts';

/** What was tried more often is not hastened where its receiver takes others again. */
const HASTENED_TRIES_MAX = 3;
const DISABLING_KEY = 'disabling';
/** When its receiver last took a message. */
const DELIVERED_KEY = 'delivered_at';
const GENERATION_KEY = 'generation';
const BREAKER_KEY = 'breaker';
/** How long what was read of the endpoint's row holds; whoever changes the row says so at once. */
const ROW_MS_MAX = 5_000;
/** How long the addresses of a name that were found public hold. */
const ADDRESSES_MS_MAX = 60_000;
/** Messages that are on the Queue or with a consumer at once, so that one endpoint's do not stand before those of all others. A call of the Queue takes as many. */
const CARRIED_MAX = 100;
/** After so long a message that nobody has asked for, or that nobody has said anything of, is put on the Queue again. */
const CARRIED_MS = MINUTE_MS;
/** Characters of bodies that one call gives out, one message at least. */
const GIVEN_CHARACTERS_MAX = 4_000_000;
/** Until it is looked again whether a suspended organization may read; one that is reinstated is looked at at once. */
const HELD_BACK_MS = 5 * MINUTE_MS;
/** Until what failed on our side, such as D1 that is away, is tried again. It is no try of the receiver. */
const RETRY_MS = 5_000;

/** The endpoint as it stands now, with what signs for it. */
interface OpenEndpoint {
  readonly row: EndpointWithSecrets;
  readonly secrets: readonly { readonly text: string; readonly endsAt: number | null }[];
  readonly headers: Readonly<Record<string, string>>;
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

/** A message that is on the Queue, or with a consumer that has it by this claim, and until when that is believed. */
interface Carried {
  readonly until: number;
  readonly claim: string | null;
}

/**
 * What waits at one endpoint, and the log, named by its id (docs/design/webhooks.md). It says what is due; the Queue carries that, and its consumer takes the
 * messages, sends them, and says what came of it. What is carried stands in memory alone: lost, it is carried again.
 */
export class WebhookEndpoint extends DurableObject<Env> implements WebhookEndpointApi {
  #stored: DeliveryQueue | null = null;
  #endpoint: OpenEndpoint | null = null;
  /** Raised when the row changes: what was read or begun before says nothing of the endpoint as it stands. */
  #generation = this.ctx.storage.kv.get<number>(GENERATION_KEY) ?? 0;
  #examined: { readonly name: string; readonly at: number } | null = null;
  #isTesting = false;
  /** By its last try that was noted; an instance that was lost finds it out anew. */
  #isSlow = false;
  /** Nothing is sent before: its organization may not read, or something of ours is away. */
  #pausedUntil = 0;
  readonly #carried = new Map<number, Carried>();
  /** Nothing is due that is not carried: it was looked at, and nothing has changed since but that carried messages were given out and delivered. */
  #isAllCarried = false;
  #breaker = new Breaker(this.ctx.storage.kv.get<BreakerState>(BREAKER_KEY));
  #forgetAt: number | null = null;
  /** As this instance has set it: one that was lost leaves an alarm that may ring later. */
  #alarmAt = Number.POSITIVE_INFINITY;

  async enqueue(messages: readonly WebhookMessage[]): Promise<void> {
    if (messages.length > MESSAGES_PER_CALL_MAX) throw new RangeError(`${messages.length} messages`);
    const now = Date.now();
    this.#queue.enqueue(messages, now);
    this.#isAllCarried = false;
    if (this.#queue.isOverfull) await this.#giveUp('overflow', now);
    await this.#goOn();
  }

  async take(sequences: readonly number[]): Promise<GivenMessages | null> {
    const endpoint = await this.#openForSending();
    if (endpoint === null) {
      for (const sequence of sequences) this.#drop(sequence);
      return null;
    }
    const given = await this.#give(endpoint, sequences);
    await this.#goOn();
    return given;
  }

  async record(ended: readonly EndedTry[], { left, generation, goesOn }: RecordedRest): Promise<Recorded> {
    const lines = await this.#note(ended, Date.now());
    for (const claim of left) this.#release(claim);
    if (left.length > 0 || lines.size > 0) this.#isAllCarried = false;
    const mayGoOn = generation === this.#generation && this.#pausedUntil <= Date.now();
    const next = goesOn && lines.size > 0 ? await this.#nextIn(lines) : null;
    await this.#goOn();
    return { mayGoOn, next };
  }

  async sendTest(message: EventBody): Promise<DeliveryWithAttempts | null> {
    if (this.#isTesting) return null;
    this.#isTesting = true;
    try {
      const endpoint = await this.#open();
      if (endpoint === null) return null;
      const refused = await this.#refusedDestination(endpoint.row.url, Date.now());
      const at = Date.now();
      const attempt: Attempt =
        refused === null
          ? await send({ ...message, ...termsOf(endpoint, at), sequence: null, isTest: true })
          : failedAs(refused === 'away' ? 'not_resolved' : refused);
      const kept = this.#queue.recordTest(message, { ...attempt, at, durationMs: Date.now() - at });
      this.#forgetAt ??= this.#queue.log.forget(Date.now());
      await this.#goOn();
      return kept;
    } finally {
      this.#isTesting = false;
    }
  }

  async replay(deliveryId: string, as: string): Promise<ReplayOutcome> {
    const outcome = this.#queue.replay(deliveryId, as, Date.now());
    this.#isAllCarried = false;
    await this.#goOn();
    return outcome;
  }

  async replayDead(deliveryId: string, as: string): Promise<DeadReplayOutcome> {
    const outcome = this.#queue.replayDead(deliveryId, as, Date.now());
    this.#isAllCarried = false;
    await this.#goOn();
    return outcome;
  }

  async replayRange(range: ReplayRange): Promise<RangeReplay> {
    const outcome = this.#queue.replayRange(range, Date.now());
    this.#isAllCarried = false;
    await this.#goOn();
    return outcome;
  }

  async skip(deliveryId: string): Promise<boolean | null> {
    const isSkipped = this.#queue.skip(deliveryId, Date.now());
    this.#isAllCarried = false;
    await this.#goOn();
    return isSkipped;
  }

  async deliveries(query: DeliveriesQuery): Promise<Delivery[]> {
    await this.#goOn();
    return this.#queue.log.list(query);
  }

  async delivery(id: string): Promise<DeliveryWithAttempts | null> {
    return this.#queue.log.find(id);
  }

  async deliveredAt(eventIds: readonly string[]): Promise<ReadonlyMap<string, number>> {
    return this.#queue.log.deliveredAt(eventIds);
  }

  async backlog(): Promise<EndpointBacklog> {
    await this.#goOn();
    const { waiting, waitingBytes } = this.#queue;
    const failingSince = this.#queue.failingSince();
    const isOpen = waiting > 0 && this.#breaker.openUntil > 0;
    const nextTryAt = isOpen ? this.#breaker.openUntil : this.#queue.nextDue(0);
    return { waiting, waitingBytes, failingSince, nextTryAt, circuit: this.#breaker.circuit(Date.now()) };
  }

  /** Messages that are on the Queue or with a consumer. */
  get carried(): number {
    return this.#carried.size;
  }

  async changed(isEnabledByOwner = false): Promise<void> {
    if (isEnabledByOwner) this.ctx.storage.kv.delete(DISABLING_KEY);
    this.#isSlow = false;
    this.#generation += 1;
    this.ctx.storage.kv.put(GENERATION_KEY, this.#generation);
    this.#endpoint = null;
    this.#examined = null;
    this.#pausedUntil = 0;
    this.#breaker = new Breaker();
    this.ctx.storage.kv.delete(BREAKER_KEY);
    this.#queue.hasten(Number.MAX_SAFE_INTEGER);
    await this.#setAlarm(Date.now());
  }

  async clear(): Promise<void> {
    this.#endpoint = null;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#alarmAt = Number.POSITIVE_INFINITY;
    this.#stored = null;
    this.#carried.clear();
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    try {
      if ((await this.#openForSending()) === null && this.#stored === null) return;
    } catch (error) {
      // An alarm that fails is repeated a few times by the runtime, and then no more.
      this.#pause(RETRY_MS, error);
    }
    const now = Date.now();
    for (const [sequence, { until }] of this.#carried) if (until <= now) this.#carried.delete(sequence);
    this.#isAllCarried = false;
    this.#forgetAt = this.#queue.log.forget(now);
    await this.#goOn();
  }

  /** The endpoint where messages may be sent to it; null where they may not, with what follows from that for those that wait. */
  async #openForSending(): Promise<OpenEndpoint | null> {
    await this.#tellGivenUp();
    const endpoint = await this.#open();
    if (endpoint === null) {
      await this.clear();
      return null;
    }
    const now = Date.now();
    if (endpoint.row.disabledReason !== null) {
      this.#queue.bury(endpoint.row.disabledReason, now);
      this.#carried.clear();
      return null;
    }
    if (endpoint.isHeldBack) {
      this.#pause(HELD_BACK_MS);
      return null;
    }
    return endpoint;
  }

  /** Gives out what is due of these, each to one who asks. */
  async #give(endpoint: OpenEndpoint, sequences: readonly number[]): Promise<GivenMessages | null> {
    const refused = await this.#refusedDestination(endpoint.row.url, Date.now());
    const now = Date.now();
    if (refused === 'away') this.#pause(RETRY_MS, new Error('names are not looked up'));
    // It may have changed while its name was looked up: what is due is carried again, by the new terms.
    const mayGive = refused !== 'away' && this.#pausedUntil <= now && endpoint.generation === this.#generation;
    const claim = crypto.randomUUID();
    const messages = mayGive ? this.#takeDue(sequences, claim, now) : [];
    const given = new Set(messages.map(({ sequence }) => sequence));
    for (const sequence of sequences) if (!given.has(sequence) && !this.#isTaken(sequence, now)) this.#drop(sequence);
    if (messages.length === 0) return null;
    const terms = termsOf(endpoint, now);
    if (refused === null || refused === 'away')
      return {
        terms,
        isSlow: this.#isSlow,
        messages: messages.map(({ line, type, ...message }) => ({
          ...message,
          claim,
          isTest: type === TEST_TYPE,
          isInLine: line !== null,
        })),
      };
    const attempt = { ...failedAs(refused), at: now, durationMs: 0 };
    await this.#note(
      messages.map(({ sequence }) => ({ sequence, claim, generation: terms.generation, attempt })),
      now,
    );
    return null;
  }

  #takeDue(sequences: readonly number[], claim: string, now: number): Waiting[] {
    const messages: Waiting[] = [];
    let characters = 0;
    // A message of the Queue may come twice, and after this object has forgotten that it is carried.
    const free = [...new Set(sequences)].filter((sequence) => !this.#isTaken(sequence, now));
    for (const message of this.#queue.findDue(free, now)) {
      const { sequence } = message;
      const others = this.#carried.size - (this.#carried.has(sequence) ? 1 : 0);
      if (this.#breaker.room(now, others, CARRIED_MAX) === 0) continue;
      this.#carried.set(sequence, { until: now + CARRIED_MS, claim });
      characters += message.payload.length;
      messages.push(message);
      if (characters >= GIVEN_CHARACTERS_MAX) break;
    }
    return messages;
  }

  #isTaken(sequence: number, now: number): boolean {
    const carried = this.#carried.get(sequence);
    return carried != null && carried.claim !== null && carried.until > now;
  }

  /** It is carried no longer, and waits perhaps. */
  #drop(sequence: number): void {
    this.#carried.delete(sequence);
    this.#isAllCarried = false;
  }

  /** Whoever was given it later has it still. */
  #release({ sequence, claim }: Claim): void {
    if (this.#carried.get(sequence)?.claim === claim) this.#carried.delete(sequence);
  }

  /** Heads of these lines, where they may be sent at once. */
  async #nextIn(lines: ReadonlySet<string>): Promise<GivenMessages | null> {
    try {
      const endpoint = await this.#openForSending();
      if (endpoint === null) return null;
      return await this.#give(
        endpoint,
        [...lines].flatMap((line) => this.#queue.headOf(line) ?? []),
      );
    } catch {
      // What was recorded is recorded: the Queue carries what comes next.
      return null;
    }
  }

  /** Notes tries that have ended, and what follows from them. @returns lines in which the next message may be sent */
  async #note(ended: readonly EndedTry[], now: number): Promise<ReadonlySet<string>> {
    const lines = new Set<string>();
    let disabling: DisabledReason | null = null;
    this.ctx.storage.transactionSync(() => {
      const taken: Taken[] = [];
      let isTaken = false;
      const [last] = ended.slice(-1);
      if (last !== undefined) this.#isSlow = isSlowAnswer(last.attempt);
      const tried = this.#queue.findTried(ended.map(({ sequence }) => sequence));
      for (const { sequence, claim, generation, attempt } of ended) {
        this.#release({ sequence, claim });
        const message = tried.get(sequence);
        // Told again where the answer was lost.
        if (message === undefined || (message.tries > 0 && this.#queue.log.hasAttempt(message, attempt))) continue;
        // What the address of before answers says nothing of the present one.
        const isCurrent = generation === this.#generation;
        if (attempt.error === null) {
          // It is well again: what failed while it was not comes at once, but for what it may never take.
          if (isCurrent && this.#breaker.succeeded(now)) {
            this.#queue.hasten(HASTENED_TRIES_MAX);
            this.#isAllCarried = false;
          }
          taken.push({ message, attempt });
          isTaken = true;
          if (message.line !== null) lines.add(message.line);
        } else {
          this.#queue.recordTaken(taken.splice(0));
          if (isCurrent) this.#breaker.failed(now, Math.random(), leftAloneUntil(attempt));
          this.#isAllCarried = false;
          const reason = this.#noteFailed(message, attempt, isCurrent, now);
          disabling ??= reason;
        }
      }
      this.#queue.recordTaken(taken);
      if (isTaken) this.ctx.storage.kv.put(DELIVERED_KEY, now);
      this.#keepBreaker();
    });
    if (disabling !== null) await this.#giveUp(disabling, now);
    return lines;
  }

  /** An object that was idle is lost, and its endpoint may be out of order for days. */
  #keepBreaker(): void {
    const { state } = this.#breaker;
    const kept = this.ctx.storage.kv.get<BreakerState>(BREAKER_KEY);
    if (state.failures === 0) {
      if (kept !== undefined) this.ctx.storage.kv.delete(BREAKER_KEY);
    } else if (
      state.failures !== kept?.failures ||
      state.openUntil !== kept.openUntil ||
      state.askedUntil !== kept.askedUntil
    )
      this.ctx.storage.kv.put(BREAKER_KEY, state);
  }

  /** @returns why the endpoint is given up with it; null where it is not */
  #noteFailed(message: Tried, attempt: EndedAttempt, isCurrent: boolean, now: number): DisabledReason | null {
    const firstTriedAt = message.firstTriedAt ?? attempt.at;
    const after = afterAttempt(attempt, { tries: message.tries + 1, firstTriedAt }, now, Math.random());
    // What failed by terms that hold no longer is tried at once by the new ones.
    const isWaiting = this.#queue.recordRefused(message, attempt, after.type === 'retry' && isCurrent ? after.at : now);
    if (after.type !== 'disable' || !isCurrent) return null;
    // A receiver that is gone is gone; a message that its owner has skipped gives up nobody else's.
    if (after.reason === 'gone' || !isWaiting) return after.reason === 'gone' ? after.reason : null;
    // Where the receiver has taken others since, this message fails and not the endpoint. In the line of the whole endpoint nothing comes past it.
    const deliveredAt = this.ctx.storage.kv.get<number>(DELIVERED_KEY) ?? 0;
    if (message.line === '' || deliveredAt < firstTriedAt) return after.reason;
    this.#queue.buryLine(message, after.reason, now);
    return null;
  }

  /** Puts what is due on the Queue, and sees to it that what comes later is looked at then. */
  async #goOn(): Promise<void> {
    const now = Date.now();
    const due = this.#dueNow(now);
    for (const sequence of due) this.#carried.set(sequence, { until: now + CARRIED_MS, claim: null });
    if (due.length > 0) this.ctx.waitUntil(this.#carry(due));
    const next = this.#nextLook(now);
    if (next !== null && next < this.#alarmAt) await this.#setAlarm(next);
  }

  #dueNow(now: number): number[] {
    if (this.#isAllCarried || this.#pausedUntil > now || this.#queue.waiting === 0) return [];
    const room = this.#breaker.room(now, this.#carried.size, CARRIED_MAX);
    if (room === 0) return [];
    const due = this.#queue.due(now, room + this.#carried.size, this.#firstTried());
    const waiting = due.filter((sequence) => !this.#carried.has(sequence));
    this.#isAllCarried = waiting.length < room;
    return waiting.slice(0, room);
  }

  /**
   * Half open, the oldest and the newest by turns: where the receiver takes nothing, the oldest has been tried for three days at some time, and the endpoint is given
   * up; where it rejects a few for good, the newest is taken.
   */
  #firstTried(): 'longest_due' | 'oldest' | 'newest' {
    const { openUntil, failures } = this.#breaker.state;
    if (openUntil === 0) return 'longest_due';
    return failures % 2 === 1 ? 'oldest' : 'newest';
  }

  async #carry(sequences: readonly number[]): Promise<void> {
    const endpoint = this.#id;
    try {
      await this.env.WEBHOOKS.sendBatch(
        sequences.map((sequence) => ({ body: { endpoint, sequence } satisfies WebhookPointer })),
      );
    } catch (error) {
      for (const sequence of sequences) if (this.#carried.get(sequence)?.claim === null) this.#drop(sequence);
      this.#pause(RETRY_MS, error);
      await this.#goOn();
    }
  }

  /** When something is due that is not now; null for never. */
  #nextLook(now: number): number | null {
    if (this.ctx.storage.kv.get(DISABLING_KEY) !== undefined) return Math.max(now, this.#pausedUntil);
    const times = [this.#forgetAt ?? Number.POSITIVE_INFINITY];
    for (const { until } of this.#carried.values()) times.push(until);
    if (this.#queue.waiting > 0) {
      if (this.#pausedUntil > now) times.push(this.#pausedUntil);
      if (this.#breaker.openUntil > now) times.push(this.#breaker.openUntil);
      else times.push(this.#queue.nextDue(now) ?? Number.POSITIVE_INFINITY);
    }
    const next = Math.min(...times);
    return next === Number.POSITIVE_INFINITY ? null : next;
  }

  /** Nothing is sent for so long, for a reason of ours. */
  #pause(ms: number, error?: unknown): void {
    this.#pausedUntil = Date.now() + ms;
    if (error === undefined) return;
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'webhooks wait', { endpoint: this.#id, reason });
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
    const headers = row.headers === null ? {} : await this.#unsealHeaders(row.headers);
    const isHeldBack = await isHeldBackNow(database(this.env.DB), row.organization);
    // Changed while it was read: what was read may be older than the change.
    if (generation !== this.#generation) return this.#open();
    this.#endpoint = { row, secrets, headers, isHeldBack, readAt: now, generation };
    return this.#endpoint;
  }

  /** Waits in tests only. */
  protected readRow(): Promise<EndpointWithSecrets | null> {
    return findEndpoint(database(this.env.DB), this.#id);
  }

  #unseal(secret: string): Promise<string> {
    return openSecret(secret, this.env.API_KEY_MASTER_KEY, secretContext(this.#id));
  }

  async #unsealHeaders(sealed: string): Promise<Record<string, string>> {
    return JSON.parse(await openSecret(sealed, this.env.API_KEY_MASTER_KEY, headersContext(this.#id)));
  }

  /** Gives up what waits; D1 learns of it now, or at the next alarm, whatever crashes before. */
  async #giveUp(reason: DisabledReason, now: number): Promise<void> {
    this.ctx.storage.transactionSync(() => {
      this.#queue.bury(reason, now);
      this.#carried.clear();
      // What is with a consumer is sent no more.
      this.#generation += 1;
      this.ctx.storage.kv.put(GENERATION_KEY, this.#generation);
      this.ctx.storage.kv.put<Disabling>(DISABLING_KEY, { eventId: uuidv7(), reason, at: now });
    });
    log('warn', 'webhook endpoint disabled', { endpoint: this.#id, reason });
    await this.#tellGivenUp().catch((error) => this.#pause(RETRY_MS, error));
  }

  async #tellGivenUp(): Promise<void> {
    const disabling = this.ctx.storage.kv.get<Disabling>(DISABLING_KEY);
    if (disabling === undefined) return;
    await disableEndpoint(database(this.env.DB), this.#id, disabling);
    this.ctx.storage.kv.delete(DISABLING_KEY);
    this.#endpoint = null;
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

function termsOf({ row, secrets, headers, generation }: OpenEndpoint, now: number): SendingTerms {
  const signing = secrets.filter(({ endsAt }) => endsAt === null || endsAt > now).map(({ text }) => text);
  return { url: row.url, secrets: signing, headers, generation };
}

function failedAs(error: AttemptError): Attempt {
  return { status: null, error, response: null };
}
