import { PAGE_HEADERS } from '../protocol/console/page-headers.ts';
import { apiError } from '../protocol/errors/api-error.ts';

/** Files of the app whose name has the hash of what is in them. */
const HASHED = '/static/';

export function isStaticFile(request: Request): boolean {
  return new URL(request.url).pathname.startsWith(HASHED);
}

/**
 * A file of the app with a hash in its name, which browsers keep for a year. While a deployment rolls out, a page may ask for a file that this version
 * does not have: by itself the platform would answer the app's page, and a browser would keep that under the file's name.
 */
export async function staticFile(request: Request, env: Pick<Env, 'ASSETS'>): Promise<Response> {
  const answer = await env.ASSETS.fetch(request);
  const isThere = answer.ok && answer.headers.get('content-type')?.startsWith('text/html') !== true;
  if (isThere || answer.status === 304) return withHeaders(answer, 'public, max-age=31536000, immutable');
  await answer.body?.cancel();
  const { code, message, details } = apiError('NOT_FOUND', 'no such file');
  return withHeaders(Response.json({ error: { code, message, details } }, { status: 404 }), 'no-store');
}

function withHeaders(answer: Response, cacheControl: string): Response {
  const headers = new Headers(answer.headers);
  for (const [name, value] of PAGE_HEADERS) headers.set(name, value);
  headers.set('cache-control', cacheControl);
  return new Response(answer.body, { status: answer.status, headers });
}
