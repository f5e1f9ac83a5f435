import { z } from '@hono/zod-openapi';
import { formTokenOf, isFormToken } from '../../../application/identity/authorization/form-token.ts';
import {
  browserClient,
  sessionOfBrowser,
  signInBrowser,
  signInByPasskey,
  signInBySecondFactor,
  signOutBrowser,
} from '../../../application/identity/authorization/sign-in-browser.ts';
import { type Ceremony, newChallenge } from '../../../application/identity/factors/challenge.ts';
import { CREDENTIAL_LENGTH_MAX, relyingParty } from '../../../application/identity/factors/passkeys.ts';
import { type FirstStep, firstStepOf, firstStepProof } from '../../../application/identity/factors/second-step.ts';
import { issueOneTimeCode } from '../../../application/identity/one-time-code/issue-one-time-code.ts';
import { numberAsKept } from '../../../application/identity/one-time-code/number-as-kept.ts';
import { otpSenderOf } from '../../../application/identity/one-time-code/otp-sender-of.ts';
import { database } from '../../../data/database.ts';
import type { BrowserSession } from '../../../data/identity/browser-sessions.ts';
import { findEnrolled } from '../../../data/identity/factors.ts';
import { signedInQuery } from '../../../domain/identity/authorization-request.ts';
import { hasSecondFactor, isFresh, stepUpMs } from '../../../domain/identity/factors.ts';
import { phoneNumberOf } from '../../../domain/identity/phone-number.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { callerOf } from '../caller-of.ts';
import { answerError, answerPage } from './answer-page.ts';
import { cookieOf, formHolderOf, giveCookie, takeCookie } from './cookies.ts';
import { codePage, FIELD_LENGTH_MAX, type PasskeyTerms, phonePage, secondPage } from './pages.ts';
import { queryOf } from './read-request.ts';
import { languageOf } from './texts.ts';

/** Why somebody signs in on a page. */
export interface SignInFor {
  /** Null where nobody has looked yet who asks, and where nobody does. */
  readonly clientName: string | null;
  /** Where the client is answered, if one has asked. */
  readonly redirectUri?: string;
}

export const SIGN_IN_STEPS = ['phone', 'code', 'second', 'passkey'] as const;

type SignInStep = (typeof SIGN_IN_STEPS)[number];

export const text = (length: number) => z.string().max(length).default('');

/** What the forms of signing in have. */
export const signInFields = {
  form_token: text(100),
  phone: text(FIELD_LENGTH_MAX),
  code: text(FIELD_LENGTH_MAX),
  proof: text(FIELD_LENGTH_MAX),
  credential: text(CREDENTIAL_LENGTH_MAX),
};

interface SignInFields {
  readonly phone: string;
  readonly code: string;
  readonly proof: string;
  readonly credential: string;
}

export function isSignInStep(step: string): step is SignInStep {
  return SIGN_IN_STEPS.some((known) => known === step);
}

/** Sent by a page of ours, in the browser that it was shown to, for the request that it was shown for. */
export async function isOurForm(c: AppContext, step: string, token: string): Promise<boolean> {
  if (c.req.header('origin') !== new URL(c.env.IAM_ISSUER).origin) return false;
  const browser = cookieOf(c, isSignInStep(step) ? 'form' : 'session') ?? '';
  return isFormToken(c.env, { browser, query: queryOf(c) }, token);
}

export async function formTerms(c: AppContext, browser: string) {
  const query = queryOf(c);
  const language = languageOf(c.req.header('accept-language'));
  return { language, query, formToken: await formTokenOf(c.env, { browser, query }) };
}

/** 303, so that no browser sends a form on (RFC 9700, 4.12). */
export function seeOther(c: AppContext, location: string): FailureResponse {
  return c.body(null, 303, { location }) as unknown as FailureResponse;
}

/** Whether the person has signed in within the minutes that what weighs asks for, and by more than a code by SMS where they have more. */
export async function isFreshSession(
  c: AppContext,
  { userId, createdAt, method }: BrowserSession,
  maxAgeMs = stepUpMs(c.env.STEP_UP_MINUTES),
): Promise<boolean> {
  if (!isFresh(createdAt, maxAgeMs, Date.now())) return false;
  return method !== 'code' || !hasSecondFactor(await findEnrolled(database(c.env.DB), userId));
}

/** The first page: a passkey, or a phone number. */
export async function askToSignIn(
  c: AppContext,
  { clientName, redirectUri }: SignInFor,
  shown: { readonly phone?: string; readonly wrong?: 'phone' | 'passkey'; readonly again?: boolean } = {},
): Promise<FailureResponse> {
  const browser = formHolderOf(c);
  const form = await formTerms(c, browser);
  const { phone = '', wrong, again = false } = shown;
  const page = phonePage({
    ...form,
    clientName,
    phone,
    again,
    wrong: wrong === 'phone',
    passkeyWrong: wrong === 'passkey',
    // From the page that an application has led to, whose address sign-up takes along.
    maySignUp: redirectUri !== undefined && (c.env.SIGNUP_ORGANIZATION as string) !== '',
    passkey: await passkeyTerms(c, browser),
  });
  return answerPage(c, page, { status: wrong === undefined ? 200 : 400, ...target(redirectUri) });
}

