import type { Database } from '../../data/database.ts';
import type { ClosedEvent } from '../../data/events/outgoing/outgoing-events.ts';
import { receivingEndpoints } from '../../data/webhooks/subscriptions.ts';
import { lineOf } from '../../domain/webhooks/ordering.ts';
import { eventsTenantOwner } from '../../domain/webhooks/webhook-owner.ts';
import type { WebhookMessage } from '../webhook-endpoint/api.ts';
import { bodyFor, type EventMessage } from './event-payload.ts';

/** Messages in the order of the events. */
interface TenantQueues {
  readonly endpoints: ReadonlyMap<string, readonly WebhookMessage[]>;
  /** By organization. */
  readonly lists: ReadonlyMap<string, readonly WebhookMessage[]>;
}

const VERSION = '1.0.0';

/** Messages of what tenants are told of: each for its own tenant alone, subscribed or not in the list. */
export async function messagesOfTenants(
  db: Database,
  closed: readonly ClosedEvent[],
  now: number,
): Promise<TenantQueues> {
  const told = closed.map((event) => ({
    ...event,
    organization: eventsTenantOwner(event.tenant).organization,
    message: messageOf(event),
  }));
  const endpoints = await receivingEndpoints(
    db,
    told.map(({ organization }) => organization),
    now,
  );
  const queues = { endpoints: new Map<string, WebhookMessage[]>(), lists: new Map<string, WebhookMessage[]>() };
  for (const { id: eventId, type, organization, message, eventId: of } of told) {
    const add = (to: Map<string, WebhookMessage[]>, whom: string, url: string, line: string | null) =>
      to.set(whom, [...(to.get(whom) ?? []), { eventId, type, payload: bodyFor(message, url), line }]);
    add(queues.lists, organization, '', null);
    for (const endpoint of endpoints) {
      if (endpoint.organization !== organization || !endpoint.events.includes(type)) continue;
      if (endpoint.securityIds !== null && !endpoint.securityIds.includes(of)) continue;
      add(queues.endpoints, endpoint.id, endpoint.url, lineOf(endpoint.ordering, of));
    }
  }
  return queues;
}

function messageOf({ id, type, facts, closedAt }: ClosedEvent): EventMessage {
  const timestamp = new Date(closedAt).toISOString();
  const head = { event_id: id, event_type: type, timestamp, version: VERSION };
  return { webhook_event: head, ...(JSON.parse(facts) as Readonly<Record<string, unknown>>) };
}
