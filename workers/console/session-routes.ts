import { createRoute, z } from '@hono/zod-openapi';
import {
  beginBrowserSession,
  endBrowserSession,
  endBrowserSessionsOf,
} from '../../application/console/browser-sessions.ts';
import { buyTokens } from '../../application/console/console-tokens.ts';
import { beginSignIn, signInOf } from '../../application/console/sign-in.ts';
import { whoAmI } from '../../application/console/who-am-i.ts';
import { sha256Hex } from '../../application/identity/sha256-hex.ts';
import { isReturnPath } from '../../domain/console/return-path.ts';
import { deviceWords } from '../../domain/identity/device-words.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { browserOf } from '../middleware/admit-browser.ts';
import { type AppContext, principalOf } from '../middleware/app-env.ts';
import { clientAddressOf } from '../middleware/client-address.ts';
import { consoleCookie, giveConsoleCookie, takeConsoleCookie } from '../middleware/console-cookies.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bodyOf, isoTime, jsonOf } from '../responses/wire.ts';
import { callInProcess } from './call-in-process.ts';
import type { LoadProfile } from './load-profile.ts';

/** Page of the app where a sign-in begins, and where one ends that came to nothing. */
const SIGN_IN_PAGE = '/sign-in';
const RETURN_LENGTH_MAX = 512;

const Start = z.strictObject({
  return_to: z
    .string()
    .max(RETURN_LENGTH_MAX)
    .refine(isReturnPath, 'must be a path of the console, such as /orders')
    .openapi({ description: 'Where the browser goes once somebody is signed in.', example: '/orders' }),
});

const Session = z
  .object({
    user_id: z.string(),
    name: z.string(),
    organization: z.object({
      id: z.string(),
      name: z.string(),
      role: z.string().nullable().openapi({ description: '`venue`, or the role of an active partner.' }),
    }),
    roles: z.array(z.string()),
    powers: z.array(z.string()),
    permissions: z.array(z.string()).openapi({ description: 'Of the events service.' }),
    account: z.object({ account_id: z.string() }).nullable(),
    session: z.object({
      id: z.string().openapi({ description: 'Of the list of sessions at the identity provider.' }),
      created_at: z.iso.datetime(),
      idle_until: z.iso.datetime().openapi({ description: 'When it ends if nobody uses it until then.' }),
      ends_at: z.iso.datetime(),
      factor: z.object({ method: z.string(), at: z.iso.datetime() }),
    }),
    environment: z.string(),
  })
  .openapi('ConsoleSession');

/** The session of a browser: its start, its end, and whose it is. */
export function sessionRoutes(profile: Profile, load: LoadProfile): void {
  readSession(profile);
  startSession(profile);
  finishSignIn(profile);
  endSession(profile);
  endSessions(profile, load);
}

function readSession(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'console', session: 'own' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/session',
      summary: 'Who is signed in, and what they may do',
      description: 'With `x-console: background` the session is not used by it.',
      responses: { 200: jsonOf('The session.', Session) },
    }),
    async (c) => {
      const principal = principalOf(c);
      const { session } = browserOf(c);
      const { name, organization, roles, powers, permissions, accountId } = await whoAmI(c.env, principal);
      return c.json(
        {
          user_id: principal.userId,
          name,
          organization,
          roles: [...roles],
          powers: [...powers],
          permissions: [...permissions],
          account: accountId === null ? null : { account_id: accountId },
          session: {
            id: session.id,
            created_at: isoTime(session.createdAt),
            idle_until: isoTime(session.idleUntil),
            ends_at: isoTime(session.endsAt),
            factor: { method: session.factor.method, at: isoTime(session.factor.at) },
          },
          environment: c.env.ENVIRONMENT,
        },
        200,
      );
    },
  );
}

function startSession(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'console', session: 'none' }, bucket: 'public' },
    createRoute({
      method: 'post',
      path: '/v1/session',
      summary: 'Begin to sign in',
      request: { body: bodyOf(Start) },
      responses: {
        200: jsonOf('Where the browser goes to sign in.', z.object({ location: z.url() })),
      },
    }),
    async (c) => {
      const current = consoleCookie(c, 'session');
      const before = current === undefined ? null : await sha256Hex(current);
      const begun = await beginSignIn(c.env, { returnTo: c.req.valid('json').return_to, before });
      if (begun === null)
        return failure(
          c,
          apiError('SERVICE_UNAVAILABLE', 'the identity provider does not answer; please repeat', {
            reason: 'provider_unavailable',
          }),
        );
      giveConsoleCookie(c, 'sign-in', begun.kept);
      return c.json({ location: begun.location }, 200);
    },
  );
}

