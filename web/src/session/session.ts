import { queryOptions, useQuery } from '@tanstack/react-query';
import { callConsole } from '../api/client.ts';
import { keepStoreFor } from './own-store.ts';

/** Who acts, and since when; the browser knows nothing more of the session. */
export interface Session {
  readonly user_id: string;
  readonly name: string;
  readonly organization: { readonly id: string; readonly name: string; readonly role: string | null };
  readonly roles: readonly string[];
  readonly powers: readonly string[];
  readonly permissions: readonly string[];
  readonly account: { readonly account_id: string } | null;
  readonly session: { readonly id: string; readonly idle_until: string; readonly ends_at: string };
  readonly environment: string;
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: async ({ signal }) => {
    const session = (await (await callConsole(new Request('/console/v1/session', { signal }))).json()) as Session;
    keepStoreFor(session.user_id);
    return session;
  },
  staleTime: 60_000,
});

export function useSession(): Session | undefined {
  return useQuery(sessionQuery).data;
}

/** Where the identity provider asks who it is; it comes back to `returnTo`. */
export async function beginSession(returnTo: string): Promise<string> {
  const request = new Request('/console/v1/session', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ return_to: returnTo }),
  });
  return ((await (await callConsole(request)).json()) as { location: string }).location;
}

export async function endSession(everywhere: boolean): Promise<void> {
  await callConsole(new Request(everywhere ? '/console/v1/sessions' : '/console/v1/session', { method: 'DELETE' }));
}
