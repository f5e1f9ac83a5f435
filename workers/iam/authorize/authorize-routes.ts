import { createRoute, z } from '@hono/zod-openapi';
import { CONSOLE_SCOPE } from '../../../application/console/console-client.ts';
import {
  allowClient,
  allowedBefore,
  codeFor,
  isAllowed,
  type ProvedRequest,
} from '../../../application/identity/authorization/allow-client.ts';
import { signOutBrowser } from '../../../application/identity/authorization/sign-in-browser.ts';
import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import type { ClientConsent } from '../../../data/identity/client-consents.ts';
import { findUser } from '../../../data/identity/users.ts';
import type { Asker, AuthorizationRefusal } from '../../../domain/identity/authorization-request.ts';
import { answeredAt } from '../../../domain/identity/redirect-uri.ts';
import { ok } from '../../../domain/result.ts';
import type { ApiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { RouteOptions } from '../../middleware/registered-route.ts';
import { type FailureResponse, STATUS_OF } from '../../responses/failure.ts';
import { answerError, answerPage, type PageStatus } from './answer-page.ts';
import { cookieOf, takeCookie } from './cookies.ts';
import { ASSET_ROWS, fieldsOf, limitsOf } from './limits-form.ts';
import { type AssetProblems, consentPage, FIELD_LENGTH_MAX, type LimitFields, type LimitProblems } from './pages.ts';
import { queryOf, type ReadRequest, readRequest } from './read-request.ts';
import {
  askToSignIn,
  formTerms,
  isFreshSession,
  isOurForm,
  isSignInStep,
  SIGN_IN_STEPS,
  type SignInFor,
  seeOther,
  signInFields,
  takeSignInStep,
  text,
} from './sign-in-steps.ts';

export const AUTHORIZE_PATH = '/api/login/oauth/authorize';

const ASSET_FIELDS = ['asset', 'position', 'order'] as const;

/** A field of a row of the limits by asset, such as `asset_1`. */
type AssetField = `${(typeof ASSET_FIELDS)[number]}_${(typeof ASSET_ROWS)[number]}`;

/** The union of what the forms have. */
const Form = z.object({
  ...signInFields,
  step: z.enum([...SIGN_IN_STEPS, 'allow']),
  answer: z.enum(['allow', 'deny', 'other']).default('deny'),
  may_trade: text(3),
  symbols: text(FIELD_LENGTH_MAX),
  daily_notional: text(FIELD_LENGTH_MAX),
  daily_loss: text(FIELD_LENGTH_MAX),
  until: text(FIELD_LENGTH_MAX),
  ...(Object.fromEntries(
    ASSET_ROWS.flatMap((row) => ASSET_FIELDS.map((name) => [`${name}_${row}`, text(FIELD_LENGTH_MAX)])),
  ) as Record<AssetField, ReturnType<typeof text>>),
});

type Fields = z.infer<typeof Form>;

export const PAGE: Pick<RouteOptions, 'refused' | 'invalid' | 'passesOverQuery'> = {
  passesOverQuery: 'OAuth 2.1, 4.1.1: unknown parameters are ignored; those that are known are read by their own rules',
  refused: (c, error) => answerError(c, error.code === 'RATE_LIMIT_EXCEEDED' ? 'limited' : 'request', statusOf(error)),
  invalid: (c) => answerError(c, 'form', 400) as unknown as Response,
};

/** The authorization endpoint (OAuth 2.1, 4.1.1): sign-in, consent, and the answer to the client. */
export function authorizeRoutes(iam: Profile): void {
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public', ...PAGE },
    createRoute({
      method: 'get',
      path: AUTHORIZE_PATH,
      hide: true,
      responses: { 200: { description: 'A page, or the way back to the client' } },
    }),
    async (c) => answer(c, await readRequest(c)),
  );
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public', ...PAGE },
    createRoute({
      method: 'post',
      path: AUTHORIZE_PATH,
      hide: true,
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses: { 200: { description: 'A page, or the way back to the client' } },
    }),
    async (c) => {
      const fields = c.req.valid('form');
      if (!(await isOurForm(c, fields.step, fields.form_token))) return answerError(c, 'form', 403);
      const read = await readRequest(c);
      if (read.type === 'unproved' || read.type === 'refused') return answer(c, read);
      if (isSignInStep(fields.step)) return takeSignInStep(c, fields.step, signInOf(read), fields);
      return read.type === 'signed_in' ? decide(c, read, fields) : answer(c, read);
    },
  );
}

