import { z } from '@hono/zod-openapi';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { issueDetails } from '../../protocol/errors/issue-details.ts';
import type { AppContext } from './app-env.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** Whether a method changes nothing. */
export function isRead(method: RegisteredRoute['method']): boolean {
  return ['get', 'head', 'options'].includes(method);
}

/**
 * Why a request is not taken whose query has a name that the route does not know: a misspelt filter would filter nothing, and a dry run that a write
 * does not know would be done (docs/decisions/api.md#reads-refuse-names-of-a-query-that-they-do-not-know).
 */
export function queryFailure(c: AppContext, route: RegisteredRoute): ApiError | null {
  if (route.passesOverQuery !== undefined) return null;
  const asked = new URL(c.req.url).searchParams.keys();
  const unknown = [...new Set(asked)].filter((name) => !route.queryNames.includes(name));
  if (unknown.length === 0) return null;
  const { error } = NOTHING.safeParse(Object.fromEntries(unknown.map((name) => [name, ''])));
  return apiError('VALIDATION_ERROR', 'the request is malformed', issueDetails(error?.issues ?? []));
}

const NOTHING = z.strictObject({});

/** The names that the schema of a query reads; none where a route has no such schema, null where the schema does not tell them. */
export function namesOfQuery(query: unknown): readonly string[] | null {
  if (query === undefined) return [];
  const isWhole = query instanceof z.ZodObject && !(query.def.catchall instanceof z.ZodUnknown);
  return isWhole ? Object.keys(query.shape) : null;
}
