import type { Attempt, AttemptError, DisabledReason } from '../../domain/webhooks/attempt.ts';
import type { Circuit } from '../../domain/webhooks/breaker.ts';
import type { DeliveryState } from '../../domain/webhooks/delivery-state.ts';

/** In the log, of a test, whatever event it is a sample of: it is no event, and no range of time that is sent again has it. */
export const TEST_TYPE = 'webhook.test';

/** What is told of an event. */
export interface EventBody {
  /** Of the event: `webhook-id`, the same for all who are told, and in each try and replay. */
  readonly eventId: string;
  readonly type: string;
  /** The body, byte for byte. */
  readonly payload: string;
}

/** What is told to one endpoint. */
export interface WebhookMessage extends EventBody {
  /** Messages of a line are sent one after the other; null for one that waits for no other (domain/webhooks/ordering.ts). */
  readonly line: string | null;
}

/** What the Queue carries: that a message of an endpoint is due. */
export interface WebhookPointer {
  readonly endpoint: string;
  readonly sequence: number;
}

/** How messages are sent now. */
export interface SendingTerms {
  readonly url: string;
  /** Those that sign. */
  readonly secrets: readonly string[];
  /** Headers that the owner wants in each message. */
  readonly headers: Readonly<Record<string, string>>;
  /** How often the endpoint had changed. */
  readonly generation: number;
}

/** A message, and by which giving out somebody has it: another who was given it later is told apart. */
export interface Claim {
  readonly sequence: number;
  readonly claim: string;
}

/** Messages that whoever has asked for them sends, and then says what came of it. */
export interface GivenMessages {
  readonly terms: SendingTerms;
  readonly messages: readonly GivenMessage[];
  /** Whether the endpoint answered slowly the last time. */
  readonly isSlow: boolean;
}

export interface GivenMessage extends Claim {
  readonly eventId: string;
  readonly payload: string;
  readonly isTest: boolean;
  readonly isInLine: boolean;
}

/** A try that has ended. */
export interface EndedTry extends Claim {
  /** Of the terms by which it was sent. */
  readonly generation: number;
  readonly attempt: EndedAttempt;
}

/** What is said beside tries that have ended. */
export interface RecordedRest {
  /** Given out, and not tried. */
  readonly left: readonly Claim[];
  /** Of the terms by which whoever says so goes on to send. */
  readonly generation: number;
  /** Whether what comes next in the lines of those that were delivered is wanted. */
  readonly goesOn: boolean;
}

export interface Recorded {
  /** Whether what was given out may still be sent: not where the endpoint has changed since, or nothing may be sent to it now. */
  readonly mayGoOn: boolean;
  /** What comes next; null where there is none, or it is not wanted. */
  readonly next: GivenMessages | null;
}

/** As the log keeps it. */
export interface EndedAttempt extends Attempt {
  /** When it began, Unix milliseconds. */
  readonly at: number;
  readonly durationMs: number;
}

/** One try of a delivery. */
export interface DeliveryAttempt {
  readonly at: number;
  readonly durationMs: number;
  readonly status: number | null;
  readonly error: AttemptError | null;
  /** The beginning of the answer's body. */
  readonly response: string | null;
}

/** A message on its way to an endpoint, or what became of it. Times are Unix milliseconds. */
export interface Delivery {
  readonly id: string;
  /** Its place in the queue, and in the log: rising, with gaps. */
  readonly sequence: number;
  readonly eventId: string;
  readonly type: string;
  /** The delivery that this one repeats. */
  readonly replayOf: string | null;
  readonly state: DeliveryState;
  /** Why it is dead. */
  readonly reason: DisabledReason | 'test_failed' | null;
  readonly tries: number;
  readonly createdAt: number;
  readonly firstTriedAt: number | null;
  /** Null while it waits behind others, or for nothing any more. */
  readonly nextTryAt: number | null;
  readonly endedAt: number | null;
  /** Of a dead one: the latest delivery of the same event that waits or was taken. */
  readonly sentAgain: { readonly id: string; readonly state: 'waiting' | 'delivered' } | null;
}

