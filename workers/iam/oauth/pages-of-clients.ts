import { isPageOf } from '../../../application/identity/authorization/client-origins.ts';
import { isWebOrigin } from '../../../domain/identity/redirect-uri.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import type { CrossOrigin } from '../../middleware/registered-route.ts';

/**
 * Applications without a server of their own: their pages ask for tokens and claims themselves. A preflight says no client, so it is answered to any origin and gives nothing; the answer
 * itself is read by pages of the client that it is for, and by no others (`openToPagesOf`). No cookie is involved.
 */
export const PAGES_OF_CLIENTS: CrossOrigin = {
  allows: isWebOrigin,
  isHeldByHandler: true,
  headers: ['authorization', 'content-type', 'x-request-id'],
  exposed: ['www-authenticate'],
};

/** Lets the page that asks read the answer, where it is one of this client's. */
export async function openToPagesOf(c: AppContext, clientId: string | undefined): Promise<void> {
  const origin = c.req.header('origin');
  if (origin === undefined || clientId === undefined || clientId === '') return;
  if (!(await isPageOf(c.env, clientId, origin))) return;
  c.set('readableBy', origin);
  c.set('readableHeaders', PAGES_OF_CLIENTS.exposed);
}
