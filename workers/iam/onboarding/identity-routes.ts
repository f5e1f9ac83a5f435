import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { formTokenOf, isFormToken } from '../../../application/identity/authorization/form-token.ts';
import { sessionOfBrowser } from '../../../application/identity/authorization/sign-in-browser.ts';
import {
  beginIdentity,
  countriesOf,
  type Identity,
  missingOf,
  showDocument,
  stateIdentity,
} from '../../../application/onboarding/identity.ts';
import { submitIdentity } from '../../../application/onboarding/submit-identity.ts';
import { QUERY_LENGTH_MAX } from '../../../domain/identity/authorization-request.ts';
import { IDENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import { DOCUMENT_BYTES_MAX, DOCUMENT_KINDS } from '../../../domain/onboarding/identity-documents.ts';
import { type FactName, type IdentityFacts, NOTHING_STATED } from '../../../domain/onboarding/identity-facts.ts';
import { isOpenToPerson, renewableFrom } from '../../../domain/onboarding/identity-state.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerError, answerPage } from '../authorize/answer-page.ts';
import { cookieOf } from '../authorize/cookies.ts';
import { queryOf } from '../authorize/read-request.ts';
import { languageOf } from '../authorize/texts.ts';
import { approvedUntil, reasonForPerson } from './identity-api-routes.ts';
import {
  FACTS_OF,
  IDENTITY_QUESTIONS,
  type IdentityQuestion,
  type IdentityStanding,
  identityNotice,
  KINDS_OF,
  questionPage,
  reviewPage,
  statePage,
} from './identity-pages.ts';
import { identityTexts } from './identity-texts.ts';
import { ONBOARDING_PAGE } from './onboarding-page.ts';

const IDENTITY_PATH = '/identity';
const FORM_BYTES_MAX = 64 * 1_024;

const text = z.string().max(200).optional();

/** The union of what the forms have. */
const Form = z.object({
  form_token: z.string().max(100).default(''),
  step: z.enum([...IDENTITY_QUESTIONS, 'review']),
  answer: z.enum(['go', 'submit', ...IDENTITY_QUESTIONS]).default('go'),
  legalName: text,
  birthDate: text,
  country: text,
  street: text,
  city: text,
  region: text,
  postalCode: text,
  taxId: text,
  kind: z.enum(DOCUMENT_KINDS).optional(),
  file: z.instanceof(File).optional().openapi({ type: 'string', format: 'binary' }),
  true_statements: text,
  own_account: text,
  identity_checks: text,
});

type Fields = z.infer<typeof Form>;

/** GET and POST /iam/identity: who the person of the browser's session is (docs/design/onboarding.md#identity). */
export function identityRoutes(iam: Profile): void {
  registerRoute(
    iam,
    ONBOARDING_PAGE,
    createRoute({ method: 'get', path: IDENTITY_PATH, hide: true, responses: { 200: { description: 'A page' } } }),
    async (c) => {
      const begun = await begin(c);
      return begun.type === 'page' ? begun.page : show(c, begun.identity);
    },
  );
  registerRoute(
    iam,
    { ...ONBOARDING_PAGE, bodyBytesMax: DOCUMENT_BYTES_MAX + FORM_BYTES_MAX },
    createRoute({
      method: 'post',
      path: IDENTITY_PATH,
      hide: true,
      request: {
        body: {
          required: true,
          content: {
            'application/x-www-form-urlencoded': { schema: Form },
            'multipart/form-data': { schema: Form },
          },
        },
      },
      responses: { 200: { description: 'A page' } },
    }),
    async (c) => {
      const fields = c.req.valid('form');
      if (!(await isOurForm(c, fields))) return answerError(c, 'form', 403);
      const begun = await begin(c);
      if (begun.type === 'page') return begun.page;
      const { identity } = begun;
      return isOpenToPerson(identity.row, Date.now()) ? take(c, identity, fields) : seeOther(c);
    },
  );
}

type Begun =
  | { readonly type: 'page'; readonly page: Promise<FailureResponse> }
  | { readonly type: 'identity'; readonly identity: Identity };

/** The identity of who is signed in here; a page for anybody else. */
async function begin(c: AppContext): Promise<Begun> {
  const query = queryOf(c);
  if (query.length > QUERY_LENGTH_MAX) return { type: 'page', page: answerError(c, 'request', 400) };
  const language = languageOf(c.req.header('accept-language'));
  const terms = { maySignUp: (c.env.SIGNUP_ORGANIZATION as string) !== '', query };
  const session = await sessionOfBrowser(c.env, cookieOf(c, 'session'));
  if (session === null)
    return { type: 'page', page: answerPage(c, identityNotice(language, 'signInFirst', terms), { status: 401 }) };
  const begun = await beginIdentity(c.env, session.userId);
  if (begun.ok) return { type: 'identity', identity: begun.value };
  const notice = begun.error === 'no_account' ? 'noAccount' : 'decidedElsewhere';
  return { type: 'page', page: answerPage(c, identityNotice(language, notice, terms), {}) };
}

const formQuery = (c: AppContext): string => `identity?${queryOf(c)}`;

/** Sent by a page of ours, in the browser that is signed in. */
async function isOurForm(c: AppContext, { form_token: token }: Fields): Promise<boolean> {
  if (c.req.header('origin') !== new URL(c.env.IAM_ISSUER).origin) return false;
  return isFormToken(c.env, { browser: cookieOf(c, 'session') ?? '', query: formQuery(c) }, token);
}

/** The first question that is open, or what is stated, or where it stands. */
async function show(c: AppContext, identity: Identity): Promise<FailureResponse> {
  const { row } = identity;
  const language = languageOf(c.req.header('accept-language'));
  const standing = standingOf(identity);
  if (standing !== null && !isOpenToPerson(row, Date.now()))
    return answerPage(c, statePage(language, { ...standing, query: queryOf(c) }), {});
  const open = openQuestion(c.env, identity);
  if (open !== null) return ask(c, identity, open);
  const form = await formTerms(c);
  const { facts, documents } = identity;
  return answerPage(c, reviewPage({ ...form, facts, documents, notice: standing }), {});
}

function standingOf({ row }: Pick<Identity, 'row'>): IdentityStanding | null {
  if (row.state === 'DRAFT') return null;
  const [until, renewable] = [approvedUntil(row), renewableFrom(row)];
  return { state: row.state, reason: reasonForPerson(row), until, renewableFrom: renewable };
}

function openQuestion(env: Env, identity: Identity): IdentityQuestion | null {
  const missing = missingOf(env, identity);
  const isOpen = (question: IdentityQuestion) => {
    if (question === 'attestations') return missing.attestations.length > 0;
    if (question === 'identity' || question === 'proof_of_address' || question === 'selfie')
      return missing.documents.includes(question);
    return FACTS_OF[question].some((name) => missing.facts.includes(name));
  };
  return IDENTITY_QUESTIONS.find(isOpen) ?? null;
}

type Wrong = Parameters<typeof questionPage>[1]['wrong'];

/**
 * Shows a question. What stands is not shown in the clear, but for the country: whoever sits at the browser later learns nothing.
 *
 * @param written what was written just now, where something is wrong with it
 */
async function ask(
  c: AppContext,
  identity: Pick<Identity, 'facts' | 'row'>,
  question: IdentityQuestion,
  wrong: Wrong = {},
  written: Partial<IdentityFacts> = {},
): Promise<FailureResponse> {
  const facts = { ...NOTHING_STATED, country: identity.facts.country, ...written };
  const form = await formTerms(c);
  const notice = standingOf(identity);
  const shown = questionPage(question, { ...form, facts, countries: countriesOf(c.env), wrong, notice });
  return answerPage(c, shown, { status: Object.keys(wrong).length > 0 ? 400 : 200 });
}

async function take(c: AppContext, identity: Identity, fields: Fields): Promise<FailureResponse> {
  const texts = identityTexts(languageOf(c.req.header('accept-language')));
  switch (fields.step) {
    case 'review': {
      if (fields.answer === 'submit') {
        await submitIdentity(c.env, identity);
        return seeOther(c);
      }
      return fields.answer === 'go' ? seeOther(c) : ask(c, identity, fields.answer);
    }
    case 'identity':
    case 'proof_of_address':
    case 'selfie':
      return takeDocument(c, identity, fields, fields.step);
    case 'attestations': {
      const made = IDENTITY_ATTESTATIONS.filter(({ name, version }) => fields[name] === version);
      if (made.length < IDENTITY_ATTESTATIONS.length)
        return ask(c, identity, 'attestations', { attestations: texts.attestMissing });
      await stateIdentity(c.env, identity, {}, made);
      return seeOther(c);
    }
    default: {
      const question = fields.step;
      const stated: Partial<Record<FactName, string>> = {};
      for (const name of FACTS_OF[question]) stated[name] = fields[name] ?? '';
      const written = await stateIdentity(c.env, identity, stated, []);
      if (written.ok || written.error.reason !== 'invalid') return seeOther(c);
      const wrong = Object.fromEntries(
        Object.entries(written.error.problems).map(([name, problem]) => [name, texts.problems[problem]]),
      );
      return ask(c, identity, question, wrong, stated);
    }
  }
}

async function takeDocument(
  c: AppContext,
  identity: Identity,
  { kind, file }: Fields,
  question: 'identity' | 'proof_of_address' | 'selfie',
): Promise<FailureResponse> {
  const texts = identityTexts(languageOf(c.req.header('accept-language')));
  if (kind === undefined || !KINDS_OF[question].includes(kind) || file === undefined || file.size > DOCUMENT_BYTES_MAX)
    return ask(c, identity, question, { file: texts.notADocument });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const shown = await showDocument(c.env, identity, { id: uuidv7(), kind, bytes });
  if (shown.ok || shown.error === 'not_open') return seeOther(c);
  return ask(c, identity, question, { file: shown.error === 'too_many' ? texts.tooMany : texts.notADocument });
}

async function formTerms(c: AppContext) {
  const language = languageOf(c.req.header('accept-language'));
  const formToken = await formTokenOf(c.env, { browser: cookieOf(c, 'session') ?? '', query: formQuery(c) });
  return { language, query: queryOf(c), formToken };
}

function seeOther(c: AppContext): FailureResponse {
  const query = queryOf(c);
  const location = query === '' ? 'identity' : `identity?${query}`;
  return c.body(null, 303, { location }) as unknown as FailureResponse;
}