async function answer(c: AppContext, read: ReadRequest): Promise<FailureResponse> {
  switch (read.type) {
    case 'unproved':
      return answerError(c, read.error, 400);
    case 'refused':
      return refuse(c, read.asker, read.refusal);
    case 'signed_out':
      return askToSignIn(c, signInOf(read));
    case 'signed_in':
      return askOrAnswer(c, read.session, read.request);
  }
}

/** Of a browser that is signed in: at once, where the person has allowed it before. */
async function askOrAnswer(c: AppContext, session: BrowserSession, request: ProvedRequest): Promise<FailureResponse> {
  const before = await allowedBefore(c.env, session.userId, request);
  if (request.client.isOurs === true) return answerOurs(c, session, request, before.consent);
  if (before.consent !== null && isAllowed(before, request, Date.now()))
    return giveCode(c, session, request, before.consent);
  if (request.terms.prompts.has('none') && request.client.kind !== 'venue' && before.consent === null)
    return answerError(c, 'withoutPage', 400);
  if (request.terms.prompts.has('none'))
    return refuse(c, request.asker, { error: 'consent_required', description: 'the person has to be asked' });
  if (!(await isFreshSession(c, session))) return askToSignIn(c, signInFor(request), { again: true });
  return askForConsent(c, session, request, {
    limits: await fieldsOf(database(c.env.DB), before.key),
    problems: {},
  });
}

const OURS = CONSOLE_SCOPE.split(' ') as ProvedRequest['terms']['scope'];

/** Our own console is no other party: what it may is written down, so that it can be seen and ended, and nobody is asked. */
async function answerOurs(
  c: AppContext,
  session: BrowserSession,
  request: ProvedRequest,
  before: ClientConsent | null,
): Promise<FailureResponse> {
  if (!request.terms.scope.every((scope) => OURS.includes(scope)))
    return refuse(c, request.asker, { error: 'invalid_scope', description: `the console asks for ${OURS.join(', ')}` });
  // All of it, however little this request asks for: a link to a request for less would end the sessions that there are.
  const allowed = before?.scope.split(' ') ?? [];
  const covers = before !== null && OURS.every((scope) => allowed.includes(scope));
  const whole = { ...request, terms: { ...request.terms, scope: OURS } };
  const consent = covers ? ok(before) : await allowClient(c.env, session, whole, null);
  if (consent.ok) return giveCode(c, session, request, consent.value);
  return refuse(c, request.asker, { error: 'access_denied', description: 'the browser is not signed in any more' });
}

function signInOf(read: Extract<ReadRequest, { type: 'signed_out' | 'signed_in' }>): SignInFor {
  if (read.type === 'signed_out') return { clientName: read.clientName, redirectUri: read.asker.redirectUri };
  return signInFor(read.request);
}

function signInFor({ client, asker }: ProvedRequest): SignInFor {
  return { clientName: client.name, redirectUri: asker.redirectUri };
}

async function askForConsent(
  c: AppContext,
  session: BrowserSession,
  { client, asker, terms, target }: ProvedRequest,
  { limits, problems }: { readonly limits: LimitFields; readonly problems: LimitProblems },
): Promise<FailureResponse> {
  const form = await formTerms(c, cookieOf(c, 'session') ?? '');
  const { redirectUri } = asker;
  const page = consentPage({
    ...form,
    client,
    redirectUri,
    userName: (await findUser(database(c.env.DB), session.userId))?.name ?? '',
    scope: terms.scope,
    target: target.kind,
    limits: target.kind === 'agent' ? limits : null,
    problems,
  });
  return answerPage(c, page, { redirectUri, status: Object.keys(problems).length > 0 ? 400 : 200 });
}

