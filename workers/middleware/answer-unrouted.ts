import { apiError } from '../../protocol/errors/api-error.ts';
import { failure } from '../responses/failure.ts';
import type { AppContext } from './app-env.ts';
import { countAddress } from './count-address.ts';
import { answerPreflight } from './cross-origin.ts';
import { destinationOf } from './profile-name.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** What no route takes: 405 with Allow where the path has other methods (RFC 9110 section 15.5.6), else 404; counted by address. */
export function answerUnrouted(routes: readonly RegisteredRoute[]) {
  return async (c: AppContext): Promise<Response> => {
    if (c.req.method === 'OPTIONS') return answerPreflight(c);
    const refusal = await countAddress(c);
    if (refusal !== null) return failure(c, refusal);
    const allowed = methodsAt(destinationOf(c.req.raw, c.env)?.path ?? '', routes);
    if (allowed.length === 0) return failure(c, apiError('NOT_FOUND', 'no such resource'));
    c.header('allow', allowed.join(', '));
    return failure(c, apiError('METHOD_NOT_ALLOWED', 'this resource does not take this method', { allowed }));
  };
}

/** A GET answers HEAD, too. */
function methodsAt(path: string, routes: readonly RegisteredRoute[]): string[] {
  const methods = routes.filter((route) => fits(route.path, path)).map(({ method }) => method.toUpperCase());
  return [...new Set(methods.includes('GET') ? [...methods, 'HEAD'] : methods)].sort();
}

/** @param pattern in OpenAPI form, `/v1/orders/{id}`; one that ends in a star fits whatever goes on */
function fits(pattern: string, path: string): boolean {
  const isOpen = pattern.endsWith('/*');
  const expected = (isOpen ? pattern.slice(0, -2) : pattern).split('/');
  const all = path.split('/');
  const segments = isOpen && all.length > expected.length ? all.slice(0, expected.length) : all;
  if (expected.length !== segments.length) return false;
  return expected.every((part, i) => part === segments[i] || (part.startsWith('{') && segments[i] !== ''));
}
