import { createRoute } from '@hono/zod-openapi';
import { isCallable, isCalledSegment } from '../../domain/console/callable.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { openBrowser } from '../middleware/admit-browser.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { countAddress } from '../middleware/count-address.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { destinationOf } from '../middleware/profile-name.ts';
import { isRead } from '../middleware/query-failure.ts';
import { failure } from '../responses/failure.ts';
import { callInProcess, IN_PROCESS } from './call-in-process.ts';
import type { LoadProfile } from './load-profile.ts';

const METHODS = ['get', 'post', 'put', 'patch', 'delete'] as const;
const PATTERN = '/call/{profile}/*';
/** The largest that any route takes: each has its own bound, and refuses what is beyond it. */
const BODY_BYTES_MAX = 128 * 1_024 * 1_024;

/** Headers of an answer that a page is shown. A cookie is not among them, whoever sets one. */
const PASSED_OUT = [
  'accept-encoding',
  'age',
  'allow',
  'cache-control',
  'content-disposition',
  'content-language',
  'content-range',
  'content-type',
  'etag',
  'idempotent-replayed',
  'last-modified',
  'link',
  'location',
  'retry-after',
  'vary',
];

/** Documents of people are shown without scripts, plug-ins, forms or an origin. */
const ANSWER_POLICY = "default-src 'none'; frame-ancestors 'none'; sandbox";
/** What a browser would run if it were opened by itself. */
const ACTIVE = /^(text\/html|application\/xhtml|image\/svg|text\/xml|application\/xml)/i;

/** `/call/<profile>/<path>`: the call of that profile, as from outside, by whoever is signed in with the browser. */
export function callRoutes(profile: Profile, load: LoadProfile): void {
  for (const method of METHODS) {
    registerRoute(
      profile,
      {
        access: { credential: 'console', session: 'passed_on' },
        bucket: 'private',
        takesBody: !isRead(method),
        bodyBytesMax: BODY_BYTES_MAX,
        passesOverQuery: 'the route that is called reads its own query',
      },
      createRoute({
        method,
        path: PATTERN,
        hide: true,
        responses: { 200: { description: 'What the profile answers.' } },
      }),
      (c) => passOn(c, load),
    );
  }
}

async function passOn(c: AppContext, load: LoadProfile): Promise<Response> {
  const called = calledBy(c);
  if (called === null) return refuse(c, apiError('NOT_FOUND', 'no page calls this'));
  const { destination, segment, path } = called;
  const profile = await load(destination.profile);
  const method = c.req.method === 'HEAD' ? 'GET' : c.req.method;
  const body = isRead(asMethod(method)) ? null : c.req.raw.body;
  const call = { segment, path, method, body };
  const answer = await callInProcess(c, profile, call);
  if (!isTokenRefused(answer)) return shown(c, answer);
  await answer.body?.cancel();
  const renewed = await openBrowser(c, c.get('browser')?.accessToken ?? null);
  if (!renewed.ok) return failure(c, renewed.error);
  if (body === null) return shown(c, await callInProcess(c, profile, call));
  // Nothing was done, and the body is gone.
  return failure(
    c,
    apiError('SERVICE_UNAVAILABLE', 'the token was renewed; please repeat', { reason: 'token_renewed' }),
  );
}

function asMethod(method: string): Parameters<typeof isRead>[0] {
  return method.toLowerCase() as Parameters<typeof isRead>[0];
}

/** What is called: by the path as the profile will read it, so that no spelling of a path is judged as another one. */
function calledBy(c: AppContext) {
  const { pathname, search } = new URL(c.req.url);
  const [, segment = '', rest = ''] = /\/call\/([^/]*)(\/.*)$/.exec(pathname) ?? [];
  if (!isCalledSegment(segment)) return null;
  const inner = new Request(`${IN_PROCESS}/${segment}${rest}`);
  const destination = destinationOf(inner, c.env);
  if (destination === null || destination.profile === 'console') return null;
  if (!isCallable(segment, destination.path)) return null;
  return { destination, segment, path: `${rest}${search}` };
}

/** The caller's address pays for what no profile counts. */
async function refuse(c: AppContext, error: ApiError): Promise<Response> {
  return failure(c, (await countAddress(c)) ?? error);
}

/** Whether the profile does not take the token. One that asks for another factor says so by its challenge, and is answered to the page. */
function isTokenRefused(answer: Response): boolean {
  return answer.status === 401 && answer.headers.get('www-authenticate') === 'Bearer';
}

function shown(c: AppContext, answer: Response): Response {
  const [limit, remaining, reset] = ['limit', 'remaining', 'reset'].map((name) =>
    Number(answer.headers.get(`x-ratelimit-${name}`) ?? 0),
  ) as [number, number, number];
  c.set('rate', { limit, remaining, reset });
  const headers = new Headers({ 'content-security-policy': ANSWER_POLICY });
  for (const name of PASSED_OUT) {
    const value = answer.headers.get(name);
    if (value !== null) headers.set(name, seenFromOutside(c, name, value));
  }
  if (ACTIVE.test(headers.get('content-type') ?? '')) headers.set('content-disposition', 'attachment');
  return new Response(answer.body, { status: answer.status, headers });
}

/** Addresses of this process lead back here; and nobody but this browser may keep an answer. */
function seenFromOutside(c: AppContext, name: string, value: string): string {
  if (name === 'cache-control') return value.replace(/\bpublic\b/, 'private');
  if (name !== 'link' && name !== 'location') return value;
  return value.replaceAll(IN_PROCESS, `${c.env.CONSOLE_ORIGIN}/console/call`);
}
