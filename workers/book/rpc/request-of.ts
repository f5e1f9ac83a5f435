import { createContextKey, type HandlerContext } from '@connectrpc/connect';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';

/** The request that a call came in, with its principal: what REST handlers get as `c`. */
export const REQUEST = createContextKey<AppContext | null>(null);

/** Why the request is not let through, or null. */
export const REFUSAL = createContextKey<ApiError | null>(null);

export function requestOf({ values }: HandlerContext): AppContext {
  const request = values.get(REQUEST);
  if (request === null) throw new Error('a call without its request');
  return request;
}
