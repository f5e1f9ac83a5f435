import { createRoute, z } from '@hono/zod-openapi';
import { endConsent } from '../../../application/identity/authorization/own-consents.ts';
import {
  endBrowser,
  sessionOfBrowser,
  signOutBrowser,
} from '../../../application/identity/authorization/sign-in-browser.ts';
import { type Ceremony, newChallenge } from '../../../application/identity/factors/challenge.ts';
import {
  addOwnPasskey,
  confirmOwnTotp,
  type FactorOwner,
  makeOwnRecoveryCodes,
  removeOwnPasskey,
  removeOwnTotp,
  stopOwnRecovery,
} from '../../../application/identity/factors/own-factors.ts';
import { PASSKEY_ALGORITHMS, relyingParty } from '../../../application/identity/factors/passkeys.ts';
import { beginTotpEnrolment, secretToEnrol } from '../../../application/identity/factors/totp.ts';
import { isInForce } from '../../../application/identity/keys/is-in-force.ts';
import { endOwnSession, endOwnSessions } from '../../../application/identity/sessions/own-sessions.ts';
import {
  askForAddress,
  confirmAddress,
  ownAddress,
  stopAddress,
} from '../../../application/mail/change-mail-address.ts';
import { database } from '../../../data/database.ts';
import { listApiKeys } from '../../../data/identity/api-keys.ts';
import { type BrowserSession, listBrowserSessions } from '../../../data/identity/browser-sessions.ts';
import { listClientConsents } from '../../../data/identity/client-consents.ts';
import { findWaitingRecovery } from '../../../data/identity/factor-recoveries.ts';
import { findEnrolled, listPasskeys } from '../../../data/identity/factors.ts';
import { listSessions } from '../../../data/identity/sessions.ts';
import { findUser } from '../../../data/identity/users.ts';
import { MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { FACTOR_NAME_LENGTH_MAX, factorChangeMs, PASSKEYS_MAX } from '../../../domain/identity/factors.ts';
import { totpAddress, typedTotp } from '../../../domain/identity/totp.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerError, answerPage } from '../authorize/answer-page.ts';
import { PAGE } from '../authorize/authorize-routes.ts';
import { cookieOf, takeCookie } from '../authorize/cookies.ts';
import { fieldsOf } from '../authorize/limits-form.ts';
import { FIELD_LENGTH_MAX } from '../authorize/pages.ts';
import {
  askToSignIn,
  formTerms,
  isFreshSession,
  isOurForm,
  isSignInStep,
  SIGN_IN_STEPS,
  seeOther,
  signInFields,
  takeSignInStep,
  text,
} from '../authorize/sign-in-steps.ts';
import { languageOf } from '../authorize/texts.ts';
import { callerOf } from '../caller-of.ts';
import { recoveryCodesPage, type SecurityPage, type SeenConsent, securityPage } from './security-pages.ts';

const SECURITY_PATH = '/security';

/** Sessions that the page has room for, of those without an end of their own. */
const SESSIONS_SHOWN = 50;

/** Steps that ask for a fresh factor: they change what opens the account. */
const WEIGHTY_STEPS = [
  'passkey_add',
  'passkey_remove',
  'totp_begin',
  'totp_confirm',
  'totp_remove',
  'recovery_make',
  'mail_ask',
  'mail_confirm',
] as const;
/** Ending what somebody else may hold asks for nothing more than a browser that is signed in. */
const ENDING_STEPS = [
  'session_end',
  'browser_end',
  'sessions_end',
  'consent_end',
  'recovery_stop',
  'mail_stop',
  'sign_out',
  'confirm',
] as const;

type WeightyStep = (typeof WEIGHTY_STEPS)[number];
type EndingStep = (typeof ENDING_STEPS)[number];

const Form = z.object({
  ...signInFields,
  step: z.enum([...SIGN_IN_STEPS, ...WEIGHTY_STEPS, ...ENDING_STEPS]),
  id: text(1_400),
  name: text(FACTOR_NAME_LENGTH_MAX),
  mail: text(FIELD_LENGTH_MAX),
  mail_code: text(FIELD_LENGTH_MAX),
});

type Fields = z.infer<typeof Form>;

const MAIL_FAILED = { malformed: 'mail', same: 'mailSame', limited: 'mailLimited', unavailable: 'away' } as const;

const NOBODY = { clientName: null } as const;

const DONE = [
  'passkey_added',
  'passkey_removed',
  'totp_added',
  'totp_removed',
  'recovery_stopped',
  'mail_asked',
  'mail_waits',
  'mail_done',
  'mail_stopped',
  'ended',
] as const;

/** The page of a person's factors, sessions and consents. */
export function securityRoutes(iam: Profile): void {
  const responses = { 200: { description: 'A page' } };
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public', ...PAGE },
    createRoute({ method: 'get', path: SECURITY_PATH, hide: true, responses }),
    async (c) => {
      const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
      if (session === null) return askToSignIn(c, NOBODY);
      const done = c.req.query('done');
      return show(c, session, { done: DONE.find((known) => known === done) ?? null });
    },
  );
  registerRoute(
    iam,
    { access: { credential: 'oauth' }, bucket: 'public', ...PAGE },
    createRoute({
      method: 'post',
      path: SECURITY_PATH,
      hide: true,
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses,
    }),
    async (c) => {
      const fields = c.req.valid('form');
      const { step } = fields;
      if (!(await isOurForm(c, step, fields.form_token))) return answerError(c, 'form', 403);
      if (isSignInStep(step)) return takeSignInStep(c, step, NOBODY, fields);
      const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
      if (session === null) return askToSignIn(c, NOBODY);
      const ending = ENDING_STEPS.find((known) => known === step);
      if (ending !== undefined) return end(c, session, ending, fields);
      if (!(await mayChange(c, session))) return askToSignIn(c, NOBODY, { again: true });
      return change(c, session, step as WeightyStep, fields);
    },
  );
}

