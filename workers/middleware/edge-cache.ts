import { sha256Hex } from '../../application/identity/sha256-hex.ts';
import { seesUnsolicited } from '../../domain/accreditation/sees-unsolicited.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type AppContext, optionalPrincipalOf } from './app-env.ts';

/** How answers of a public route are kept at the edge (docs/design/market-data.md#edge-cache). */
export interface EdgeCaching {
  /** Seconds that a kept answer counts as current. */
  readonly seconds: number | ((query: Readonly<Record<string, unknown>>) => number);
}

type Handler = (c: AppContext) => Response | Promise<Response>;

/** Unix milliseconds at which a kept answer was made: its age goes by our clock, not by the cache's. */
const MADE_AT = 'x-made-at';
/** Of an answer these are kept, and nothing that belongs to one request. */
const KEPT_HEADERS = ['content-type', 'link', 'etag', MADE_AT];

/**
 * Answers from the edge cache while what is kept there is current. Kept are 200s that are the same for everybody; a caller who may see
 * offerings that others must not has answers of their own. Access, rate and schema have been checked before.
 */
export function answeringFromEdge(handler: Handler, { seconds }: EdgeCaching): Handler {
  return async (c) => {
    if (seesUnsolicited(optionalPrincipalOf(c)?.facts ?? null)) return handler(c);
    const query = validQuery(c);
    const lifetime_s = typeof seconds === 'number' ? seconds : seconds(query);
    const key = keyOf(c, query);
    const now_ms = Date.now();
    const kept = await match(c, key);
    const age_ms = now_ms - Number(kept?.headers.get(MADE_AT) ?? 0);
    if (kept !== undefined && age_ms >= 0 && age_ms < lifetime_s * 1_000) {
      return sharedAnswer(c, kept, lifetime_s, Math.floor(age_ms / 1_000));
    }
    const answer = await handler(c);
    if (answer.status !== 200 || c.get('isUnshared') === true) return answer;
    const made = await withEtag(answer, now_ms, lifetime_s);
    c.executionCtx.waitUntil(put(c, key, made.clone()));
    return sharedAnswer(c, made, lifetime_s, 0);
  };
}

/** The path and the query as the schema has read it, defaults included, in the order of its names. */
function keyOf(c: AppContext, query: Readonly<Record<string, unknown>>): string {
  const url = new URL(c.req.url);
  const known = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]): [string, string] => [name, String(value)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
  url.search = new URLSearchParams(known).toString();
  url.hash = '';
  return url.href;
}

function validQuery(c: AppContext): Readonly<Record<string, unknown>> {
  return (c.req as unknown as { valid(target: 'query'): Record<string, unknown> | undefined }).valid('query') ?? {};
}

async function withEtag(answer: Response, now_ms: number, lifetime_s: number): Promise<Response> {
  const body = await answer.arrayBuffer();
  const headers = new Headers(answer.headers);
  headers.set('etag', `"${await sha256Hex(body)}"`);
  headers.set(MADE_AT, String(now_ms));
  headers.set('cache-control', `public, max-age=${lifetime_s}`);
  return new Response(body, { status: 200, headers });
}

function sharedAnswer(c: AppContext, kept: Response, lifetime_s: number, age_s: number): Response {
  const headers = new Headers();
  for (const name of KEPT_HEADERS) {
    const value = name === MADE_AT ? null : kept.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  headers.set('cache-control', `public, max-age=${lifetime_s}`);
  headers.set('age', String(age_s));
  // With a credential the answer may be another.
  headers.set('vary', 'authorization, x-api-key');
  const etag = kept.headers.get('etag') ?? '';
  if (isMatch(c.req.header('if-none-match'), etag)) {
    headers.delete('content-type');
    return new Response(null, { status: 304, headers });
  }
  return new Response(kept.body, { status: 200, headers });
}

/** RFC 9110, section 13.1.2: a proxy may have made the tag weak. */
function isMatch(wanted: string | undefined, etag: string): boolean {
  if (wanted === undefined || etag === '') return false;
  return wanted === '*' || wanted.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag);
}

/** A cache that fails has nothing. */
async function match(c: AppContext, key: string): Promise<Response | undefined> {
  try {
    return await caches.default.match(key);
  } catch (error) {
    return lost(c, error);
  }
}

async function put(c: AppContext, key: string, answer: Response): Promise<void> {
  try {
    const headers = new Headers({ 'cache-control': answer.headers.get('cache-control') ?? 'no-store' });
    for (const name of KEPT_HEADERS) {
      const value = answer.headers.get(name);
      if (value !== null) headers.set(name, value);
    }
    await caches.default.put(key, new Response(answer.body, { headers }));
  } catch (error) {
    lost(c, error);
  }
}

function lost(c: AppContext, error: unknown): undefined {
  log('warn', 'edge_cache_lost', { request_id: c.get('requestId'), error: String(error) });
  return undefined;
}
