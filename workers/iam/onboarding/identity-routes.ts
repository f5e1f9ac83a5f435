import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import {
  countriesOf,
  missingOf,
  type PersonIdentity,
  type StatementRefusal,
  showDocument,
  stateIdentity,
} from '../../../application/onboarding/identity.ts';
import { submitIdentity } from '../../../application/onboarding/submit-identity.ts';
import { IDENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import { DOCUMENT_BYTES_MAX, DOCUMENT_KINDS } from '../../../domain/onboarding/identity-documents.ts';
import { type FactName, type IdentityFacts, NOTHING_STATED } from '../../../domain/onboarding/identity-facts.ts';
import { isOpenToPerson } from '../../../domain/onboarding/identity-state.ts';
import type { Result } from '../../../domain/result.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerError, answerPage } from '../authorize/answer-page.ts';
import { queryOf } from '../authorize/read-request.ts';
import { languageOf } from '../authorize/texts.ts';
import {
  FACTS_OF,
  IDENTITY_QUESTIONS,
  type IdentityQuestion,
  KINDS_OF,
  questionPage,
  reviewPage,
  statePage,
} from './identity-pages.ts';
import { identityTexts } from './identity-texts.ts';
import { beforeForm, begin, formTerms, isOurForm, seeOther, standingOf } from './onboarding-forms.ts';
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
      if (begun.type === 'page') return begun.page;
      return begun.identity.subject === 'person' ? show(c, begun.identity) : seeOther(c, 'entity');
    },
  );
  registerRoute(
    iam,
    { ...ONBOARDING_PAGE, bodyBytesMax: DOCUMENT_BYTES_MAX + FORM_BYTES_MAX, beforeBody: beforeForm },
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
      if (!(await isOurForm(c, 'identity', fields.form_token))) return answerError(c, 'form', 403);
      const begun = await begin(c);
      if (begun.type === 'page') return begun.page;
      const { identity } = begun;
      const isTheirs = identity.subject === 'person' && isOpenToPerson(identity.row, Date.now());
      return isTheirs ? take(c, identity, fields) : seeOther(c, 'identity');
    },
  );
}

/** The first question that is open, or what is stated, or where it stands. */
async function show(c: AppContext, identity: PersonIdentity): Promise<FailureResponse> {
  const { row } = identity;
  const language = languageOf(c.req.header('accept-language'));
  const standing = standingOf(identity);
  if (standing !== null && !isOpenToPerson(row, Date.now()))
    return answerPage(c, statePage(language, { ...standing, query: queryOf(c), home: c.env.CONSOLE_ORIGIN }), {});
  const open = openQuestion(c.env, identity);
  if (open !== null) return ask(c, identity, open);
  const form = await formTerms(c, 'identity');
  const { facts, documents } = identity;
  return answerPage(c, reviewPage({ ...form, facts, documents, notice: standing }), {});
}

function openQuestion(env: Env, identity: PersonIdentity): IdentityQuestion | null {
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
  identity: Pick<PersonIdentity, 'facts' | 'row'>,
  question: IdentityQuestion,
  wrong: Wrong = {},
  written: Partial<IdentityFacts> = {},
): Promise<FailureResponse> {
  const facts = { ...NOTHING_STATED, country: identity.facts.country, ...written };
  const form = await formTerms(c, 'identity');
  const notice = standingOf(identity);
  const shown = questionPage(question, { ...form, facts, countries: countriesOf(c.env), wrong, notice });
  return answerPage(c, shown, { status: Object.keys(wrong).length > 0 ? 400 : 200 });
}

async function take(c: AppContext, identity: PersonIdentity, fields: Fields): Promise<FailureResponse> {
  const texts = identityTexts(languageOf(c.req.header('accept-language')));
  switch (fields.step) {
    case 'review': {
      if (fields.answer === 'submit') {
        await submitIdentity(c.env, identity);
        return seeOther(c, 'identity');
      }
      return fields.answer === 'go' ? seeOther(c, 'identity') : ask(c, identity, fields.answer);
    }
    case 'identity':
    case 'proof_of_address':
    case 'selfie':
      return takeDocument(c, identity, fields, fields.step);
    case 'attestations': {
      const made = IDENTITY_ATTESTATIONS.filter(({ name, version }) => fields[name] === version);
      if (made.length < IDENTITY_ATTESTATIONS.length)
        return ask(c, identity, 'attestations', { attestations: texts.attestMissing });
      return written(c, await stateIdentity(c.env, identity, {}, made));
    }
    default: {
      const question = fields.step;
      const stated: Partial<Record<FactName, string>> = {};
      for (const name of FACTS_OF[question]) stated[name] = fields[name] ?? '';
      const outcome = await stateIdentity(c.env, identity, stated, []);
      if (outcome.ok || outcome.error.reason !== 'invalid') return written(c, outcome);
      const wrong = Object.fromEntries(
        Object.entries(outcome.error.problems).map(([name, problem]) => [name, texts.problems[problem]]),
      );
      return ask(c, identity, question, wrong, stated);
    }
  }
}

function written(c: AppContext, outcome: Result<null, StatementRefusal>): FailureResponse | Promise<FailureResponse> {
  if (!outcome.ok && outcome.error.reason === 'too_many') return answerError(c, 'limited', 429);
  return seeOther(c, 'identity');
}

async function takeDocument(
  c: AppContext,
  identity: PersonIdentity,
  { kind, file }: Fields,
  question: 'identity' | 'proof_of_address' | 'selfie',
): Promise<FailureResponse> {
  const texts = identityTexts(languageOf(c.req.header('accept-language')));
  if (kind === undefined || !KINDS_OF[question].includes(kind) || file === undefined || file.size > DOCUMENT_BYTES_MAX)
    return ask(c, identity, question, { file: texts.notADocument });
  const bytes = new Uint8Array(await file.arrayBuffer());
  const shown = await showDocument(c.env, identity, { id: uuidv7(), kind, bytes });
  if (shown.ok || shown.error === 'not_open') return seeOther(c, 'identity');
  return ask(c, identity, question, { file: shown.error === 'too_many' ? texts.tooMany : texts.notADocument });
}