async function change(
  c: AppContext,
  session: BrowserSession,
  step: WeightyStep,
  { credential, name, id, code, mail, mail_code: mailCode }: Fields,
): Promise<FailureResponse> {
  const owner = ownerOf(c, session);
  switch (step) {
    case 'passkey_add': {
      const terms = { ceremony: ceremonyOf(c), written: credential, name };
      if (await addOwnPasskey(c.env, owner, terms)) return done('passkey_added');
      const { passkeys } = await findEnrolled(database(c.env.DB), session.userId);
      return show(c, session, { failed: passkeys >= PASSKEYS_MAX ? 'passkeysFull' : 'passkey' });
    }
    case 'passkey_remove':
      return (await removeOwnPasskey(c.env, owner, id))
        ? done('passkey_removed')
        : show(c, session, { failed: 'gone' });
    case 'totp_begin':
      return (await beginTotpEnrolment(c.env, session)) ? done('') : show(c, session, { failed: 'gone' });
    case 'totp_confirm': {
      const typed = typedTotp(code);
      const isConfirmed = typed !== null && (await confirmOwnTotp(c.env, owner, typed));
      return isConfirmed ? done('totp_added') : show(c, session, { failed: 'code' });
    }
    case 'totp_remove':
      return (await removeOwnTotp(c.env, owner)) ? done('totp_removed') : show(c, session, { failed: 'gone' });
    case 'recovery_make': {
      const codes = await makeOwnRecoveryCodes(c.env, owner);
      if (codes === null) return show(c, session, { failed: 'gone' });
      return answerPage(c, recoveryCodesPage(owner.language, codes), {});
    }
    case 'mail_ask': {
      const asked = await askForAddress(c.env, owner, mail);
      return asked.ok ? done('mail_asked') : show(c, session, { failed: MAIL_FAILED[asked.error], mail });
    }
    case 'mail_confirm': {
      const confirmed = await confirmAddress(c.env, owner, mailCode);
      return confirmed === 'wrong' ? show(c, session, { failed: 'mailCode' }) : done(`mail_${confirmed}`);
    }
  }
  function done(what: (typeof DONE)[number] | ''): FailureResponse {
    return seeOther(c, what === '' ? '?' : `?done=${what}`);
  }
}

function ownerOf(c: AppContext, session: BrowserSession): FactorOwner {
  return { session, caller: callerOf(c), language: languageOf(c.req.header('accept-language')) };
}

/** What opens the account is changed by a factor of the last minutes, also where nothing else asks for an age. */
function mayChange(c: AppContext, session: BrowserSession): Promise<boolean> {
  return isFreshSession(c, session, factorChangeMs(c.env.STEP_UP_MINUTES));
}

