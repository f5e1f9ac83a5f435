import { html } from 'hono/html';
import { IDENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import type { DocumentKind } from '../../../domain/onboarding/identity-documents.ts';
import { type FactName, type IdentityFacts, maskedFacts } from '../../../domain/onboarding/identity-facts.ts';
import type { IdentityState } from '../../../domain/onboarding/identity-state.ts';
import { type FormTerms, field, formOf, type Html, page } from '../authorize/pages.ts';
import type { Language } from '../authorize/texts.ts';
import { type IdentityTexts, identityTexts } from './identity-texts.ts';

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

/** Where what was handed in stands, and why; null where nothing was. */
export interface IdentityStanding {
  readonly state: Exclude<IdentityState, 'DRAFT'>;
  readonly reason: string | null;
  /** Until when an approval counts, that which stands or that of before; null for none. */
  readonly until: number | null;
  /** From when the one that stands may be renewed; null for none. */
  readonly renewableFrom: number | null;
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
export function questionPage(question: IdentityQuestion, shown: QuestionPage): Html {
  const { language, facts, countries, wrong, notice, ...form } = shown;
  const texts = identityTexts(language);
  const at = IDENTITY_QUESTIONS.indexOf(question) + 1;
  const title = titleOf(question, texts);
  const heading = html`<h1>${title}</h1><p class="hint">${texts.title}: ${at} / ${IDENTITY_QUESTIONS.length}</p>
${noticeOf(notice, texts)}`;
  const button = html`<button name="answer" value="go">${texts.goOn}</button>`;
  switch (question) {
    case 'identity':
    case 'proof_of_address':
    case 'selfie':
      return page(language, title, html`${heading}${documentForm(question, texts, form, wrong.file ?? null)}`);
    case 'attestations':
      return page(
        language,
        title,
        html`${heading}${formOf(
          form,
          question,
          html`${attestationFields(language)}
<p class="wrong" id="attestations-wrong" role="alert">${wrong.attestations ?? ''}</p>
${button}`,
        )}`,
      );
    default: {
      const fields = FACTS_OF[question].map((name, index) =>
        name === 'country'
          ? countryField(language, texts, facts.country, countries, wrong.country ?? null)
          : field({
              name,
              label: texts.facts[name][0],
              hint: texts.facts[name][1],
              value: facts[name],
              type: name === 'birthDate' ? 'date' : 'text',
              autocomplete: AUTOCOMPLETE[name],
              wrong: wrong[name] ?? null,
              isFirst: index === 0,
            }),
      );
      return page(language, title, html`${heading}${formOf(form, question, html`${fields}${button}`)}`);
    }
  }
}

function countryField(
  language: Language,
  texts: IdentityTexts,
  chosen: string,
  countries: readonly string[],
  wrong: string | null,
): Html {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  const options = countries.map(
    (code) => html`<option value="${code}"${code === chosen ? html` selected` : ''}>${names.of(code) ?? code}</option>`,
  );
  return html`<label for="country">${texts.facts.country[0]}</label>
<select id="country" name="country" autocomplete="country" aria-describedby="country-wrong" aria-invalid="${wrong === null ? 'false' : 'true'}">${options}</select>
<p class="wrong" id="country-wrong" role="alert">${wrong ?? ''}</p>`;
}

function documentForm(
  question: 'identity' | 'proof_of_address' | 'selfie',
  texts: IdentityTexts,
  { formToken, query }: Omit<FormTerms, 'language'>,
  wrong: string | null,
): Html {
  const kinds = KINDS_OF[question];
  const choice =
    kinds.length === 1
      ? html`<input type="hidden" name="kind" value="${kinds[0] ?? ''}">`
      : html`<label for="kind">${texts.documentKind}</label>
<select id="kind" name="kind">${kinds.map((kind) => html`<option value="${kind}">${texts.documents[kind]}</option>`)}</select>`;
  const accept = question === 'selfie' ? 'image/jpeg,image/png' : 'image/jpeg,image/png,application/pdf';
  return html`<form method="post" enctype="multipart/form-data" action="?${query}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="step" value="${question}">
${choice}
<label for="file">${texts.file}</label>
<input id="file" name="file" type="file" accept="${accept}" required aria-describedby="file-hint file-wrong" aria-invalid="${wrong === null ? 'false' : 'true'}">
<p class="hint" id="file-hint">${question === 'selfie' ? texts.selfieHint : texts.fileHint}</p>
<p class="wrong" id="file-wrong" role="alert">${wrong ?? ''}</p>
<button name="answer" value="go">${texts.goOn}</button>
</form>`;
}

function attestationFields(language: Language): Html {
  return html`${IDENTITY_ATTESTATIONS.map(
    ({ name, version, text }) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${version}"><span>${text[language]}</span></label>`,
  )}`;
}

function noticeOf(notice: IdentityStanding | null, texts: IdentityTexts): Html | string {
  if (notice === null) return '';
  const reason = notice.reason === null ? '' : html`<p><strong>${texts.reason}:</strong> ${notice.reason}</p>`;
  return html`<p>${texts.states[notice.state]}</p>${reason}${approvalOf(notice, texts)}`;
}

/** What counts, until when, and from when it can be renewed. */
function approvalOf({ state, until, renewableFrom }: IdentityStanding, texts: IdentityTexts): Html | string {
  if (until === null) return '';
  const day = texts.day(until);
  if (state !== 'APPROVED') return html`<p>${texts.heldUntil(day)}</p>`;
  const renewal =
    renewableFrom === null || renewableFrom > Date.now()
      ? texts.renewFrom(texts.day(renewableFrom ?? until))
      : texts.renewNow;
  return html`<p>${texts.goodUntil(day)} ${renewal}</p>`;
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
}): Html {
  const texts = identityTexts(language);
  const masked = maskedFacts(facts);
  const names = Object.keys(masked) as FactName[];
  return page(
    language,
    texts.review,
    html`<h1>${texts.review}</h1>
${noticeOf(notice, texts)}
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
export function statePage(
  language: Language,
  { query, ...standing }: IdentityStanding & { readonly query: string },
): Html {
  const texts = identityTexts(language);
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><div role="status">${noticeOf(standing, texts)}</div>
${query === '' ? '' : html`<p><a href="api/login/oauth/authorize?${query}">${texts.toApplication}</a></p>`}`,
  );
}

export function identityNotice(
  language: Language,
  notice: 'signInFirst' | 'noAccount' | 'decidedElsewhere',
  { maySignUp, query }: { readonly maySignUp: boolean; readonly query: string },
): Html {
  const texts = identityTexts(language);
  const signIn =
    query === '' ? '' : html`<p><a href="api/login/oauth/authorize?${query}">${texts.toApplication}</a></p>`;
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><p>${texts[notice]}</p>${signIn}
${maySignUp && notice === 'signInFirst' ? html`<p><a href="sign-up?${query}">${texts.openAccount}</a></p>` : ''}`,
  );
}
