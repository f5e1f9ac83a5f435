import { DurableObject } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { followSettlements } from '../../data/partner/settlements.ts';
import { disableEndpoint } from '../../data/webhooks/endpoints.ts';
import { receivingEndpoints } from '../../data/webhooks/subscriptions.ts';
import { listUndispatched, markDispatched } from '../../data/webhooks/undispatched-events.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { isOfTrade } from '../../domain/webhooks/webhook-event.ts';
import { log } from '../log/log.ts';
import { type WebhookMessage, webhookEndpointOf } from '../webhook-endpoint/api.ts';
import type { WebhookDispatchApi } from './api.ts';
import { bodyFor, type EventMessage, eventPayload, type ToldEvent } from './event-payload.ts';
import { HeldMessages } from './held-messages.ts';
import { toldEvents } from './told-events.ts';

/** Events of one look at D1, and looks of one alarm. */
const EVENTS_MAX = 200;
const LOOKS_MAX = 20;
const RETRY_MS = 1_000;
/** After so long the runtime has ended an alarm. */
const ALARM_MS_MAX = 15 * MINUTE_MS;
/** How long an endpoint's object may take to write messages down. */
const ENQUEUE_WAIT_MS = 2_000;
/** Endpoints that did not answer and are asked again together, messages of one call, and calls to each. */
const SILENT_MAX = 50;
const PAGE_MAX = 200;
const PAGES_MAX = 20;

/** Where the dispatcher can be killed; tests kill it at each. */
export type DispatchPoint = 'before_enqueue' | 'before_mark' | 'after_mark';

/**
 * Hands events to the endpoints that receive them, in the order in which they were written, and then notes in D1 that it has. Lost in between,
 * it does so again: an endpoint takes each event once. What an endpoint does not take it holds, so that nobody else waits.
 */
export class WebhookDispatch extends DurableObject<Env> implements WebhookDispatchApi {
  readonly #held = new HeldMessages(this.ctx.storage);
  /** Until then an alarm is under way, at most. */
  #ringsUntil = 0;
  /** Whether somebody has called since D1 was last read. */
  #hasNews = false;
  /** As this instance has set it: one that was lost leaves an alarm that may ring much later. */
  #alarmAt = Number.POSITIVE_INFINITY;

