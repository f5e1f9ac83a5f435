import { createRoute, z } from '@hono/zod-openapi';
import { formTokenOf, isFormToken } from '../../../application/identity/authorization/form-token.ts';
import { sessionOfBrowser, signOutBrowser } from '../../../application/identity/authorization/sign-in-browser.ts';
import {
  beginSignUp,
  confirmMail,
  confirmPhone,
  finishSignUp,
  forgetPhone,
  hasSignedUp,
  mailAnotherCode,
  nameSignUp,
  type SignUp,
  sendPhoneCode,
  signUpOf,
  signUpOrganization,
} from '../../../application/onboarding/sign-up.ts';
import { QUERY_LENGTH_MAX } from '../../../domain/identity/authorization-request.ts';
import { phoneNumberOf } from '../../../domain/identity/phone-number.ts';
import { mailAddressOf, personNameOf } from '../../../domain/onboarding/sign-up.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerError, answerPage } from '../authorize/answer-page.ts';
import { cookieOf, formHolderOf, giveCookie, takeCookie } from '../authorize/cookies.ts';
import { FIELD_LENGTH_MAX } from '../authorize/pages.ts';
import { queryOf } from '../authorize/read-request.ts';
import { languageOf } from '../authorize/texts.ts';
import { callerOf } from '../caller-of.ts';
import { ONBOARDING_PAGE } from './onboarding-page.ts';
import { type Question, signUpNotice, signUpPage } from './sign-up-pages.ts';
import type { SignUpTexts } from './sign-up-texts.ts';

const SIGN_UP_PATH = '/sign-up';

const text = (length: number) => z.string().max(length).default('');

/** The union of what the forms have. */
const Form = z.object({
  form_token: text(100),
  step: z.enum(['mail', 'mail_code', 'name', 'phone', 'phone_code', 'finish']),
  answer: z.enum(['go', 'again', 'other']).default('go'),
  mail: text(FIELD_LENGTH_MAX),
  name: text(FIELD_LENGTH_MAX),
  phone: text(FIELD_LENGTH_MAX),
  code: text(100),
});

type Fields = z.infer<typeof Form>;

/** GET and POST /iam/sign-up: one question after the other, until there is an account (docs/design/onboarding.md#sign-up). */
export function signUpRoutes(iam: Profile): void {
  registerRoute(
    iam,
    ONBOARDING_PAGE,
    createRoute({ method: 'get', path: SIGN_UP_PATH, hide: true, responses: { 200: { description: 'A page' } } }),
    async (c) => {
      const refused = await refusal(c);
      if (refused !== null) return refused;
      const signUp = await signUpOf(c.env, cookieOf(c, 'sign-up'));
      if (signUp !== null) return ask(c, signUp, signUp.step);
      if (await hasSignedUp(c.env, cookieOf(c, 'sign-up'))) return signInNow(c);
      if ((await sessionOfBrowser(c.env, cookieOf(c, 'session'))) !== null) return seeOther(c, 'identity');
      return ask(c, null, 'mail');
    },
  );
  registerRoute(
    iam,
    ONBOARDING_PAGE,
    createRoute({
      method: 'post',
      path: SIGN_UP_PATH,
      hide: true,
      request: { body: { required: true, content: { 'application/x-www-form-urlencoded': { schema: Form } } } },
      responses: { 200: { description: 'A page' } },
    }),
    async (c) => {
      const refused = await refusal(c);
      if (refused !== null) return refused;
      const fields = c.req.valid('form');
      if (!(await isOurForm(c, fields))) return answerError(c, 'form', 403);
      if (fields.step === 'mail') return begin(c, fields);
      const signUp = await signUpOf(c.env, cookieOf(c, 'sign-up'));
      if (signUp === null) return seeOther(c, 'sign-up');
      return signUp.step === fields.step ? goOn(c, signUp, fields) : seeOther(c, 'sign-up');
    },
  );
}

async function refusal(c: AppContext): Promise<FailureResponse | null> {
  if (queryOf(c).length > QUERY_LENGTH_MAX) return answerError(c, 'request', 400);
  if ((await signUpOrganization(c.env)) !== null) return null;
  return answerPage(c, signUpNotice(languageOf(c.req.header('accept-language')), 'closed'), { status: 403 });
}

/** There is an account, and its person signs in by what opens it: at the end of the sign-up its browser was given a session, which a crash may have kept from it. */
function signInNow(c: AppContext): FailureResponse {
  takeCookie(c, 'sign-up');
  return seeOther(c, 'identity');
}

/** Forms belong to the sign-up of the browser once it has one. */
function holderOf(c: AppContext): string {
  return cookieOf(c, 'sign-up') ?? formHolderOf(c);
}

const formQuery = (c: AppContext): string => `sign-up?${queryOf(c)}`;

async function isOurForm(c: AppContext, { form_token: token }: Fields): Promise<boolean> {
  if (c.req.header('origin') !== new URL(c.env.IAM_ISSUER).origin) return false;
  const browser = cookieOf(c, 'sign-up') ?? cookieOf(c, 'form') ?? '';
  return isFormToken(c.env, { browser, query: formQuery(c) }, token);
}

