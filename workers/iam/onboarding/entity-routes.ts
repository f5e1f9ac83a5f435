import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import {
  addParty,
  chooseSubject,
  type EntityRefusal,
  removeParty,
  reopenEntity,
  stateEntity,
} from '../../../application/onboarding/entity.ts';
import {
  countriesOf,
  type EntityIdentity,
  type Identity,
  missingOf,
  showDocument,
} from '../../../application/onboarding/identity.ts';
import { submitIdentity } from '../../../application/onboarding/submit-identity.ts';
import {
  type EntityFactName,
  NOTHING_STATED_OF_ENTITY,
  NOTHING_STATED_OF_PARTY,
  PARTY_FACT_NAMES,
  PARTY_ROLES,
  type PartyFacts,
} from '../../../domain/onboarding/entity-facts.ts';
import { ENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import { DOCUMENT_BYTES_MAX, DOCUMENT_KINDS, type SLOTS_OF } from '../../../domain/onboarding/identity-documents.ts';
import { isOpenToPerson } from '../../../domain/onboarding/identity-state.ts';
import type { Result } from '../../../domain/result.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import type { FailureResponse } from '../../responses/failure.ts';
import { answerError, answerPage } from '../authorize/answer-page.ts';
import { languageOf } from '../authorize/texts.ts';
import {
  ENTITY_FACTS_OF,
  ENTITY_QUESTIONS,
  type EntityQuestion,
  entityAttestationsPage,
  entityChoicePage,
  entityDocumentPage,
  entityFactsPage,
  entityReviewPage,
  entityStatePage,
  type FactQuestion,
  isFactQuestion,
  type PartyFields,
  partiesPage,
} from './entity-pages.ts';
import { entityTexts } from './entity-texts.ts';
import { identityTexts } from './identity-texts.ts';
import { beforeForm, begin, formTerms, isOurForm, seeOther, standingOf } from './onboarding-forms.ts';
import { ONBOARDING_PAGE } from './onboarding-page.ts';

const ENTITY_PATH = '/entity';
const FORM_BYTES_MAX = 64 * 1_024;

const text = z.string().max(200).optional();
const prose = z.string().max(1_000).optional();

/** The union of what the forms have. */
const Form = z.object({
  form_token: z.string().max(100).default(''),
  step: z.enum([...ENTITY_QUESTIONS, 'review', 'choose', 'state']),
  answer: z.enum(['go', 'submit', 'add', 'nobody', 'person', 'reopen', ...ENTITY_QUESTIONS]).default('go'),
  remove: z.uuid().optional(),
  legalName: text,
  form: text,
  formationCountry: text,
  formationRegion: text,
  registrationNumber: text,
  country: text,
  street: text,
  postalCode: text,
  city: text,
  region: text,
  taxId: text,
  activity: prose,
  sourceOfFunds: prose,
  birthDate: text,
  passport: text,
  passportCountry: text,
  title: text,
  share: text,
  role_owner: text,
  role_control: text,
  role_authorised: text,
  kind: z.enum(DOCUMENT_KINDS).optional(),
  file: z.instanceof(File).optional().openapi({ type: 'string', format: 'binary' }),
  entity_statements: text,
  entity_authority: text,
  entity_checks: text,
  beneficial_owners: text,
});

type Fields = z.infer<typeof Form>;

/** GET and POST /iam/entity: for which entity the person of the browser's session acts, and who is behind it (docs/design/onboarding.md#an-entity). */
export function entityRoutes(iam: Profile): void {
  registerRoute(
    iam,
    ONBOARDING_PAGE,
    createRoute({ method: 'get', path: ENTITY_PATH, hide: true, responses: { 200: { description: 'A page' } } }),
    async (c) => {
      const begun = await begin(c);
      if (begun.type === 'page') return begun.page;
      return begun.identity.subject === 'entity' ? show(c, begun.identity) : choose(c, begun.identity);
    },
  );
  registerRoute(
    iam,
    { ...ONBOARDING_PAGE, bodyBytesMax: DOCUMENT_BYTES_MAX + FORM_BYTES_MAX, beforeBody: beforeForm },
    createRoute({
      method: 'post',
      path: ENTITY_PATH,
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
      if (!(await isOurForm(c, 'entity', fields.form_token))) return answerError(c, 'form', 403);
      const begun = await begin(c);
      if (begun.type === 'page') return begun.page;
      const { identity } = begun;
      if (identity.subject === 'person') {
        if (fields.step === 'choose') await chooseSubject(c.env, identity, 'entity');
        return seeOther(c, 'entity');
      }
      if (fields.step === 'state' && fields.answer === 'reopen') await reopenEntity(c.env, identity);
      return isOpenToPerson(identity.row, Date.now()) ? take(c, identity, fields) : seeOther(c, 'entity');
    },
  );
}

/** Whose account it is: a person's that was handed in once is no entity's any more. */
async function choose(c: AppContext, { row, documents }: Identity): Promise<FailureResponse> {
  if (row.submission !== null) return seeOther(c, 'identity');
  const form = await formTerms(c, 'entity');
  return answerPage(c, entityChoicePage(form, row.facts !== '' || documents.length > 0), {});
}

/** The first question that is open, or what is stated, or where it stands. */
async function show(c: AppContext, identity: EntityIdentity): Promise<FailureResponse> {
  const { row, entity, documents } = identity;
  const standing = standingOf(identity);
  if (standing !== null && !isOpenToPerson(row, Date.now()))
    return answerPage(
      c,
      entityStatePage({ ...(await formTerms(c, 'entity')), home: c.env.CONSOLE_ORIGIN }, standing),
      {},
    );
  const open = openQuestion(c.env, identity);
  if (open !== null) return ask(c, identity, open);
  return answerPage(c, entityReviewPage({ ...(await shownTo(c, identity)), entity, documents }), {});
}

function openQuestion(env: Env, identity: EntityIdentity): EntityQuestion | null {
  const missing = missingOf(env, identity);
  const isOpen = (question: EntityQuestion) => {
    if (isFactQuestion(question)) return ENTITY_FACTS_OF[question].some((name) => missing.facts.includes(name));
    if (question === 'parties') return missing.parties.length > 0;
    return question === 'attestations' ? missing.attestations.length > 0 : missing.documents.includes(question);
  };
  return ENTITY_QUESTIONS.find(isOpen) ?? null;
}

async function shownTo(c: AppContext, identity: EntityIdentity) {
  return { ...(await formTerms(c, 'entity')), countries: countriesOf(c.env), notice: standingOf(identity) };
}

const NOBODY: PartyFields = { facts: NOTHING_STATED_OF_PARTY, roles: [], share: '' };

/** Shows a question. What stands is not shown in the clear, but for its countries: whoever sits at the browser later learns nothing. */
async function ask(c: AppContext, identity: EntityIdentity, question: EntityQuestion): Promise<FailureResponse> {
  const shown = await shownTo(c, identity);
  if (isFactQuestion(question)) {
    const { country, formationCountry, form } = identity.entity.facts;
    const facts = { ...NOTHING_STATED_OF_ENTITY, country, formationCountry, form };
    return answerPage(c, entityFactsPage(question, { ...shown, facts, wrong: {} }), {});
  }
  switch (question) {
    case 'parties':
      return askParties(c, identity, {});
    case 'attestations':
      return answerPage(c, entityAttestationsPage({ ...shown, wrong: null }), {});
    default:
      return answerPage(c, entityDocumentPage(question, { ...shown, wrong: null }), {});
  }
}

async function askParties(
  c: AppContext,
  identity: EntityIdentity,
  wrong: Parameters<typeof partiesPage>[0]['wrong'],
  written = NOBODY,
): Promise<FailureResponse> {
  const shown = partiesPage({ ...(await shownTo(c, identity)), entity: identity.entity, written, wrong });
  return answerPage(c, shown, { status: Object.keys(wrong).length > 0 ? 400 : 200 });
}

async function take(c: AppContext, identity: EntityIdentity, fields: Fields): Promise<FailureResponse> {
  const { step, answer } = fields;
  if (step === 'review') {
    if (answer === 'submit') await submitIdentity(c.env, identity);
    const question = ENTITY_QUESTIONS.find((one) => one === answer);
    return question === undefined ? seeOther(c, 'entity') : ask(c, identity, question);
  }
  if (step === 'choose' || step === 'state') return seeOther(c, 'entity');
  if (isFactQuestion(step)) return takeFacts(c, identity, fields, step);
  switch (step) {
    case 'parties':
      return takeParties(c, identity, fields);
    case 'attestations': {
      const made = ENTITY_ATTESTATIONS.filter(({ name, version }) => fields[name] === version);
      if (made.length === ENTITY_ATTESTATIONS.length) return written(c, await stateEntity(c.env, identity, {}, made));
      const wrong = identityTexts(languageOf(c.req.header('accept-language'))).attestMissing;
      return answerPage(c, entityAttestationsPage({ ...(await shownTo(c, identity)), wrong }), { status: 400 });
    }
    default:
      return takeDocument(c, identity, fields, step);
  }
}

async function takeFacts(
  c: AppContext,
  identity: EntityIdentity,
  fields: Fields,
  question: FactQuestion,
): Promise<FailureResponse> {
  if (fields.answer === 'person') {
    await chooseSubject(c.env, identity, 'person');
    return seeOther(c, 'identity');
  }
  const stated: Partial<Record<EntityFactName, string>> = {};
  for (const name of ENTITY_FACTS_OF[question]) stated[name] = fields[name] ?? '';
  const outcome = await stateEntity(c.env, identity, { facts: stated }, []);
  if (outcome.ok || outcome.error.reason !== 'invalid') return written(c, outcome);
  const { problems } = entityTexts(languageOf(c.req.header('accept-language')));
  const wrong = Object.fromEntries(
    Object.entries(outcome.error.problems).map(([name, problem]) => [name, problems[problem]]),
  );
  const facts = { ...NOTHING_STATED_OF_ENTITY, ...stated };
  const shown = entityFactsPage(question, { ...(await shownTo(c, identity)), facts, wrong });
  return answerPage(c, shown, { status: 400 });
}

async function takeParties(c: AppContext, identity: EntityIdentity, fields: Fields): Promise<FailureResponse> {
  const texts = entityTexts(languageOf(c.req.header('accept-language')));
  if (fields.remove !== undefined)
    return changed(c, identity, await removeParty(c.env, identity, fields.remove), NOBODY);
  switch (fields.answer) {
    case 'nobody':
      return changed(c, identity, await stateEntity(c.env, identity, { nobodyOwns: true }, []), NOBODY);
    case 'add': {
      const stated = partyOf(fields);
      return changed(
        c,
        identity,
        await addParty(c.env, identity, { ...stated, shareBps: bpsOf(stated.share) }),
        stated,
      );
    }
    default: {
      const [gap] = missingOf(c.env, identity).parties;
      return gap === undefined ? seeOther(c, 'entity') : askParties(c, identity, { all: texts.gaps[gap] });
    }
  }
}

function partyOf(fields: Fields): PartyFields {
  const facts = PARTY_FACT_NAMES.map((name) => [name, fields[name] ?? '']);
  return {
    facts: Object.fromEntries(facts) as unknown as PartyFacts,
    roles: PARTY_ROLES.filter((role) => fields[`role_${role}`] === 'yes'),
    share: (fields.share ?? '').trim(),
  };
}

/** Basis points of a percentage with two decimals at most; null for nothing, and none that counts for anything else. */
function bpsOf(share: string): number | null {
  if (share === '') return null;
  const [, whole = '', decimals = ''] = /^(\d{1,3})(?:[.,](\d{1,2}))? ?%?$/.exec(share) ?? [];
  return whole === '' ? Number.NaN : Number(whole) * 100 + Number(decimals.padEnd(2, '0'));
}

/** The same page once more, with who is named by now or with what is wrong. */
async function changed(
  c: AppContext,
  identity: EntityIdentity,
  outcome: Result<null, EntityRefusal>,
  stated: PartyFields,
): Promise<FailureResponse> {
  const { problems } = entityTexts(languageOf(c.req.header('accept-language')));
  if (outcome.ok) {
    const begun = await begin(c);
    const isTheirs = begun.type === 'identity' && begun.identity.subject === 'entity';
    return isTheirs ? askParties(c, begun.identity, {}) : seeOther(c, 'entity');
  }
  switch (outcome.error.reason) {
    case 'invalid_party': {
      const wrong = Object.entries(outcome.error.problems).map(([name, problem]) => [name, problems[problem]]);
      return askParties(c, identity, Object.fromEntries(wrong) as Record<string, string>, stated);
    }
    case 'invalid_parties':
      return askParties(c, identity, { all: problems[outcome.error.problem] }, stated);
    default:
      return written(c, outcome);
  }
}

function written(c: AppContext, outcome: Result<null, EntityRefusal>): FailureResponse | Promise<FailureResponse> {
  if (!outcome.ok && outcome.error.reason === 'too_many') return answerError(c, 'limited', 429);
  return seeOther(c, 'entity');
}

async function takeDocument(
  c: AppContext,
  identity: EntityIdentity,
  { file }: Fields,
  kind: (typeof SLOTS_OF.entity)[number],
): Promise<FailureResponse> {
  const texts = identityTexts(languageOf(c.req.header('accept-language')));
  const refused = async (wrong: string) =>
    answerPage(c, entityDocumentPage(kind, { ...(await shownTo(c, identity)), wrong }), { status: 400 });
  if (file === undefined || file.size > DOCUMENT_BYTES_MAX) return refused(texts.notADocument);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const shown = await showDocument(c.env, identity, { id: uuidv7(), kind, bytes });
  if (shown.ok || shown.error === 'not_open') return seeOther(c, 'entity');
  return refused(shown.error === 'too_many' ? texts.tooMany : texts.notADocument);
}
