import { queryOptions } from '@tanstack/react-query';
import { callConsole } from '../api/client.ts';

interface NewestIncident {
  readonly incident: { readonly id: string; readonly title: string } | null;
}

const POLL_MS = 60_000;

/** What the bar of every page asks for, by the session: the public status counts by address, as sign-ins do. */
export const incidentQuery = queryOptions({
  queryKey: ['incident'],
  queryFn: async ({ signal }) =>
    ((await (await callConsole(new Request('/console/v1/session/incident', { signal }))).json()) as NewestIncident)
      .incident,
  refetchInterval: POLL_MS,
  retry: false,
});