async function ask(
  c: AppContext,
  signUp: SignUp | null,
  question: Question,
  { wrong, written }: { readonly wrong: keyof SignUpTexts | null; readonly written?: string } = { wrong: null },
): Promise<FailureResponse> {
  const formToken = await formTokenOf(c.env, { browser: holderOf(c), query: formQuery(c) });
  const language = languageOf(c.req.header('accept-language'));
  const value = written ?? knownTo(signUp, question);
  const shown = signUpPage(question, { language, formToken, query: queryOf(c), value, wrong });
  return answerPage(c, shown, { status: wrong === null ? 200 : 400 });
}

function knownTo(signUp: SignUp | null, question: Question): string {
  switch (question) {
    case 'mail':
      return '';
    case 'mail_code':
      return signUp?.mail ?? '';
    case 'phone':
    case 'phone_code':
      return signUp?.phone ?? '';
    case 'name':
    case 'finish':
      return signUp?.name ?? '';
  }
}

/** Known and unknown addresses are answered alike. */
async function begin(c: AppContext, { mail: written }: Fields): Promise<FailureResponse> {
  const language = languageOf(c.req.header('accept-language'));
  const mail = mailAddressOf(written);
  if (mail === null) return ask(c, null, 'mail', { wrong: 'mailWrong', written });
  const token = await beginSignUp(c.env, { mail, clientAddress: clientAddressOf(c), language });
  if (token === null) return answerPage(c, signUpNotice(language, 'limited'), { status: 429 });
  takeCookie(c, 'form');
  giveCookie(c, 'sign-up', token);
  return seeOther(c, 'sign-up');
}

async function goOn(c: AppContext, signUp: SignUp, fields: Fields): Promise<FailureResponse> {
  const language = languageOf(c.req.header('accept-language'));
  switch (signUp.step) {
    case 'mail_code': {
      if (fields.answer === 'other') {
        takeCookie(c, 'sign-up');
        return seeOther(c, 'sign-up');
      }
      if (fields.answer === 'again') {
        const isSent = await mailAnotherCode(c.env, signUp, language);
        return isSent ? seeOther(c, 'sign-up') : ask(c, signUp, 'mail_code', { wrong: 'tooSoon' });
      }
      const isRight = await confirmMail(c.env, signUp, fields.code);
      return isRight ? seeOther(c, 'sign-up') : ask(c, signUp, 'mail_code', { wrong: 'mailCodeWrong' });
    }
    case 'name': {
      const name = personNameOf(fields.name);
      if (name === null) return ask(c, signUp, 'name', { wrong: 'nameWrong', written: fields.name });
      await nameSignUp(c.env, signUp, name);
      return seeOther(c, 'sign-up');
    }
    case 'phone':
      return sendCode(c, signUp, fields);
    case 'phone_code': {
      if (fields.answer === 'other') {
        await forgetPhone(c.env, signUp);
        return seeOther(c, 'sign-up');
      }
      const isRight = await confirmPhone(c.env, signUp, fields.code, clientAddressOf(c));
      if (!isRight) return ask(c, signUp, 'phone_code', { wrong: 'phoneCodeWrong' });
      const confirmed = await signUpOf(c.env, cookieOf(c, 'sign-up'));
      return confirmed?.step === 'finish' ? finish(c, confirmed) : seeOther(c, 'sign-up');
    }
    case 'finish':
      return finish(c, signUp);
  }
}

async function sendCode(c: AppContext, signUp: SignUp, { phone: written }: Fields): Promise<FailureResponse> {
  const phone = phoneNumberOf(written);
  if (phone === null) return ask(c, signUp, 'phone', { wrong: 'phoneWrong', written });
  const sent = await sendPhoneCode(c.env, signUp, phone, callerOf(c));
  if (sent.ok) return seeOther(c, 'sign-up');
  if (sent.error === 'limited') return ask(c, signUp, 'phone', { wrong: 'phoneLimited', written });
  return answerError(c, 'unavailable', 503);
}

/** The browser gets a session of its own, whatever it had before. */
async function finish(c: AppContext, signUp: SignUp): Promise<FailureResponse> {
  const language = languageOf(c.req.header('accept-language'));
  const caller = callerOf(c);
  const finished = await finishSignUp(c.env, signUp, { requestId: c.get('requestId'), language, caller });
  if (!finished.ok && finished.error === 'taken') {
    // Another number may do; the one that is somebody's is told so by phone.
    await forgetPhone(c.env, signUp);
    return ask(c, { ...signUp, phone: '' }, 'phone', { wrong: 'taken' });
  }
  if (!finished.ok) return answerError(c, 'unavailable', 503);
  const before = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
  if (before !== null) await signOutBrowser(c.env, before);
  giveCookie(c, 'session', finished.value);
  takeCookie(c, 'sign-up');
  return seeOther(c, 'identity');
}

/** Another page of the provider's own, with the application's request that led here, so that the person comes back to it. */
function seeOther(c: AppContext, target: 'sign-up' | 'identity'): FailureResponse {
  const query = queryOf(c);
  return c.body(null, 303, { location: query === '' ? target : `${target}?${query}` }) as unknown as FailureResponse;
}