async function end(c: AppContext, session: BrowserSession, step: EndingStep, { id }: Fields): Promise<FailureResponse> {
  const { userId } = session;
  const answer = (isEnded: boolean) => (isEnded ? seeOther(c, '?done=ended') : show(c, session, { failed: 'gone' }));
  switch (step) {
    case 'confirm':
      return askToSignIn(c, NOBODY, { again: true });
    case 'session_end':
      return answer(await endOwnSession(c.env, userId, id));
    case 'browser_end':
      return answer(await endBrowser(c.env, { userId, hash: id }, callerOf(c)));
    case 'consent_end': {
      const ended = await endConsent(c.env, userId, id);
      if (ended.ok) return answer(true);
      return show(c, session, { failed: ended.error.code === 'NOT_FOUND' ? 'gone' : 'away' });
    }
    case 'recovery_stop':
      return (await stopOwnRecovery(c.env, ownerOf(c, session)))
        ? seeOther(c, '?done=recovery_stopped')
        : show(c, session, { failed: 'gone' });
    case 'mail_stop':
      return (await stopAddress(c.env, ownerOf(c, session)))
        ? seeOther(c, '?done=mail_stopped')
        : show(c, session, { failed: 'gone' });
    case 'sessions_end':
      await endOwnSessions(c.env, userId);
      takeCookie(c, 'session');
      return seeOther(c, '?');
    case 'sign_out':
      await signOutBrowser(c.env, session);
      takeCookie(c, 'session');
      return seeOther(c, '?');
  }
}

async function show(
  c: AppContext,
  session: BrowserSession,
  { done = null, failed = null, mail = '' }: Partial<Pick<SecurityPage, 'done' | 'failed'> & { readonly mail: string }>,
): Promise<FailureResponse> {
  const db = database(c.env.DB);
  const { userId } = session;
  const now = Date.now();
  const user = await findUser(db, userId);
  const { totp, recoveryCodesLeft } = await findEnrolled(db, userId);
  const passkeys = await listPasskeys(db, userId);
  const isFresh = await mayChange(c, session);
  const secret = totp || !isFresh ? null : await secretToEnrol(c.env, session);
  const rp = relyingParty(c.env);
  const name = user?.name ?? '';
  const issuer = new URL(c.env.IAM_ISSUER).host;
  const page = securityPage({
    ...(await formTerms(c, cookieOf(c, 'session') ?? '')),
    userName: name,
    staleMinutes: isFresh ? null : factorChangeMs(c.env.STEP_UP_MINUTES) / MINUTE_MS,
    done,
    failed,
    passkeys,
    passkey: {
      challenge: await newChallenge(c.env, ceremonyOf(c)),
      rpId: rp.id,
      rpName: issuer,
      user: { id: userId, name, displayName: name },
      algorithms: PASSKEY_ALGORITHMS,
      exclude: passkeys.map(({ id }) => id),
    },
    totp: totp ? 'on' : secret === null ? 'none' : { secret, address: totpAddress(secret, { issuer, label: name }) },
    recoveryCodesLeft,
    mail: { ...(await ownAddress(c.env, userId, { isFresh })), written: mail },
    browsers: await listBrowserSessions(db, userId, now),
    thisBrowser: session.hash,
    sessions: await listSessions(db, userId, now, SESSIONS_SHOWN),
    consents: await seenConsents(c.env, userId),
    recoveryDueAt: (await findWaitingRecovery(db, userId))?.dueAt ?? null,
    mayStopRecovery: session.method !== 'code',
  });
  return answerPage(c, page, { status: failed === null ? 200 : 400 });
}

/** What a person has allowed, with the limits of the keys that it acts under. */
async function seenConsents(env: Env, userId: string): Promise<SeenConsent[]> {
  const db = database(env.DB);
  const consents = await listClientConsents(db, userId);
  const keys = consents.some(({ keyId }) => keyId !== null) ? await listApiKeys(db, userId) : [];
  const keyOf = new Map(keys.map((key) => [key.id, key]));
  return Promise.all(
    consents.map(async (consent) => {
      const key = keyOf.get(consent.keyId ?? '') ?? null;
      const isOver = key !== null && !isInForce(env, key, Date.now());
      return { ...consent, limits: key === null || isOver ? null : await fieldsOf(db, key), isOver };
    }),
  );
}

/** Of a passkey that is to be made: it belongs to the browser that is signed in. */
function ceremonyOf(c: AppContext): Ceremony {
  return { purpose: 'enrol', browser: cookieOf(c, 'session') ?? '', query: '' };
}
