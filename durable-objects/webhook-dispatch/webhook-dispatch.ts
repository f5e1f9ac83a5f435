import { DurableObject } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { eventsDatabase } from '../../data/events/database.ts';
import { closeDueEvents, markTold, nextDueEvent } from '../../data/events/outgoing/outgoing-events.ts';
import { instructTransfers } from '../../data/partner/register/transfer-instructions.ts';
import { followSettlements } from '../../data/partner/settlements.ts';
import { disableEndpoint } from '../../data/webhooks/endpoints.ts';
import { type PartnerFirm, receivingEndpoints } from '../../data/webhooks/subscriptions.ts';
import { listUndispatched, listUndispatchedOfBridge, markDispatched } from '../../data/webhooks/undispatched-events.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { lineOf } from '../../domain/webhooks/ordering.ts';
import { eventsOfRole, isOfSettlement, isOfTrade } from '../../domain/webhooks/webhook-event.ts';
import { log } from '../log/log.ts';
import { partnerEventsOf } from '../partner-events/api.ts';
import { type WebhookMessage, webhookEndpointOf } from '../webhook-endpoint/api.ts';
import { type SilentEndpoints, takenTrades } from '../webhook-sending/taken-trades.ts';
import type { ToldHalf, WebhookDispatchApi } from './api.ts';
import { DispatchHalf } from './dispatch-half.ts';
import { bodyFor, type EventMessage, eventPayload, type ToldEvent, type ToldOfSecurity } from './event-payload.ts';
import { HeldMessages } from './held-messages.ts';
import { MadeMessages } from './made-messages.ts';
import { messagesOfTenants } from './tenant-events.ts';
import { toldOfSecurities, toldOfTransfers } from './told-events.ts';
import { recipientsOf } from './trade-payload.ts';

/** Events of one look at D1, so many of the bridge and so many others. */
const EVENTS_MAX = 200;
/** Until held messages are looked at again where that fails. */
const RETRY_MS = 1_000;
/** Until more of what tenants are told of is read, where a look has left something. A look takes few events of each. */
const TENANTS_PACE_MS = 1_000;
/** Until what follows from what was just told is told: what was handed over is sent first, where one process does both. */
const FOLLOWING_MS = 50;
/** After so long the runtime has ended an alarm. */
const ALARM_MS_MAX = 15 * MINUTE_MS;
/** How long an endpoint's object, or an organization's list of events, may take to write messages down. */
const ENQUEUE_WAIT_MS = 2_000;
/** Objects that did not answer and are asked again together, messages of one call, and calls to each. */
const SILENT_MAX = 50;
const PAGE_MAX = 200;
const PAGES_MAX = 20;
const NEVER = Number.POSITIVE_INFINITY;
/** Begins what a list of events is called among those to whom messages are handed; an endpoint is called by its id. */
const LIST = 'list:';

/** Where the dispatcher can be killed; tests kill it at each. */
export type DispatchPoint =
  | 'before_enqueue'
  | 'before_mark'
  | 'after_mark'
  | 'before_tenants_look'
  | 'before_tenants_enqueue'
  | 'before_tenants_mark'
  | 'after_tenants_mark';

/**
 * Hands events to the endpoints that receive them and to the lists of their organizations, in the order in which they were written, and then notes in D1
 * that it has. Lost in between, it does so again: each takes an event once, and the message is the one that was made first. What an object does not take it
 * holds, so that nobody else waits.
 */
export class WebhookDispatch extends DurableObject<Env> implements WebhookDispatchApi {
  readonly #held = new HeldMessages(this.ctx.storage);
  readonly #made = new MadeMessages(this.ctx.storage);
  readonly #silent: SilentEndpoints = new Map();
  /** Until then an alarm is under way, at most. */
  #ringsUntil = 0;
  /** Two databases: where one is away, or slow, the other's events are told. */
  readonly #exchange = new DispatchHalf(() => this.#dispatchSome());
  readonly #tenants = new DispatchHalf(() => this.#dispatchTenants(), TENANTS_PACE_MS);
  /** As this instance has set it: one that was lost leaves an alarm that may ring much later. */
  #alarmAt = NEVER;