/** Takes a step of signing in. Known and unknown numbers are answered alike. */
export function takeSignInStep(
  c: AppContext,
  step: SignInStep,
  signIn: SignInFor,
  fields: SignInFields,
): Promise<FailureResponse> {
  switch (step) {
    case 'phone':
      return sendCode(c, signIn, fields);
    case 'code':
      return trySignIn(c, signIn, fields);
    case 'second':
      return trySecond(c, signIn, fields);
    case 'passkey':
      return tryPasskey(c, signIn, fields);
  }
}

async function sendCode(
  c: AppContext,
  signIn: SignInFor,
  { phone: written }: Pick<SignInFields, 'phone'>,
): Promise<FailureResponse> {
  const phone = phoneNumberOf(written);
  const kept = phone === null ? null : await numberAsKept(database(c.env.DB), phone);
  if (phone === null || kept === null) return askToSignIn(c, signIn, { phone: written, wrong: 'phone' });
  const sender = otpSenderOf(c.env);
  if (sender === null) return answerError(c, 'unavailable', 503);
  const code = await issueOneTimeCode(kept, clientAddressOf(c), c.env, browserClient(c.env));
  if (code.issued) c.executionCtx.waitUntil(code.deliver(sender));
  return askForCode(c, signIn, { phone, wrong: false, retryAfter: code.issued ? null : code.retryAfter });
}

async function askForCode(
  c: AppContext,
  { redirectUri }: SignInFor,
  shown: { readonly phone: string; readonly wrong: boolean; readonly retryAfter: number | null },
): Promise<FailureResponse> {
  const form = await formTerms(c, formHolderOf(c));
  return answerPage(c, codePage({ ...form, ...shown }), { status: shown.wrong ? 400 : 200, ...target(redirectUri) });
}

async function trySignIn(c: AppContext, signIn: SignInFor, { phone, code }: SignInFields): Promise<FailureResponse> {
  const outcome = await signInBrowser(c.env, { phone, written: code.trim() }, callerOf(c));
  if (outcome === null) return askForCode(c, signIn, { phone, wrong: true, retryAfter: null });
  return outcome.type === 'signed_in' ? goOnWith(c, outcome.token) : askForSecond(c, signIn, outcome.first, false);
}

async function askForSecond(
  c: AppContext,
  { redirectUri }: SignInFor,
  first: FirstStep,
  wrong: boolean,
): Promise<FailureResponse> {
  const browser = formHolderOf(c);
  const form = await formTerms(c, browser);
  const page = secondPage({
    ...form,
    proof: await firstStepProof(c.env, { browser, query: form.query }, first),
    enrolled: await findEnrolled(database(c.env.DB), first.userId),
    passkey: await passkeyTerms(c, browser),
    wrong,
  });
  return answerPage(c, page, { status: wrong ? 400 : 200, ...target(redirectUri) });
}

async function trySecond(c: AppContext, signIn: SignInFor, { proof, code }: SignInFields): Promise<FailureResponse> {
  const of = { browser: cookieOf(c, 'form') ?? '', query: queryOf(c) };
  const first = await firstStepOf(c.env, of, proof);
  if (first === null) return answerError(c, 'form', 403);
  const token = await signInBySecondFactor(c.env, first, code, callerOf(c));
  return token === null ? askForSecond(c, signIn, first, true) : goOnWith(c, token);
}

async function tryPasskey(c: AppContext, signIn: SignInFor, { credential }: SignInFields): Promise<FailureResponse> {
  const ceremony = ceremonyOf(c, cookieOf(c, 'form') ?? '');
  const token = await signInByPasskey(c.env, ceremony, credential, callerOf(c));
  return token === null ? askToSignIn(c, signIn, { wrong: 'passkey' }) : goOnWith(c, token);
}

/** A session of its own for each signing in, so that nobody else can have put it there. */
async function goOnWith(c: AppContext, token: string): Promise<FailureResponse> {
  const before = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
  if (before !== null) await signOutBrowser(c.env, before);
  giveCookie(c, 'session', token);
  takeCookie(c, 'form');
  return seeOther(c, `?${signedInQuery(new URLSearchParams(queryOf(c)))}`);
}

function ceremonyOf(c: AppContext, browser: string): Ceremony {
  return { purpose: 'sign_in', browser, query: queryOf(c) };
}

async function passkeyTerms(c: AppContext, browser: string): Promise<PasskeyTerms> {
  return { challenge: await newChallenge(c.env, ceremonyOf(c, browser)), rpId: relyingParty(c.env).id };
}

function target(redirectUri: string | undefined): { readonly redirectUri?: string } {
  return redirectUri === undefined ? {} : { redirectUri };
}
