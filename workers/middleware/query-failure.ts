import { z } from '@hono/zod-openapi';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { issueDetails } from '../../protocol/errors/issue-details.ts';
import type { AppContext } from './app-env.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** What changes nothing may pass over what it does not know. */
export function isRead(method: RegisteredRoute['method']): boolean {
  return ['get', 'head', 'options'].includes(method);
}

/**
 * Why a write whose schema names no query parameter does not take those that came: a dry run that it does not know would be done. One whose
 * schema names some refuses others by it.
 */
export function queryFailure(c: AppContext, route: RegisteredRoute): ApiError | null {
  if (route.namesQuery || route.passesOverQuery !== undefined || isRead(route.method)) return null;
  const names = [...new URL(c.req.url).searchParams.keys()];
  if (names.length === 0) return null;
  const { error } = NOTHING.safeParse(Object.fromEntries(names.map((name) => [name, ''])));
  return apiError('VALIDATION_ERROR', 'the request is malformed', issueDetails(error?.issues ?? []));
}

const NOTHING = z.strictObject({});
