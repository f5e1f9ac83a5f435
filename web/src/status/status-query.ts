import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../api/client.ts';
import type { CustomerKey } from '../texts/use-customer-words.ts';

type VenueState = 'ok' | 'degraded' | 'down';
type PartState = VenueState | 'unknown';

type After<Prefix extends string> = CustomerKey extends infer Key
  ? Key extends `${Prefix}.${infer Rest}`
    ? Rest
    : never
  : never;

type StatusPart = After<'status_part'>;
type IncidentState = After<'incident_state'>;

export interface PublicIncident {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly StatusPart[];
  readonly state: IncidentState;
  readonly opened_at: string;
  readonly resolved_at: string | null;
  readonly updates: readonly { readonly state: IncidentState; readonly words: string; readonly at: string }[];
}

export interface PublicStatus {
  readonly at: string;
  readonly state: VenueState;
  readonly parts: readonly {
    readonly part: StatusPart;
    readonly state: PartState;
    readonly reason: Exclude<After<'status_reason'>, 'ok'> | null;
  }[];
  readonly incidents: readonly PublicIncident[] | null;
  readonly past_incidents: readonly PublicIncident[] | null;
}

const POLL_MS = 30_000;

/** For anybody, signed in or not. */
export const statusQuery = queryOptions({
  queryKey: ['status'],
  queryFn: async ({ signal }) =>
    (await (await callConsole(new Request('/console/v1/status', { signal }))).json()) as PublicStatus,
  staleTime: POLL_MS,
  refetchInterval: POLL_MS,
});
