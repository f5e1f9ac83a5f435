import { profileOfHost } from '../middleware/profile-name.ts';
import type { CrossOrigin } from '../middleware/registered-route.ts';

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/**
 * Whose pages may call the agent server. The request's own host says nothing here: a rebound name is that host (MCP, Streamable HTTP:
 * DNS rebinding). Pages of the exchange's own hosts may; on a laptop, any loopback page.
 */
export const TRUSTED_ORIGINS: CrossOrigin = {
  allows(origin, env) {
    const url = URL.parse(origin);
    if (url === null) return false;
    if (env.ENVIRONMENT === 'local' && LOOPBACK.has(url.hostname)) return true;
    return url.protocol === 'https:' && url.port === '' && profileOfHost(url.hostname, env) !== null;
  },
  headers: [
    'authorization',
    'content-type',
    'last-event-id',
    'mcp-protocol-version',
    'mcp-session-id',
    'x-api-key',
    'x-request-id',
  ],
  exposed: ['mcp-session-id', 'www-authenticate'],
};