export interface DeliveryWithAttempts extends Delivery {
  readonly payload: string;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveriesQuery {
  readonly state: DeliveryState | null;
  readonly eventId: string | null;
  /** Those of a lower sequence alone. */
  readonly before: number | null;
  readonly limit: number;
}

/** What waits at an endpoint. */
export interface EndpointBacklog {
  readonly waiting: number;
  readonly waitingBytes: number;
  /** When what waits and was not taken was first tried; null while nothing fails. */
  readonly failingSince: number | null;
  readonly nextTryAt: number | null;
  /** Whether messages are tried as they are due, none is, or one to see whether it is well again (domain/webhooks/breaker.ts). */
  readonly circuit: Circuit;
}

export type ReplayOutcome = 'queued' | 'not_found' | 'full';

/** `not_dead`: it was not given up, or its event waits or was taken as another delivery (`sentAgain`). */
export type DeadReplayOutcome = ReplayOutcome | 'not_dead';

/** What a range has come to. */
export interface RangeReplay {
  readonly type: 'queued' | 'full';
  readonly replayed: number;
  /** Sequence after which the range goes on; null where it is done. */
  readonly next: number | null;
}

export interface ReplayRange {
  /** When deliveries were made: from here on, before there. */
  readonly from: number;
  readonly to: number;
  readonly after: number;
}

/** Messages of one call of `enqueue`, and deliveries of one call of `replayRange`. */
export const MESSAGES_PER_CALL_MAX = 1_000;

/** Messages and bytes of bodies that wait at one endpoint; beyond, it is disabled. */
export const WAITING_MAX = 100_000;
export const WAITING_BYTES_MAX = 100_000_000;
/** What may wait once replays have come: they leave room for what happens, which would disable the endpoint. */
export const WAITING_WITH_REPLAYS_MAX = WAITING_MAX / 2;
export const WAITING_BYTES_WITH_REPLAYS_MAX = WAITING_BYTES_MAX / 2;

/**
 * What waits at one endpoint and its log of a month: one object each, named by the endpoint's id (docs/design/webhooks.md). Answers are durable.
 */
export interface WebhookEndpointApi {
  /** Takes messages in this order, each once by its event's id, however often it is sent. */
  enqueue(messages: readonly WebhookMessage[]): Promise<void>;
  /** Gives out those of these messages that are due, each to one who asks; null where nothing may be sent now. */
  take(sequences: readonly number[]): Promise<GivenMessages | null>;
  /** Notes what came of messages that were given out, and takes back those that were not tried. */
  record(ended: readonly EndedTry[], rest: RecordedRest): Promise<Recorded>;
  /** Sends a message at once beside what waits, one try; null while another test is under way. */
  sendTest(message: EventBody): Promise<DeliveryWithAttempts | null>;
  /** Takes a delivery of the log into the queue again, as a new one of the same event. */
  replay(deliveryId: string, as: string): Promise<ReplayOutcome>;
  /** The same for one that was given up, while no other delivery of its event waits or was taken: whoever asks at the same moment sends it once. */
  replayDead(deliveryId: string, as: string): Promise<DeadReplayOutcome>;
  /** The same as `replay` for the first deliveries of events in a range of time, MESSAGES_PER_CALL_MAX of them. */
  replayRange(range: ReplayRange): Promise<RangeReplay>;
  /** Gives a waiting delivery up, so that those behind it go on; false where it waits no longer, null where there is none. */
  skip(deliveryId: string): Promise<boolean | null>;
  /** Latest first. */
  deliveries(query: DeliveriesQuery): Promise<Delivery[]>;
  delivery(id: string): Promise<DeliveryWithAttempts | null>;
  /** When the receiver first took each of these events, Unix milliseconds; those that it has not taken are missing. */
  deliveredAt(eventIds: readonly string[]): Promise<ReadonlyMap<string, number>>;
  backlog(): Promise<EndpointBacklog>;
  /** The endpoint's row has changed, or is gone: what waits is tried by it at once. */
  /** @param isEnabledByOwner nothing that was decided before disables it any more */
  changed(isEnabledByOwner?: boolean): Promise<void>;
  /** Deletes what waits and the log, of an endpoint whose row is deleted next. */
  clear(): Promise<void>;
}

/** A fresh stub of an endpoint's object. After an exception a stub stays broken, so one is made for every call. */
export function webhookEndpointOf(
  env: { readonly WEBHOOK_ENDPOINT: { getByName(name: string): unknown } },
  id: string,
): WebhookEndpointApi {
  return env.WEBHOOK_ENDPOINT.getByName(id) as WebhookEndpointApi;
}
