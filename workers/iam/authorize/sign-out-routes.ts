import { createRoute, z } from '@hono/zod-openapi';
import { sessionOfBrowser } from '../../../application/identity/authorization/sign-in-browser.ts';
import { type ProvedSignOut, proveSignOut, signOut } from '../../../application/identity/authorization/sign-out.ts';
import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import { findUser } from '../../../data/identity/users.ts';
import { QUERY_LENGTH_MAX } from '../../../domain/identity/authorization-request.ts';
import { answeredAt } from '../../../domain/identity/redirect-uri.ts';
import { SIGN_OUT_PARAMETERS, signOutRequestOf } from '../../../domain/identity/sign-out-request.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { callerOf } from '../caller-of.ts';
import { answerError, answerPage } from './answer-page.ts';
import { PAGE } from './authorize-routes.ts';
import { cookieOf, takeCookie } from './cookies.ts';
import { queryOf } from './read-request.ts';
import { formTerms, isOurForm, seeOther, text } from './sign-in-steps.ts';
import { afterSignOutPage, signOutPage } from './sign-out-pages.ts';
import { type Language, languageOf } from './texts.ts';

export const SIGN_OUT_PATH = '/api/login/oauth/logout';

const parameter = text(QUERY_LENGTH_MAX);

/** Of our own page, or of an application, whose request has no step. */
const Form = z.object({
  form_token: text(100),
  step: z.enum(['', 'sign_out']).default(''),
  answer: z.enum(['sign_out', 'stay']).default('stay'),
  id_token_hint: parameter,
  logout_hint: parameter,
  client_id: parameter,
  post_logout_redirect_uri: parameter,
  state: parameter,
  ui_locales: parameter,
});

/** Signing out through an application (OpenID Connect RP-Initiated Logout 1.0). */
export function signOutRoutes(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public', ...PAGE },
    createRoute({
      method: 'get',
      path: SIGN_OUT_PATH,
      hide: true,
      responses: { 200: { description: 'A page, or the way back to the application' } },
    }),
    async (c) => answer(c, null),
  );
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public', ...PAGE },
    createRoute({
      method: 'post',
      path: SIGN_OUT_PATH,
      hide: true,
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses: { 200: { description: 'A page, or the way back to the application' } },
    }),
    async (c) => {
      const fields = c.req.valid('form');
      // No cookie comes with a form of another site: the same request is asked for by its address, and judged there.
      if (fields.step === '') return seeOther(c, `?${queryOfForm(fields)}`);
      if (!(await isOurForm(c, fields.step, fields.form_token))) return answerError(c, 'form', 403);
      return answer(c, fields.answer);
    },
  );
}

function queryOfForm(fields: Readonly<Record<(typeof SIGN_OUT_PARAMETERS)[number], string>>): URLSearchParams {
  const stated = SIGN_OUT_PARAMETERS.filter((name) => fields[name] !== '');
  return new URLSearchParams(stated.map((name) => [name, fields[name]]));
}

/** @param said what the person has said on our page; null where they were not asked */
async function answer(c: AppContext, said: 'sign_out' | 'stay' | null): Promise<FailureResponse> {
  const request = signOutRequestOf(queryOf(c));
  if (request === null) return answerError(c, 'request', 400);
  const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
  const proved = await proveSignOut(c.env, session, request);
  if (!proved.ok) return answerError(c, proved.error, 400);
  if (session === null) return leave(c, proved.value);
  if (said === 'stay') return answerPage(c, afterSignOutPage(languageAsked(c), false, null), {});
  if (said === null && !proved.value.isOfSession) return ask(c, session, proved.value);
  await signOut(c.env, session, proved.value, callerOf(c));
  takeCookie(c, 'session');
  return leave(c, proved.value);
}

async function ask(
  c: AppContext,
  session: BrowserSession,
  { client, redirectUri }: ProvedSignOut,
): Promise<FailureResponse> {
  const page = signOutPage({
    ...(await formTerms(c, cookieOf(c, 'session') ?? '')),
    language: languageAsked(c),
    client,
    redirectUri,
    userName: (await findUser(database(c.env.DB), session.userId))?.name ?? '',
  });
  return answerPage(c, page, redirectUri === null || !isSentOn(client) ? {} : { redirectUri });
}

/** Of an application that no operator has made people see the place first, and go there by themselves: its name and its place are its own word (RFC 9700, 4.11.2). */
function isSentOn(client: ProvedSignOut['client']): boolean {
  return client?.kind === 'venue';
}

/** Sends the person back to where the application may be answered, or shows the place. */
function leave(
  c: AppContext,
  { client, redirectUri, state }: ProvedSignOut,
): FailureResponse | Promise<FailureResponse> {
  const back = redirectUri === null ? null : answeredAt(redirectUri, { state });
  if (back !== null && isSentOn(client)) return seeOther(c, back);
  return answerPage(c, afterSignOutPage(languageAsked(c), true, back), {});
}

/** What the application asks for where we have it, else what the browser does. */
function languageAsked(c: AppContext): Language {
  const asked = (new URLSearchParams(queryOf(c)).get('ui_locales') ?? '').split(' ').join(',');
  return languageOf(`${asked},${c.req.header('accept-language') ?? ''}`);
}
