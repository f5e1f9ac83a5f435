import { apiError } from '../../protocol/errors/api-error.ts';
import { failure } from '../responses/failure.ts';
import type { AppContext } from './app-env.ts';
import { countAddress } from './count-address.ts';
import type { RegisteredRoute } from './registered-route.ts';

const PREFLIGHT_GOOD_FOR_S = '86400';

/** Lets the page that asks read the answer: of a public route any page, else one that the route allows. */
export function openToOrigins(c: AppContext, { access, crossOrigin }: RegisteredRoute): void {
  const origin = c.req.header('origin');
  if (access.credential === 'public') c.set('readableBy', '*');
  else if (
    origin !== undefined &&
    crossOrigin?.isHeldByHandler !== true &&
    crossOrigin?.allows(origin, c.env) === true
  ) {
    c.set('readableBy', origin);
    c.set('readableHeaders', crossOrigin.exposed);
  }
}

/** What any origin may read (public market data) takes GET and no credential; with one, browsers must not send it from there. */
export async function answerPreflight(c: AppContext): Promise<Response> {
  const refusal = await countAddress(c);
  if (refusal !== null) return failure(c, refusal);
  c.set('readableBy', '*');
  return c.body(null, 204, {
    'access-control-allow-methods': 'GET',
    'access-control-allow-headers': 'x-request-id',
    'access-control-max-age': PREFLIGHT_GOOD_FOR_S,
  });
}

/** A preflight of one path: the methods of those of its routes that the origin may call, and nothing said to any other origin. */
export function answerPreflightOf(routesOfPath: () => readonly RegisteredRoute[]) {
  return async (c: AppContext): Promise<Response> => {
    const refusal = await countAddress(c);
    if (refusal !== null) return failure(c, refusal);
    const origin = c.req.header('origin') ?? '';
    const callable = routesOfPath().filter(({ crossOrigin }) => crossOrigin?.allows(origin, c.env) === true);
    if (callable.length === 0) return failure(c, apiError('FORBIDDEN', 'requests from this origin are not taken'));
    c.set('readableBy', origin);
    const headers = new Set(callable.flatMap(({ crossOrigin }) => crossOrigin?.headers ?? []));
    return c.body(null, 204, {
      'access-control-allow-methods': callable.map(({ method }) => method.toUpperCase()).join(', '),
      'access-control-allow-headers': [...headers].join(', '),
      'access-control-max-age': PREFLIGHT_GOOD_FOR_S,
    });
  };
}