  async wake(): Promise<void> {
    this.#hasNews = true;
    const now = Date.now();
    if (now >= this.#ringsUntil && this.#alarmAt > now) await this.#setAlarm(now);
  }

  override async alarm(): Promise<void> {
    this.#alarmAt = Number.POSITIVE_INFINITY;
    this.#ringsUntil = Date.now() + ALARM_MS_MAX;
    let again: number | null = null;
    try {
      if (!(await this.#dispatchAll())) again = Date.now();
    } catch (error) {
      again = Date.now() + RETRY_MS;
      log('warn', 'events wait', { reason: error instanceof Error ? error.message : String(error) });
    } finally {
      this.#ringsUntil = 0;
    }
    const next = Math.min(again ?? Number.POSITIVE_INFINITY, this.#held.nextDue() ?? Number.POSITIVE_INFINITY);
    if (next !== Number.POSITIVE_INFINITY) await this.#setAlarm(next);
  }

  /** Waits in tests only. */
  protected step(_point: DispatchPoint): Promise<void> | undefined {
    return undefined;
  }

  /** False where more is left. */
  async #dispatchAll(): Promise<boolean> {
    await Promise.all(this.#held.due(Date.now(), SILENT_MAX).map((endpoint) => this.#handOverHeld(endpoint)));
    for (let look = 0; look < LOOKS_MAX; look++) {
      this.#hasNews = false;
      const events = await this.#dispatchSome();
      if (events < EVENTS_MAX && !this.#hasNews) return true;
    }
    return false;
  }

  async #dispatchSome(): Promise<number> {
    const db = database(this.env.DB);
    const events = await listUndispatched(db, EVENTS_MAX);
    if (events.length === 0) return 0;
    const told = await toldEvents(this.env, db, events);
    const now = Date.now();
    const { messages, untellable } = messagesOf(told, now);
    const queues = await this.#queues(told, messages, now);
    await this.step('before_enqueue');
    await Promise.all(Array.from(queues, ([endpoint, queue]) => this.#handOver(endpoint, queue, now)));
    await this.step('before_mark');
    const done = events.map(({ id }) => id).filter((id) => !untellable.has(id));
    await markDispatched(db, done, now);
    await markDispatched(db, [...untellable], null);
    await this.step('after_mark');
    const trades = told.flatMap(({ type, id }) => (type === 'trade.executed' ? [id] : []));
    if (trades.length > 0 && (await followSettlements(db, trades, now)).hasNews) this.#hasNews = true;
    return events.length;
  }

  /** An endpoint that does not take its messages has them held; one for which too much is held is given up. */
  async #handOver(endpoint: string, messages: readonly WebhookMessage[], now: number): Promise<void> {
    if (!this.#held.isHolding(endpoint) && (await this.#hasTaken(endpoint, messages))) return;
    const lost = this.#held.hold(endpoint, messages, now);
    if (lost === 0) return;
    log('error', 'messages for a webhook endpoint are not kept', { endpoint, lost });
    await disableEndpoint(database(this.env.DB), endpoint, { eventId: uuidv7(), reason: 'overflow', at: now });
  }

  async #handOverHeld(endpoint: string): Promise<void> {
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page = this.#held.page(endpoint, PAGE_MAX);
      if (page === null) return;
      if (!(await this.#hasTaken(endpoint, page.messages))) {
        this.#held.wait(endpoint, Date.now());
        return;
      }
      this.#held.release(endpoint, page);
    }
  }

  /** False where that is not known in time: it takes each once, so they may be handed to it again. */
  async #hasTaken(endpoint: string, messages: readonly WebhookMessage[]): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${ENQUEUE_WAIT_MS} ms`)), ENQUEUE_WAIT_MS);
    });
    try {
      await Promise.race([webhookEndpointOf(this.env, endpoint).enqueue(messages), late]);
      return true;
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      log('warn', 'an endpoint does not take messages', { endpoint, reason });
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Messages by endpoint, each queue in the order of the events. */
  async #queues(
    told: readonly ToldEvent[],
    messages: ReadonlyMap<string, EventMessage>,
    now: number,
  ): Promise<ReadonlyMap<string, WebhookMessage[]>> {
    const queues = new Map<string, WebhookMessage[]>();
    if (messages.size === 0) return queues;
    const endpoints = await receivingEndpoints(database(this.env.DB), told.flatMap(organizationsOf), now);
    for (const event of told) {
      const message = messages.get(event.id);
      if (message === undefined) continue;
      const organizations = organizationsOf(event);
      for (const { id, organization, url, events } of endpoints) {
        if (!organizations.includes(organization) || !events.includes(event.type)) continue;
        const queue = queues.get(id) ?? [];
        queue.push({ eventId: event.id, type: event.type, payload: bodyFor(message, url) });
        queues.set(id, queue);
      }
    }
    return queues;
  }

  /** An alarm that is set, while it rings, to the time at which it was due is lost: so it is set to a later one. */
  async #setAlarm(at: number): Promise<void> {
    this.#alarmAt = Math.max(at, Date.now() + 1);
    await this.ctx.storage.setAlarm(this.#alarmAt);
  }
}

/** An event of which no message can be made is put aside: it must not keep the others. */
function messagesOf(told: readonly ToldEvent[], at: number) {
  const messages = new Map<string, EventMessage>();
  const untellable = new Set<string>();
  for (const event of told) {
    try {
      messages.set(event.id, eventPayload(event, at));
    } catch (error) {
      untellable.add(event.id);
      const reason = error instanceof Error ? error.message : String(error);
      log('error', 'an event cannot be told', { id: event.id, type: event.type, reason });
    }
  }
  return { messages, untellable };
}

/** Those of the security, and of a trade and its settlement the partners of both sides. */
function organizationsOf({ type, security, trade }: ToldEvent): readonly string[] {
  const { lister, agent } = security;
  const sides = isOfTrade(type) ? [trade?.buyer.partner, trade?.seller.partner] : [];
  return [lister, agent, ...sides].flatMap((firm) => (firm == null ? [] : [firm.organization]));
}
