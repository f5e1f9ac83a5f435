import type { WebhookEvent } from '../../domain/webhooks/webhook-event.ts';
import type { EventBody } from '../webhook-endpoint/api.ts';

export interface EventsQuery {
  /** Id of an event: what was told after it. Null for what is oldest. */
  readonly after: string | null;
  readonly types: readonly WebhookEvent[];
  /** Events of a page, EVENTS_PER_PAGE_MAX at most. */
  readonly limit: number;
  /** How long to wait for the next event where there is none, WAIT_MS_MAX at most. */
  readonly waitMs: number;
}

export interface EventsPage {
  /** In the order in which they were told; `endpoint` of their bodies is empty. */
  readonly events: readonly EventBody[];
  readonly hasMore: boolean;
  /** Id of the event behind which the list goes on, of whatever type; null where there is none. */
  readonly last: string | null;
}

export const EVENTS_PER_PAGE_MAX = 100;
export const WAIT_MS_MAX = 20_000;

/**
 * What an organization is told of, of the last 30 days, whether or not it has a webhook: one object each, named by the organization's id
 * (docs/design/webhooks.md#the-list-of-events).
 */
export interface PartnerEventsApi {
  /** Takes messages in this order, each once by its event's id, however often it is sent. */
  append(messages: readonly EventBody[]): Promise<void>;
  /** Null where no event of the id `after` is kept. */
  read(query: EventsQuery): Promise<EventsPage | null>;
  /** Deletes all, of an organization that is gone. */
  clear(): Promise<void>;
}

/** A fresh stub of an organization's object. After an exception a stub stays broken, so one is made for every call. */
export function partnerEventsOf(
  env: { readonly PARTNER_EVENTS: { getByName(name: string): unknown } },
  organization: string,
): PartnerEventsApi {
  return env.PARTNER_EVENTS.getByName(organization) as PartnerEventsApi;
}