async function decide(
  c: AppContext,
  { session, request }: Extract<ReadRequest, { type: 'signed_in' }>,
  fields: Fields,
): Promise<FailureResponse> {
  if (fields.answer === 'deny')
    return refuse(c, request.asker, { error: 'access_denied', description: 'the person does not allow it' });
  if (fields.answer === 'other') {
    await signOutBrowser(c.env, session);
    takeCookie(c, 'session');
    return seeOther(c, `?${queryOf(c)}`);
  }
  if (!(await isFreshSession(c, session))) return askToSignIn(c, signInFor(request), { again: true });
  const written: LimitFields = {
    mayTrade: fields.may_trade === 'yes',
    symbols: fields.symbols,
    dailyNotional: fields.daily_notional,
    dailyLoss: fields.daily_loss,
    until: fields.until,
    assets: ASSET_ROWS.map((row) => ({
      asset: fields[`asset_${row}`],
      position: fields[`position_${row}`],
      order: fields[`order_${row}`],
    })),
  };
  const askAgain = (problems: LimitProblems) => askForConsent(c, session, request, { limits: written, problems });
  const limits = request.target.kind === 'agent' ? limitsOf(written) : null;
  if (limits !== null && !limits.ok) return askAgain(limits.error);
  const allowed = await allowClient(c.env, session, request, limits?.value ?? null);
  if (allowed.ok) return giveCode(c, session, request, allowed.value);
  const problems = problemsOf(allowed.error, rowsStated(written));
  return problems === null ? answerError(c, 'unavailable', 503) : askAgain(problems);
}

/** The rows that say something: what is allowed counts those alone. */
function rowsStated({ assets }: LimitFields): number[] {
  return assets.flatMap((row, i) => (Object.values(row).some((text) => text.trim() !== '') ? [i] : []));
}

/** What the person can do something about, beside the field that it is of. @param rows of the form, by the place of what they state */
function problemsOf({ code, details }: ApiError, rows: readonly number[]): LimitProblems | null {
  const inRow = (problem: AssetProblems): LimitProblems => {
    const row = rows[Number(details.row)];
    return { assets: ASSET_ROWS.map((_, i) => (i === row ? problem : {})) };
  };
  switch (code) {
    case 'ASSET_NOT_FOUND':
      return inRow({ asset: 'assetWrong' });
    case 'VALIDATION_ERROR':
      switch (details.field) {
        case 'asset':
          return inRow({ asset: 'assetTwice' });
        case 'positionLimits':
          return inRow({ position: 'quantityUnfit' });
        case 'orderSizeLimits':
          return inRow({ order: 'quantityUnfit' });
        case 'expiresAt':
          return { until: details.reason === 'past' ? 'untilPast' : 'untilFar' };
        default:
          return null;
      }
    case 'INVALID_SYMBOL':
      return { symbols: 'symbolsWrong' };
    case 'CONFLICT':
      return { all: 'keysFull' };
    case 'FORBIDDEN':
      return { all: 'noAccount' };
    default:
      return null;
  }
}

async function giveCode(
  c: AppContext,
  session: BrowserSession,
  request: ProvedRequest,
  consent: { readonly id: string; readonly keyId: string | null },
): Promise<FailureResponse> {
  const code = await codeFor(c.env, session, request, consent);
  if (code === null)
    return refuse(c, request.asker, { error: 'temporarily_unavailable', description: 'no code can be given now' });
  const { redirectUri, state } = request.asker;
  return seeOther(c, answeredAt(redirectUri, { code, state, iss: c.env.IAM_ISSUER }));
}

/** Tells a client that is proved why it gets no code. */
function refuse(
  c: AppContext,
  { redirectUri, state }: Asker,
  { error, description }: AuthorizationRefusal,
): FailureResponse {
  const parameters = { error, error_description: description, state, iss: c.env.IAM_ISSUER };
  return seeOther(c, answeredAt(redirectUri, parameters));
}

function statusOf({ code }: ApiError): PageStatus {
  const status: number = STATUS_OF[code];
  return ([400, 401, 403, 408, 413, 415, 429, 503] as const).find((known) => known === status) ?? 400;
}
