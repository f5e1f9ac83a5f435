import { html } from 'hono/html';
import {
  ENTITY_FORMS,
  type EntityFactName,
  type EntityFacts,
  type EntityStatement,
  maskedEntity,
  PARTY_FACT_NAMES,
  PARTY_ROLES,
  type Party,
  type PartyFactName,
  type PartyFacts,
  type PartyRole,
} from '../../../domain/onboarding/entity-facts.ts';
import { ENTITY_ATTESTATIONS } from '../../../domain/onboarding/identity-attestations.ts';
import { type DocumentKind, SLOTS_OF } from '../../../domain/onboarding/identity-documents.ts';
import { type FormTerms, field, formOf, type Html, type Page, page } from '../authorize/pages.ts';
import type { Language } from '../authorize/texts.ts';
import { type EntityTexts, entityTexts } from './entity-texts.ts';
import { type IdentityTexts, identityTexts } from './identity-texts.ts';
import {
  attestationFields,
  countryField,
  documentForm,
  factField,
  type IdentityStanding,
  noticeOf,
  proseField,
  selectField,
  type WayOn,
  wayOn,
  wayToAccreditation,
} from './onboarding-parts.ts';

/** The questions, in the order in which they are asked. */
export const ENTITY_QUESTIONS = [
  'entity',
  'formation',
  'address',
  'tax_id',
  'business',
  'parties',
  ...SLOTS_OF.entity,
  'attestations',
] as const;

export type EntityQuestion = (typeof ENTITY_QUESTIONS)[number];

/** The facts that a question asks for. */
export const ENTITY_FACTS_OF = {
  entity: ['legalName', 'form'],
  formation: ['formationCountry', 'formationRegion', 'registrationNumber'],
  address: ['country', 'street', 'postalCode', 'city', 'region'],
  tax_id: ['taxId'],
  business: ['activity', 'sourceOfFunds'],
} as const satisfies Readonly<Partial<Record<EntityQuestion, readonly EntityFactName[]>>>;

export type FactQuestion = keyof typeof ENTITY_FACTS_OF;

export function isFactQuestion(question: EntityQuestion): question is FactQuestion {
  return question in ENTITY_FACTS_OF;
}

const PROSE_FIELD_LENGTH_MAX = 500;

type Wrong<Name extends string> = Readonly<Partial<Record<Name, string>>>;

interface Shown extends FormTerms {
  readonly notice: IdentityStanding | null;
  readonly countries: readonly string[];
}

function titleOf(question: EntityQuestion, texts: EntityTexts, common: IdentityTexts): string {
  switch (question) {
    case 'tax_id':
      return texts.facts.taxId[0];
    case 'attestations':
      return common.attest;
    case 'articles':
    case 'good_standing':
    case 'authorisation':
      return common.documents[question];
    default:
      return texts.questions[question];
  }
}

function questionOf(question: EntityQuestion, { language, notice }: Shown, inside: Html): Page {
  const texts = entityTexts(language);
  const at = ENTITY_QUESTIONS.indexOf(question) + 1;
  const title = titleOf(question, texts, identityTexts(language));
  return page(
    language,
    title,
    html`<h1>${title}</h1><p class="hint">${texts.title}: ${at} / ${ENTITY_QUESTIONS.length}</p>
${noticeOf(notice, texts.states, language)}
${inside}`,
  );
}

