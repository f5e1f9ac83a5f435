import { formTokenOf, isFormToken } from '../../../application/identity/authorization/form-token.ts';
import { sessionOfBrowser } from '../../../application/identity/authorization/sign-in-browser.ts';
import { beginIdentity, type Identity } from '../../../application/onboarding/identity.ts';
import { QUERY_LENGTH_MAX } from '../../../domain/identity/authorization-request.ts';
import { renewableFrom, wordToPerson } from '../../../domain/onboarding/identity-state.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerError, answerPage, type PageStatus } from '../authorize/answer-page.ts';
import { cookieOf } from '../authorize/cookies.ts';
import { queryOf } from '../authorize/read-request.ts';
import { languageOf } from '../authorize/texts.ts';
import { approvedUntil } from './identity-api-parts.ts';
import { identityNotice } from './identity-pages.ts';
import type { IdentityStanding } from './onboarding-parts.ts';

/** The pages on which somebody says who they are, for whom they act, or what kind of investor they are. */
type OnboardingPath = 'identity' | 'entity' | 'accreditation';

type Begun =
  | { readonly type: 'page'; readonly page: Promise<FailureResponse> }
  | { readonly type: 'identity'; readonly identity: Identity };

/** For forms with documents: none of one is read that no page of ours has sent, or whose browser nobody is signed in with. */
export async function beforeForm(c: AppContext): Promise<Response | null> {
  if (!isOfOurPage(c)) return answerError(c, 'form', 403) as Promise<unknown> as Promise<Response>;
  if ((await sessionOfBrowser(c.env, cookieOf(c, 'session'))) !== null) return null;
  return askToSignInFirst(c) as Promise<unknown> as Promise<Response>;
}

/** The identity of who is signed in here; a page for anybody else. */
export async function begin(c: AppContext): Promise<Begun> {
  const query = queryOf(c);
  if (query.length > QUERY_LENGTH_MAX) return { type: 'page', page: answerError(c, 'request', 400) };
  const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
  if (session === null) return { type: 'page', page: askToSignInFirst(c) };
  const begun = await beginIdentity(c.env, session.userId);
  if (begun.ok) return { type: 'identity', identity: begun.value };
  return { type: 'page', page: notify(c, begun.error === 'no_account' ? 'noAccount' : 'decidedElsewhere', 200) };
}

export const askToSignInFirst = (c: AppContext) => notify(c, 'signInFirst', 401);

export function notify(
  c: AppContext,
  notice: Parameters<typeof identityNotice>[1],
  status: PageStatus,
): Promise<FailureResponse> {
  const language = languageOf(c.req.header('accept-language'));
  const terms = { maySignUp: (c.env.SIGNUP_ORGANIZATION as string) !== '', query: queryOf(c) };
  return answerPage(c, identityNotice(language, notice, { ...terms, home: c.env.CONSOLE_ORIGIN }), { status });
}

const isOfOurPage = (c: AppContext): boolean => c.req.header('origin') === new URL(c.env.IAM_ISSUER).origin;

/** Where a form is sent, and what it asks for where that has an id of its own: a `#` stands in no query. */
const formQuery = (c: AppContext, path: OnboardingPath, request: string): string =>
  `${path}?${queryOf(c)}${request === '' ? '' : `#${request}`}`;

/**
 * Sent by a page of ours, in the browser that is signed in.
 *
 * @param request the id under which the form asks for something, where our page gave it one
 */
export async function isOurForm(c: AppContext, path: OnboardingPath, token: string, request = ''): Promise<boolean> {
  if (!isOfOurPage(c)) return false;
  return isFormToken(c.env, { browser: cookieOf(c, 'session') ?? '', query: formQuery(c, path, request) }, token);
}

export async function formTerms(c: AppContext, path: OnboardingPath, request = '') {
  const language = languageOf(c.req.header('accept-language'));
  const browser = cookieOf(c, 'session') ?? '';
  const formToken = await formTokenOf(c.env, { browser, query: formQuery(c, path, request) });
  return { language, query: queryOf(c), formToken };
}

export function standingOf({ row }: Pick<Identity, 'row'>): IdentityStanding | null {
  if (row.state === 'DRAFT') return null;
  const [until, renewable] = [approvedUntil(row), renewableFrom(row)];
  return { state: row.state, reason: wordToPerson(row), until, renewableFrom: renewable };
}

export function seeOther(c: AppContext, path: OnboardingPath): FailureResponse {
  const query = queryOf(c);
  const location = query === '' ? path : `${path}?${query}`;
  return c.body(null, 303, { location }) as unknown as FailureResponse;
}