const Answer = z.object({
  code: z.string().max(2_048).optional(),
  state: z.string().max(256).optional(),
  iss: z.string().max(512).optional(),
  error: z.string().max(100).optional(),
});

/** Why a sign-in came to nothing, as the page of the app says it. */
type Problem = 'state' | 'issuer' | 'denied' | 'refused' | 'unavailable';

/** The provider sends the browser here. Whatever does not fit together leads to the page where a sign-in begins, and says no more than that. */
function finishSignIn(profile: Profile): void {
  registerRoute(
    profile,
    {
      access: { credential: 'console', session: 'none' },
      bucket: 'public',
      fromElsewhere: true,
      passesOverQuery: 'RFC 6749, 4.1.2: unknown parameters of the answer are ignored',
    },
    createRoute({
      method: 'get',
      path: '/v1/session/callback',
      summary: 'End of a sign-in',
      description: `The identity provider sends the browser here. It goes on to where it wanted to, or to \`${SIGN_IN_PAGE}?problem=\` with \`state\`, \`issuer\`, \`denied\`, \`refused\` or \`unavailable\`.`,
      request: { query: Answer },
      responses: { 302: { description: 'A page of the console.' } },
    }),
    async (c) => {
      const { code, state, iss, error } = c.req.valid('query');
      const kept = consoleCookie(c, 'sign-in');
      const signIn = kept === undefined || state === undefined ? null : await signInOf(c.env, kept, state);
      // An answer that belongs to no sign-in of this browser leaves the one that is under way.
      if (signIn === null) return backToSignIn(c, 'state');
      // Once: whatever comes of it, the same answer is no good again.
      takeConsoleCookie(c, 'sign-in');
      // RFC 9207, 2.4: an answer of another provider is none. Ours always says who it is.
      if (iss !== c.env.IAM_ISSUER) return backToSignIn(c, 'issuer');
      if (error !== undefined || code === undefined)
        return backToSignIn(c, error === 'access_denied' ? 'denied' : 'refused');
      const from = {
        clientAddress: clientAddressOf(c),
        device: deviceWords(c.req.header('user-agent')),
        later: (work: Promise<unknown>) => c.executionCtx.waitUntil(work),
      };
      const { verifier, nonce, returnTo, startedAt, before } = signIn;
      const bought = await buyTokens(c.env, { code, verifier, nonce, startedAt }, from);
      if (bought.type !== 'bought') return backToSignIn(c, bought.type);
      giveConsoleCookie(c, 'session', await beginBrowserSession(c.env, bought));
      // By its name in what is sealed: the cookie itself is not sent where the provider is another site.
      if (before !== null) await endBrowserSession(c.env, before, 'signed_out');
      return c.redirect(isReturnPath(returnTo) ? returnTo : '/', 302);
    },
  );
}

function backToSignIn(c: AppContext, problem: Problem) {
  return c.redirect(`${SIGN_IN_PAGE}?problem=${problem}`, 302);
}

function endSession(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'console', session: 'none' }, bucket: 'public' },
    createRoute({
      method: 'delete',
      path: '/v1/session',
      summary: 'Sign out of this browser',
      description: 'Its tokens end, and its feeds close. One that has ended already is signed out as well.',
      responses: { 204: { description: 'Nobody is signed in with this browser.' } },
    }),
    async (c) => {
      const token = consoleCookie(c, 'session');
      if (token !== undefined) await endBrowserSession(c.env, await sha256Hex(token), 'signed_out');
      takeConsoleCookie(c, 'session');
      return c.body(null, 204);
    },
  );
}

function endSessions(profile: Profile, load: LoadProfile): void {
  registerRoute(
    profile,
    { access: { credential: 'console', session: 'own' }, bucket: 'private' },
    createRoute({
      method: 'delete',
      path: '/v1/sessions',
      summary: 'Sign out everywhere',
      description:
        'Ends every session of the person: at the console and, of the embedded identity provider, with every other application.',
      responses: { 204: { description: 'All have ended.' } },
    }),
    async (c) => {
      const iam = await load('iam');
      const answer = await callInProcess(c, iam, { segment: 'iam', path: '/v1/sessions', method: 'DELETE' });
      // Another provider’s people may be unknown to ours.
      const isEnded = answer.ok || answer.status === 404;
      if (!isEnded || !(await endBrowserSessionsOf(c.env, principalOf(c).userId, 'signed_out')))
        return failure(
          c,
          apiError('SERVICE_UNAVAILABLE', 'the sessions could not be ended; please repeat', {
            reason: 'sessions_not_ended',
          }),
        );
      takeConsoleCookie(c, 'session');
      return c.body(null, 204);
    },
  );
}