/** Asks for facts of the entity itself. */
export function entityFactsPage(
  question: FactQuestion,
  { facts, wrong, ...shown }: Shown & { readonly facts: EntityFacts; readonly wrong: Wrong<EntityFactName> },
): Page {
  const { language, countries, notice } = shown;
  const texts = entityTexts(language);
  const fields = ENTITY_FACTS_OF[question].map((name, index) => {
    const [label, hint] = texts.facts[name];
    const terms = { name, label, wrong: wrong[name] ?? null };
    switch (name) {
      case 'form': {
        const options = ENTITY_FORMS.map((form) => [form, texts.forms[form]] as const);
        return selectField({ ...terms, options, chosen: facts.form });
      }
      case 'country':
      case 'formationCountry':
        return countryField(language, countries, { ...terms, chosen: facts[name] });
      case 'activity':
      case 'sourceOfFunds':
        return proseField({ ...terms, hint, value: facts[name], lengthMax: PROSE_FIELD_LENGTH_MAX });
      default:
        return factField(texts.facts[name], { ...terms, value: facts[name], isFirst: index === 0 });
    }
  });
  const button = html`<button name="answer" value="go">${identityTexts(language).goOn}</button>`;
  // Nothing was handed in yet: the account may be another's.
  const other =
    question === 'entity' && notice === null
      ? html`<button class="plain" name="answer" value="person">${texts.toPerson}</button>`
      : '';
  return questionOf(question, shown, formOf(shown, question, html`${fields}${button}${other}`));
}

/** What is written of a party, as it was written. */
export interface PartyFields {
  readonly facts: PartyFacts;
  readonly roles: readonly PartyRole[];
  readonly share: string;
}

/** Who is behind the entity, masked, and one more. What is wrong with all of them together stands under `all`. */
export function partiesPage({
  entity,
  written,
  wrong,
  ...shown
}: Shown & {
  readonly entity: EntityStatement;
  readonly written: PartyFields;
  readonly wrong: Wrong<PartyFactName | 'roles' | 'shareBps' | 'all'>;
}): Page {
  const { language, countries } = shown;
  const texts = entityTexts(language);
  const { parties, nobodyOwns } = maskedEntity(entity);
  const fields = PARTY_FACT_NAMES.map((name) => {
    const terms = { name, wrong: wrong[name] ?? null };
    return name === 'country'
      ? countryField(language, countries, { ...terms, label: texts.party.country[0], chosen: written.facts.country })
      : factField(texts.party[name], { ...terms, value: written.facts[name] });
  });
  const roles = PARTY_ROLES.map(
    (role) =>
      html`<label class="choice"><input type="checkbox" name="role_${role}" value="yes"${written.roles.includes(role) ? html` checked` : ''}><span>${texts.roles[role]}</span></label>`,
  );
  const [label, hint] = texts.share;
  const share = field({
    name: 'share',
    label,
    hint,
    value: written.share,
    type: 'text',
    inputmode: 'decimal',
    wrong: wrong.shareBps ?? null,
  });
  const all = wrong.all === undefined ? '' : html`<p class="wrong" role="alert">${wrong.all}</p>`;
  const named = html`<ul class="things">${parties.map((party) => partyItem(party, texts, language))}</ul>`;
  return questionOf(
    'parties',
    shown,
    html`<p>${texts.parties}</p>
${all}
${nobodyOwns ? html`<p>${texts.nobodyOwns}</p>` : ''}
${parties.length === 0 ? '' : formOf(shown, 'parties', named)}
${formOf(
  shown,
  'parties',
  html`<button name="answer" value="go">${identityTexts(language).goOn}</button>
${parties.some(({ roles: of }) => of.includes('owner')) || nobodyOwns ? '' : html`<button class="plain" name="answer" value="nobody">${texts.nobody}</button>`}`,
)}
${formOf(
  shown,
  'parties',
  html`<section><h2>${texts.partyAdd}</h2>
<fieldset aria-describedby="roles-wrong"><legend>${texts.rolesLegend}</legend>${roles}
<p class="wrong" id="roles-wrong" role="alert">${wrong.roles ?? ''}</p></fieldset>
${share}${fields}
<button name="answer" value="add">${texts.partyAdd}</button></section>`,
)}`,
  );
}

/** A share as people write it. */
const percentOf = (shareBps: number, language: Language): string =>
  new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 2 }).format(shareBps / 10_000);

function partyItem({ id, roles, shareBps, facts }: Party, texts: EntityTexts, language: Language): Html {
  const said = roles.map((role) => texts.roles[role]).join(' · ');
  const share = shareBps === null ? '' : ` (${percentOf(shareBps, language)})`;
  return html`<li><p><strong>${facts.legalName}</strong>${share}</p><p class="hint">${said}</p>
<button class="plain small" name="remove" value="${id}">${texts.partyRemove(facts.legalName)}</button></li>`;
}

