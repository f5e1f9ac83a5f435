import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** Of another tenant, deleted, or never there: the answer is the same. */
export function notFound(what: string): ApiError {
  return apiError('NOT_FOUND', `${what} does not exist`);
}