  async wake(half: ToldHalf = 'all'): Promise<void> {
    const woken = [...(half === 'tenants' ? [] : [this.#exchange]), ...(half === 'exchange' ? [] : [this.#tenants])];
    const due = Math.min(...woken.map((each) => each.wake()));
    if (Date.now() >= this.#ringsUntil && this.#alarmAt > due) await this.#setAlarm(due);
  }

  override async alarm(): Promise<void> {
    // One that was cut off, or that another instance has set, may have been for anything.
    const rung = this.#ringsUntil === 0 ? this.#alarmAt : NEVER;
    this.#alarmAt = NEVER;
    this.#ringsUntil = Date.now() + ALARM_MS_MAX;
    for (const half of [this.#exchange, this.#tenants]) half.rings(rung);
    // Trades wait for neither of the others, and tenants for no object that has not answered before.
    const held = this.#handOverDue();
    const tenants = this.#tenants.goOn(held);
    await this.#exchange.goOn(tenants);
    const heldAt = Math.max(this.#held.nextDue() ?? NEVER, await held);
    this.#ringsUntil = 0;
    const next = Math.min(this.#exchange.due, this.#tenants.due, heldAt);
    if (next !== NEVER) await this.#setAlarm(next);
  }

  /** Waits in tests only. */
  protected step(_point: DispatchPoint): Promise<void> | undefined {
    return undefined;
  }

  /** What tenants of the events service are told of. A row that is closed does not change: it is the same message however often it is made. */
  async #dispatchTenants(): Promise<number | null> {
    await this.step('before_tenants_look');
    const db = eventsDatabase(this.env.EVENTS_DB);
    const now = Date.now();
    const closed = await closeDueEvents(db, now);
    if (closed.length > 0) {
      const queues = await messagesOfTenants(database(this.env.DB), closed, now);
      await this.step('before_tenants_enqueue');
      const handed = [
        ...[...queues.endpoints].map(([id, messages]) => this.#handOver(id, messages, now)),
        ...[...queues.lists].map(([organization, messages]) => this.#handOver(LIST + organization, messages, now)),
      ];
      await Promise.all(handed);
      await this.step('before_tenants_mark');
      await markTold(
        db,
        closed.map(({ id }) => id),
        now,
      );
      await this.step('after_tenants_mark');
    }
    return nextDueEvent(db);
  }

  /** To those who did not take them before. @returns before when it is not tried again */
  async #handOverDue(): Promise<number> {
    try {
      await Promise.all(this.#held.due(Date.now(), SILENT_MAX).map((endpoint) => this.#handOverHeld(endpoint)));
      return 0;
    } catch (error) {
      log('warn', 'messages wait', { reason: error instanceof Error ? error.message : String(error) });
      return Date.now() + RETRY_MS;
    }
  }

  /** @returns now where more may wait */
  async #dispatchSome(): Promise<number | null> {
    const db = database(this.env.DB);
    const [others, ofBridge] = await Promise.all([
      listUndispatched(db, EVENTS_MAX),
      listUndispatchedOfBridge(db, EVENTS_MAX),
    ]);
    const events = [...others.events, ...ofBridge.events];
    if (events.length === 0) {
      // What was told just before this object was lost.
      this.#made.clear();
      return null;
    }
    const [ofSecurities, ofTransfers] = await Promise.all([
      toldOfSecurities(this.env, db, others.events),
      toldOfTransfers(db, ofBridge.events),
    ]);
    const now = Date.now();
    const told = [...(await this.#withTaken(ofSecurities, now)), ...ofTransfers];
    const { messages: made, untellable } = messagesOf(told, now);
    const messages = this.#made.keep(made);
    const queues = [...(await this.#queues(told, messages, now)), ...listsOf(told, messages)];
    await this.step('before_enqueue');
    await Promise.all(queues.map(([to, queue]) => this.#handOver(to, queue, now)));
    await this.step('before_mark');
    const done = events.map(({ id }) => id).filter((id) => !untellable.has(id));
    await markDispatched(db, done, now);
    await markDispatched(db, [...untellable], null);
    this.#made.forget([...messages.keys()]);
    await this.step('after_mark');
    const trades = told.flatMap(({ type, id }) => (type === 'trade.executed' ? [id] : []));
    const hasNews = trades.length > 0 && (await this.#followTrades(trades, told, now));
    if (others.hasMore || ofBridge.hasMore) return Date.now();
    return hasNews ? Date.now() + FOLLOWING_MS : null;
  }

  /** What follows from trades that were just told: their settlements, and what their agents have to register. The jobs make good what is missed here. */
  async #followTrades(trades: readonly string[], told: readonly ToldEvent[], now: number): Promise<boolean> {
    const db = database(this.env.DB);
    const ofAgents = told.flatMap((event) =>
      event.type === 'trade.executed' && event.security.agent !== null ? [event.id] : [],
    );
    // First what needs nothing of the other.
    const { hasNews } = await followSettlements(db, trades, now);
    const instructed = ofAgents.length === 0 ? 0 : await instructTransfers(db, { trades: ofAgents }, EVENTS_MAX, now);
    return hasNews || instructed > 0;
  }

  /** Events of a settlement with who has taken their trade by now. Asked are endpoints that receive trades, and take their messages. */
  async #withTaken(told: readonly ToldOfSecurity[], now: number): Promise<readonly ToldOfSecurity[]> {
    const trades = new Map<string, string[]>();
    for (const { type, trade } of told)
      if (isOfSettlement(type) && trade !== null)
        for (const { recipient_id: organization } of recipientsOf(trade))
          trades.set(organization, [...(trades.get(organization) ?? []), trade.trade.trade_id]);
    if (trades.size === 0) return told;
    const endpoints = await receivingEndpoints(database(this.env.DB), [...trades.keys()], now);
    const asked = endpoints.filter(
      ({ id, events }) =>
        (events.includes('trade.executed') || events.includes('transfer.initiated')) && !this.#held.isHolding(id),
    );
    const taken = await takenTrades(this.env, asked, trades, this.#silent);
    return told.map((event) => {
      const by = event.trade === null ? undefined : taken.get(event.trade.trade.trade_id);
      return by === undefined || !isOfSettlement(event.type) ? event : { ...event, taken: by };
    });
  }

  /** Who does not take its messages has them held; an endpoint for which too much is held is given up. */
  async #handOver(to: string, messages: readonly WebhookMessage[], now: number): Promise<void> {
    if (!this.#held.isHolding(to) && (await this.#hasTaken(to, messages))) return;
    const lost = this.#held.hold(to, messages, now);
    if (lost === 0) return;
    log('error', 'messages are not kept', { to, lost });
    if (!to.startsWith(LIST))
      await disableEndpoint(database(this.env.DB), to, { eventId: uuidv7(), reason: 'overflow', at: now });
  }

  async #handOverHeld(to: string): Promise<void> {
    for (let pages = 0; pages < PAGES_MAX; pages++) {
      const page = this.#held.page(to, PAGE_MAX);
      if (page === null) return;
      if (!(await this.#hasTaken(to, page.messages))) {
        this.#held.wait(to, Date.now());
        return;
      }
      this.#held.release(to, page);
    }
  }

  /** False where that is not known in time: it takes each once, so they may be handed to it again. */
  async #hasTaken(to: string, messages: readonly WebhookMessage[]): Promise<boolean> {
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(() => reject(new Error(`no answer within ${ENQUEUE_WAIT_MS} ms`)), ENQUEUE_WAIT_MS);
    });
    try {
      await Promise.race([this.#take(to, messages), late]);
      return true;
    } catch (error) {
      log('warn', 'messages are not taken', { to, reason: error instanceof Error ? error.message : String(error) });
      return false;
    } finally {
      clearTimeout(timer);
    }
  }

  #take(to: string, messages: readonly WebhookMessage[]): Promise<void> {
    return to.startsWith(LIST)
      ? partnerEventsOf(this.env, to.slice(LIST.length)).append(messages)
      : webhookEndpointOf(this.env, to).enqueue(messages);
  }

  /** Messages by endpoint, each queue in the order of the events. */
  async #queues(
    told: readonly ToldEvent[],
    messages: ReadonlyMap<string, EventMessage>,
    now: number,
  ): Promise<ReadonlyMap<string, WebhookMessage[]>> {
    const queues = new Map<string, WebhookMessage[]>();
    if (messages.size === 0) return queues;
    const organizations = told.flatMap(firmsOf).map(({ organization }) => organization);
    const endpoints = await receivingEndpoints(database(this.env.DB), organizations, now);
    for (const event of told) {
      const message = messages.get(event.id);
      if (message === undefined) continue;
      const receiving = new Set(firmsOf(event).map(({ organization }) => organization));
      const securityId = 'security' in event ? event.security.security.id : null;
      const subject = 'security' in event ? event.security.security.id : event.transferId;
      for (const { id, organization, url, events, ordering, securityIds } of endpoints) {
        if (!receiving.has(organization) || !events.includes(event.type)) continue;
        if (securityIds !== null && (securityId === null || !securityIds.includes(securityId))) continue;
        const queue = queues.get(id) ?? [];
        const line = lineOf(ordering, subject);
        queue.push({ eventId: event.id, type: event.type, payload: bodyFor(message, url), line });
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

/** Messages by list of events: of each organization those that its role receives, subscribed or not. A refused one is told nothing. */
function listsOf(
  told: readonly ToldEvent[],
  messages: ReadonlyMap<string, EventMessage>,
): ReadonlyMap<string, WebhookMessage[]> {
  const lists = new Map<string, WebhookMessage[]>();
  for (const event of told) {
    const message = messages.get(event.id);
    if (message === undefined) continue;
    for (const { organization, role, state } of firmsOf(event)) {
      if (state === 'refused' || !eventsOfRole(role).includes(event.type)) continue;
      const list = lists.get(LIST + organization) ?? [];
      list.push({ eventId: event.id, type: event.type, payload: bodyFor(message, ''), line: null });
      lists.set(LIST + organization, list);
    }
  }
  return lists;
}

/** Of a transfer of the bridge the tenant alone. Else those of the security, and of a trade and its settlement the partners of both sides; each once. */
function firmsOf(event: ToldEvent): readonly PartnerFirm[] {
  if ('tenant' in event) return [event.tenant];
  const { type, security, trade } = event;
  const { lister, agent } = security;
  const sides = isOfTrade(type) ? [trade?.buyer.partner, trade?.seller.partner] : [];
  const firms = [lister, agent, ...sides].flatMap((firm) => (firm == null ? [] : [firm]));
  return [...new Map(firms.map((firm) => [firm.organization, firm])).values()];
}
