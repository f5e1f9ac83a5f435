import { type ApiError, apiError } from '../middleware/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { profileOfHost } from '../middleware/profile-name.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Why a request from this Origin is refused, or null (MCP, Streamable HTTP: DNS rebinding). The request's own host says nothing here:
 * a rebound name is that host. Pages of the exchange's own hosts may call; on a laptop, any loopback page. Clients other than
 * browsers send no Origin.
 */
export function originFailure(c: AppContext): ApiError | null {
  const origin = c.req.header('origin');
  if (origin === undefined || isTrusted(origin, c.env)) return null;
  return apiError('FORBIDDEN', 'requests from this origin are not taken', { origin });
}

function isTrusted(origin: string, env: Env): boolean {
  const url = URL.parse(origin);
  if (url === null) return false;
  if (env.ENVIRONMENT === 'local' && LOOPBACK.has(url.hostname)) return true;
  return url.protocol === 'https:' && url.port === '' && profileOfHost(url.hostname, env) !== null;
}
