import { html } from 'hono/html';
import type { ATTESTATIONS_OF } from '../../../domain/onboarding/identity-attestations.ts';
import type { DocumentKind } from '../../../domain/onboarding/identity-documents.ts';
import type { IdentityState, IdentitySubject } from '../../../domain/onboarding/identity-state.ts';
import { type Field, type FormTerms, field, type Html } from '../authorize/pages.ts';
import type { Language } from '../authorize/texts.ts';
import { type IdentityTexts, identityTexts } from './identity-texts.ts';

/** Parts of the pages of people and of entities. */

/** Where what was handed in stands, and why; null where nothing was. */
export interface IdentityStanding {
  readonly state: Exclude<IdentityState, 'DRAFT'>;
  readonly reason: string | null;
  /** Until when an approval counts, that which stands or that of before; null for none. */
  readonly until: number | null;
  /** From when the one that stands may be renewed; null for none. */
  readonly renewableFrom: number | null;
}

export type StateTexts = IdentityTexts['states'];

export function noticeOf(notice: IdentityStanding | null, states: StateTexts, language: Language): Html | string {
  if (notice === null) return '';
  const texts = identityTexts(language);
  const reason = notice.reason === null ? '' : html`<p><strong>${texts.reason}:</strong> ${notice.reason}</p>`;
  return html`<p>${states[notice.state]}</p>${reason}${approvalOf(notice, texts)}`;
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

interface Select extends Pick<Field, 'name' | 'label' | 'autocomplete' | 'wrong'> {
  readonly options: readonly (readonly [value: string, text: string])[];
  readonly chosen: string;
}

export function selectField({ name, label, autocomplete = 'off', wrong, options, chosen }: Select): Html {
  const shown = options.map(
    ([value, text]) => html`<option value="${value}"${value === chosen ? html` selected` : ''}>${text}</option>`,
  );
  return html`<label for="${name}">${label}</label>
<select id="${name}" name="${name}" autocomplete="${autocomplete}" aria-describedby="${name}-wrong" aria-invalid="${wrong === null ? 'false' : 'true'}">${shown}</select>
<p class="wrong" id="${name}-wrong" role="alert">${wrong ?? ''}</p>`;
}

export function countryField(language: Language, countries: readonly string[], terms: Omit<Select, 'options'>): Html {
  const names = new Intl.DisplayNames([language], { type: 'region' });
  return selectField({ ...terms, options: countries.map((code) => [code, names.of(code) ?? code] as const) });
}

/** A field for some lines of text. */
export function proseField({
  name,
  label,
  hint,
  value,
  wrong,
  lengthMax,
}: Pick<Field, 'name' | 'label' | 'hint' | 'value' | 'wrong'> & { readonly lengthMax: number }): Html {
  return html`<label for="${name}">${label}</label>
<textarea id="${name}" name="${name}" rows="4" maxlength="${lengthMax}" aria-describedby="${name}-hint ${name}-wrong" aria-invalid="${wrong === null ? 'false' : 'true'}">${value}</textarea>
<p class="hint" id="${name}-hint">${hint}</p>
<p class="wrong" id="${name}-wrong" role="alert">${wrong ?? ''}</p>`;
}

/** A fact that is written into one line. */
export function factField(
  [label, hint]: readonly [label: string, hint: string],
  terms: Pick<Field, 'name' | 'value' | 'wrong' | 'autocomplete' | 'isFirst'>,
): Html {
  return field({ ...terms, label, hint, type: terms.name === 'birthDate' ? 'date' : 'text' });
}

export function documentForm(
  step: string,
  kinds: readonly DocumentKind[],
  { language, formToken, query }: FormTerms,
  wrong: string | null,
): Html {
  const texts = identityTexts(language);
  const isPicture = step === 'selfie';
  const choice =
    kinds.length === 1
      ? html`<input type="hidden" name="kind" value="${kinds[0] ?? ''}">`
      : html`<label for="kind">${texts.documentKind}</label>
<select id="kind" name="kind">${kinds.map((kind) => html`<option value="${kind}">${texts.documents[kind]}</option>`)}</select>`;
  const accept = isPicture ? 'image/jpeg,image/png' : 'image/jpeg,image/png,application/pdf';
  return html`<form method="post" enctype="multipart/form-data" action="?${query}">
<input type="hidden" name="form_token" value="${formToken}">
<input type="hidden" name="step" value="${step}">
${choice}
<label for="file">${texts.file}</label>
<input id="file" name="file" type="file" accept="${accept}" required aria-describedby="file-hint file-wrong" aria-invalid="${wrong === null ? 'false' : 'true'}">
<p class="hint" id="file-hint">${isPicture ? texts.selfieHint : texts.fileHint}</p>
<p class="wrong" id="file-wrong" role="alert">${wrong ?? ''}</p>
<button name="answer" value="go">${texts.goOn}</button>
</form>`;
}

export function attestationFields(
  language: Language,
  attestations: (typeof ATTESTATIONS_OF)[IdentitySubject],
  wrong: string | null,
): Html {
  return html`${attestations.map(
    ({ name, version, text }) =>
      html`<label class="choice"><input type="checkbox" name="${name}" value="${version}"><span>${text[language]}</span></label>`,
  )}
<p class="wrong" id="attestations-wrong" role="alert">${wrong ?? ''}</p>`;
}

/** Where the person goes on once nothing is asked of them here. */
export interface WayOn {
  /** The request of the application that led here; empty for none. */
  readonly query: string;
  /** Where the console is. */
  readonly home: string;
}

/** The next step, which nobody has to take: whether they are an accredited investor. Of whom nothing was refused. */
export function wayToAccreditation(
  language: Language,
  { query, state }: Pick<WayOn, 'query'> & { readonly state: IdentityState | null },
): Html | string {
  if (state === 'REFUSED') return '';
  const { toAccreditation, toAccreditationHint } = identityTexts(language);
  return html`<section><p><a href="accreditation?${query}">${toAccreditation}</a></p><p class="hint">${toAccreditationHint}</p></section>`;
}

/** Back to the application whose request led here, or else to the console. */
export function wayOn(language: Language, { query, home }: WayOn): Html {
  const { toApplication, toConsole } = identityTexts(language);
  return query === ''
    ? html`<p><a href="${home}/">${toConsole}</a></p>`
    : html`<p><a href="api/login/oauth/authorize?${query}">${toApplication}</a></p>`;
}
