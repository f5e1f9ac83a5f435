import type { ApiError } from '../../../protocol/errors/api-error.ts';
import type { RouteDeclaration } from '../../middleware/access.ts';
import type { RouteOptions } from '../../middleware/registered-route.ts';
import { STATUS_OF } from '../../responses/failure.ts';
import { answerError, type PageStatus } from '../authorize/answer-page.ts';

/** Pages of the provider for people: a refusal is a page, too. */
export const ONBOARDING_PAGE = {
  access: { credential: 'oauth' },
  bucket: 'public',
  passesOverQuery:
    'the request of an application stands there, which is read by its own rules once the person goes back to it',
  refused: (c, error) => answerError(c, error.code === 'RATE_LIMIT_EXCEEDED' ? 'limited' : 'form', statusOf(error)),
  invalid: (c) => answerError(c, 'form', 400) as unknown as Response,
} as const satisfies RouteDeclaration & RouteOptions;

function statusOf({ code }: ApiError): PageStatus {
  const status: number = STATUS_OF[code];
  return ([400, 401, 403, 408, 413, 415, 429, 503] as const).find((known) => known === status) ?? 400;
}