export function entityDocumentPage(
  question: (typeof SLOTS_OF.entity)[number],
  { wrong, ...shown }: Shown & { readonly wrong: string | null },
): Page {
  return questionOf(question, shown, documentForm(question, [question], shown, wrong));
}

export function entityAttestationsPage({ wrong, ...shown }: Shown & { readonly wrong: string | null }): Page {
  const fields = attestationFields(shown.language, ENTITY_ATTESTATIONS, wrong);
  const button = html`<button name="answer" value="go">${identityTexts(shown.language).goOn}</button>`;
  return questionOf('attestations', shown, formOf(shown, 'attestations', html`${fields}${button}`));
}

/** What is stated, masked, with a way to change each, and to hand it in. */
export function entityReviewPage({
  entity,
  documents,
  ...shown
}: Shown & { readonly entity: EntityStatement; readonly documents: readonly { readonly kind: DocumentKind }[] }): Page {
  const { language, notice } = shown;
  const [texts, common] = [entityTexts(language), identityTexts(language)];
  const { facts, parties, nobodyOwns } = maskedEntity(entity);
  const names = Object.keys(facts) as EntityFactName[];
  const shownOf = (name: EntityFactName) => {
    const form = ENTITY_FORMS.find((one) => name === 'form' && one === facts.form);
    return form === undefined ? facts[name] : texts.forms[form];
  };
  const people = parties.map(
    ({ facts: of, roles, shareBps }) =>
      html`<dt>${roles.map((role) => texts.roles[role]).join(' · ')}</dt><dd>${of.legalName}${shareBps === null ? '' : html`, ${percentOf(shareBps, language)}`}</dd>`,
  );
  return page(
    language,
    common.review,
    html`<h1>${common.review}</h1>
${noticeOf(notice, texts.states, language)}
<dl>${names.map((name) => html`<dt>${texts.facts[name][0]}</dt><dd>${shownOf(name) === '' ? '–' : shownOf(name)}</dd>`)}
${people}
${nobodyOwns ? html`<dt>${texts.questions.parties}</dt><dd>${texts.nobodyOwns}</dd>` : ''}
${documents.map(({ kind }) => html`<dt>${common.documents[kind]}</dt><dd>✓</dd>`)}</dl>
<p class="hint">${common.reviewHint}</p>
${formOf(
  shown,
  'review',
  html`<button name="answer" value="submit">${common.submit}</button>
${ENTITY_QUESTIONS.filter((question) => question !== 'attestations').map((question) => html`<button class="plain" name="answer" value="${question}">${common.change(titleOf(question, texts, common))}</button>`)}`,
)}`,
  );
}

/** Where it stands, once it is handed in. Of one that is approved something may be stated anew. */
export function entityStatePage({ language, home, ...form }: FormTerms & WayOn, standing: IdentityStanding): Page {
  const texts = entityTexts(language);
  const reopen =
    standing.state === 'APPROVED'
      ? html`<section>${formOf(form, 'state', html`<p class="hint">${texts.reopenHint}</p><button class="plain" name="answer" value="reopen">${texts.reopen}</button>`)}</section>`
      : '';
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><div role="status">${noticeOf(standing, texts.states, language)}</div>
${wayOn(language, { query: form.query, home })}${wayToAccreditation(language, { query: form.query, state: standing.state })}${reopen}`,
  );
}

/** Before it is one: whose account it is. */
export function entityChoicePage({ language, ...form }: FormTerms, isBegun: boolean): Page {
  const texts = entityTexts(language);
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><p>${texts.choose}</p>${isBegun ? html`<p>${texts.chooseGoes}</p>` : ''}
${formOf(form, 'choose', html`<button name="answer" value="entity">${texts.chooseStart}</button>`)}
<p><a href="identity?${form.query}">${texts.toPerson}</a></p>`,
  );
}
