import { html } from 'hono/html';
import { IDENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import type { DocumentKind } from '../../../domain/onboarding/identity-documents.ts';
import { type FactName, type IdentityFacts, maskedFacts } from '../../../domain/onboarding/identity-facts.ts';
import { type FormTerms, formOf, type Page, page } from '../authorize/pages.ts';
import type { Language } from '../authorize/texts.ts';
import { type IdentityTexts, identityTexts } from './identity-texts.ts';
import {
  attestationFields,
  countryField,
  documentForm,
  factField,
  type IdentityStanding,
  noticeOf,
  type WayOn,
  wayOn,
  wayToAccreditation,
} from './onboarding-parts.ts';

/** The questions, in the order in which they are asked. */
export const IDENTITY_QUESTIONS = [
  'name',
  'birth_date',
  'address',
  'tax_id',
  'identity',
  'proof_of_address',
  'selfie',
  'attestations',
] as const;

export type IdentityQuestion = (typeof IDENTITY_QUESTIONS)[number];

/** The facts that a question asks for; none of a document. */
export const FACTS_OF: Readonly<Record<IdentityQuestion, readonly FactName[]>> = {
  name: ['legalName'],
  birth_date: ['birthDate'],
  address: ['country', 'street', 'postalCode', 'city', 'region'],
  tax_id: ['taxId'],
  identity: [],
  proof_of_address: [],
  selfie: [],
  attestations: [],
};

export const KINDS_OF: Readonly<Record<'identity' | 'proof_of_address' | 'selfie', readonly DocumentKind[]>> = {
  identity: ['passport', 'driving_licence'],
  proof_of_address: ['proof_of_address'],
  selfie: ['selfie'],
};

const AUTOCOMPLETE: Readonly<Record<FactName, string>> = {
  legalName: 'name',
  birthDate: 'bday',
  country: 'country',
  street: 'street-address',
  city: 'address-level2',
  region: 'address-level1',
  postalCode: 'postal-code',
  taxId: 'off',
};

interface QuestionPage extends FormTerms {
  readonly facts: IdentityFacts;
  readonly countries: readonly string[];
  /** What is wrong, by field; `file` and `attestations` beside the facts. */
  readonly wrong: Readonly<Partial<Record<FactName | 'file' | 'attestations', string>>>;
  readonly notice: IdentityStanding | null;
}

function titleOf(question: IdentityQuestion, texts: IdentityTexts): string {
  switch (question) {
    case 'name':
      return texts.facts.legalName[0];
    case 'birth_date':
      return texts.facts.birthDate[0];
    case 'address':
      return texts.address;
    case 'tax_id':
      return texts.facts.taxId[0];
    case 'attestations':
      return texts.attest;
    default:
      return texts.documents[question];
  }
}

/** One question a page. */
export function questionPage(question: IdentityQuestion, shown: QuestionPage): Page {
  const { language, facts, countries, wrong, notice, ...form } = shown;
  const texts = identityTexts(language);
  const at = IDENTITY_QUESTIONS.indexOf(question) + 1;
  const title = titleOf(question, texts);
  const heading = html`<h1>${title}</h1><p class="hint">${texts.title}: ${at} / ${IDENTITY_QUESTIONS.length}</p>
${noticeOf(notice, texts.states, language)}`;
  const button = html`<button name="answer" value="go">${texts.goOn}</button>`;
  switch (question) {
    case 'identity':
    case 'proof_of_address':
    case 'selfie':
      return page(
        language,
        title,
        html`${heading}${documentForm(question, KINDS_OF[question], { language, ...form }, wrong.file ?? null)}`,
      );
    case 'attestations': {
      const fields = attestationFields(language, IDENTITY_ATTESTATIONS, wrong.attestations ?? null);
      return page(language, title, html`${heading}${formOf(form, question, html`${fields}${button}`)}`);
    }
    default: {
      const fields = FACTS_OF[question].map((name, index) => {
        const terms = { name, autocomplete: AUTOCOMPLETE[name], wrong: wrong[name] ?? null };
        return name === 'country'
          ? countryField(language, countries, { ...terms, label: texts.facts.country[0], chosen: facts.country })
          : factField(texts.facts[name], { ...terms, value: facts[name], isFirst: index === 0 });
      });
      // Nothing was handed in yet: the account may be another's.
      const other =
        question === 'name' && notice === null ? html`<p><a href="entity?${form.query}">${texts.toEntity}</a></p>` : '';
      return page(language, title, html`${heading}${formOf(form, question, html`${fields}${button}`)}${other}`);
    }
  }
}

/** What is stated, masked, with a way to change each, and to hand it in. */
export function reviewPage({
  language,
  facts,
  documents,
  notice,
  ...form
}: FormTerms & {
  readonly facts: IdentityFacts;
  readonly documents: readonly { readonly kind: DocumentKind }[];
  readonly notice: IdentityStanding | null;
}): Page {
  const texts = identityTexts(language);
  const masked = maskedFacts(facts);
  const names = Object.keys(masked) as FactName[];
  return page(
    language,
    texts.review,
    html`<h1>${texts.review}</h1>
${noticeOf(notice, texts.states, language)}
<dl>${names.map((name) => html`<dt>${texts.facts[name][0]}</dt><dd>${masked[name] === '' ? '–' : masked[name]}</dd>`)}
${documents.map(({ kind }) => html`<dt>${texts.documents[kind]}</dt><dd>✓</dd>`)}</dl>
<p class="hint">${texts.reviewHint}</p>
${formOf(
  form,
  'review',
  html`<button name="answer" value="submit">${texts.submit}</button>
${IDENTITY_QUESTIONS.filter((question) => question !== 'attestations').map((question) => html`<button class="plain" name="answer" value="${question}">${texts.change(titleOf(question, texts))}</button>`)}`,
)}`,
  );
}

/** Where it stands, once it is handed in. */
export function statePage(language: Language, { query, home, ...standing }: IdentityStanding & WayOn): Page {
  const texts = identityTexts(language);
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><div role="status">${noticeOf(standing, texts.states, language)}</div>
${wayOn(language, { query, home })}${wayToAccreditation(language, { query, state: standing.state })}`,
  );
}

export function identityNotice(
  language: Language,
  notice: 'signInFirst' | 'noAccount' | 'decidedElsewhere',
  { maySignUp, query, home }: WayOn & { readonly maySignUp: boolean },
): Page {
  const texts = identityTexts(language);
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><p>${texts[notice]}</p>${wayOn(language, { query, home })}
${notice === 'decidedElsewhere' ? wayToAccreditation(language, { query, state: null }) : ''}
${maySignUp && notice === 'signInFirst' ? html`<p><a href="sign-up?${query}">${texts.openAccount}</a></p>` : ''}`,
  );
}
