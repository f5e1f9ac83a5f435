import { PAGE_HEADERS } from '../../protocol/console/page-headers.ts';
import type { AppContext } from './app-env.ts';

const SECURITY_HEADERS: readonly (readonly [string, string])[] = [
  ['x-content-type-options', 'nosniff'],
  ['x-frame-options', 'DENY'],
  ['referrer-policy', 'no-referrer'],
  ['strict-transport-security', 'max-age=31536000; includeSubDomains'],
  ['cross-origin-resource-policy', 'same-site'],
];

/** What the console answers is for its own pages. */
const CONSOLE_HEADERS = PAGE_HEADERS.filter(([name]) => /^(permissions-policy|cross-origin-)/i.test(name));

/** Seconds until somebody asks again who was refused for what they have already, connections say: nobody knows when one of them goes. */
const RETRY_AFTER_ROOM_S = '60';

/** Nothing that the API answers is a document, so nothing may load or frame; a page sets a policy of its own. */
const API_CONTENT_POLICY = "default-src 'none'; frame-ancestors 'none'";

const EXPOSED =
  'x-request-id, x-ratelimit-limit, x-ratelimit-remaining, x-ratelimit-reset, retry-after, link, etag, age, idempotent-replayed';

/** Sets request id, X-RateLimit-* (X-LIM-05), security and cross-origin headers on the answer. */
export function finishHeaders(c: AppContext): void {
  const headers = writableHeaders(c);
  headers.set('x-request-id', c.get('requestId'));
  // Without a count (the Gate itself failed) nothing is known to remain.
  const rate = c.get('rate') ?? { limit: 0, remaining: 0, reset: Math.ceil(Date.now() / 1_000) };
  headers.set('x-ratelimit-limit', String(rate.limit));
  headers.set('x-ratelimit-remaining', String(rate.remaining));
  headers.set('x-ratelimit-reset', String(rate.reset));
  const retryAfter = c.get('retryAfter');
  if (retryAfter !== undefined) headers.set('retry-after', String(retryAfter));
  else if (c.res.status === 429 && !headers.has('retry-after')) headers.set('retry-after', RETRY_AFTER_ROOM_S);
  if (c.res.status === 101) return;
  if (c.res.status === 401 && !headers.has('www-authenticate')) headers.set('www-authenticate', 'Bearer');
  const referrerPolicy = headers.get('referrer-policy');
  for (const [name, value] of SECURITY_HEADERS) headers.set(name, value);
  if (c.get('profile') === 'console') for (const [name, value] of CONSOLE_HEADERS) headers.set(name, value);
  // A page with forms tells its origin to itself.
  if (referrerPolicy === 'same-origin') headers.set('referrer-policy', referrerPolicy);
  if (!headers.has('content-security-policy')) headers.set('content-security-policy', API_CONTENT_POLICY);
  if (!headers.has('cache-control')) headers.set('cache-control', 'no-store');
  const reader = c.get('readableBy') ?? null;
  if (reader !== null) openTo(reader, c.get('readableHeaders') ?? [], headers);
}

/** No cookie is ever involved where any origin may read (`*`), so that gives nothing away. */
function openTo(origin: string, readable: readonly string[], headers: Headers): void {
  headers.set('access-control-allow-origin', origin);
  headers.set('access-control-expose-headers', [EXPOSED, ...readable].join(', '));
  headers.set('cross-origin-resource-policy', 'cross-origin');
  if (origin !== '*') headers.append('vary', 'origin');
}

/** A response handed on from a Durable Object or a fetch has headers that cannot be changed; it is wrapped. */
function writableHeaders(c: AppContext): Headers {
  try {
    c.res.headers.set('x-request-id', '');
  } catch {
    const { res } = c;
    // Given one response for another, the context would make a third, without the WebSocket.
    c.res = undefined;
    c.res = res.webSocket === null ? new Response(res.body, res) : upgraded(res.webSocket);
  }
  return c.res.headers;
}

function upgraded(webSocket: WebSocket): Response {
  return new Response(null, { status: 101, webSocket });
}
