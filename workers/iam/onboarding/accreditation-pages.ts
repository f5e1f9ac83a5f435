import { html } from 'hono/html';
import { ATTESTATION } from '../../../domain/accreditation/attestation-text.ts';
import { EVIDENCE_KINDS, type EvidenceKind } from '../../../domain/accreditation/evidence.ts';
import type { VerificationState } from '../../../domain/accreditation/verification.ts';
import { type FormTerms, formOf, type Html, type Page, page } from '../authorize/pages.ts';
import { type AccreditationTexts, accreditationTexts, type Standing } from './accreditation-texts.ts';
import { identityTexts } from './identity-texts.ts';
import { selectField, type WayOn, wayOn } from './onboarding-parts.ts';

/** What is wrong, beside what it is about. */
export type AccreditationWrong = Readonly<
  Partial<Record<'certified' | 'evidence', keyof AccreditationTexts['problems'] | 'notTicked'>>
>;

interface AccreditationPage extends FormTerms, WayOn {
  /** The id under which the forms ask for something, so that one that is sent twice asks once. */
  readonly request: string;
  readonly standing: Standing;
  /** Until when it stands, Unix milliseconds; null for no end. */
  readonly until: number | null;
  /** Since an operator has ended it; null where none has. */
  readonly ended: { readonly at: number; readonly reason: string } | null;
  readonly last: {
    readonly state: VerificationState;
    readonly createdAt: number;
    readonly reason: string | null;
  } | null;
  readonly mayAsk: boolean;
  readonly isAnybodyVerifying: boolean;
  readonly chosen: EvidenceKind;
  readonly wrong: AccreditationWrong;
}

/** Whether somebody is an accredited investor, where that stands, and the two ways there (docs/design/onboarding.md#accreditation). */
export function accreditationPage(shown: AccreditationPage): Page {
  const { language, standing, until, mayAsk } = shown;
  const texts = accreditationTexts(language);
  const { day } = identityTexts(language);
  return page(
    language,
    texts.title,
    html`<h1>${texts.title}</h1><p>${texts.lede} ${texts.optional}</p>
<div role="status"><p>${texts.standing[standing]}${until === null ? '' : ` ${texts.until(day(until))}`}</p>${saidOf(shown, texts)}</div>
${wayOn(language, shown)}
${mayAsk ? html`${certification(shown, texts)}${verification(shown, texts)}` : html`<section><p>${texts.needsIdentity}</p><p><a href="identity?${shown.query}">${texts.toIdentity}</a></p></section>`}`,
  );
}

/** What an operator has ended, and what came of the last request. */
function saidOf({ ended, last, language }: AccreditationPage, texts: AccreditationTexts): Html {
  const { day, reason } = identityTexts(language);
  const why = (said: string | null) => (said === null ? '' : html` <strong>${reason}:</strong> ${said}`);
  return html`${ended === null ? '' : html`<p>${texts.ended(day(ended.at), ended.reason)}</p>`}
${last === null ? '' : html`<p>${texts.lastRequest(day(last.createdAt))} ${texts.requests[last.state]}${why(last.reason)}</p>`}`;
}

const problemOf = (texts: AccreditationTexts, wrong: AccreditationWrong[keyof AccreditationWrong]): string | null => {
  if (wrong === undefined) return null;
  return wrong === 'notTicked' ? texts.notTicked : texts.problems[wrong];
};

const requestField = ({ request }: AccreditationPage): Html =>
  html`<input type="hidden" name="request" value="${request}">`;

/** The text in full, and a box that is not ticked: what is certified is this version of it. */
function certification(shown: AccreditationPage, texts: AccreditationTexts): Html | string {
  const { standing, ended, wrong } = shown;
  if (ended !== null || standing === 'self' || standing === 'verified') return '';
  const said = problemOf(texts, wrong.certified);
  const original =
    texts.attestationHint === ''
      ? ''
      : html`<p class="hint">${texts.attestationHint}</p><blockquote lang="en">${ATTESTATION.text}</blockquote>`;
  const box = html`<label class="choice"><input type="checkbox" name="certified" value="${ATTESTATION.version}" aria-describedby="certified-wrong" aria-invalid="${said === null ? 'false' : 'true'}"><span>${texts.isTrue}</span></label>
<p class="wrong" id="certified-wrong" role="alert">${said ?? ''}</p>`;
  return html`<section><h2>${texts.certify}</h2><p class="hint">${texts.certifyHint}</p>
<blockquote>${texts.attestation}</blockquote>${original}
${formOf(shown, 'certify', html`${requestField(shown)}${box}<button>${texts.certifyNow}</button>`)}</section>`;
}

/** One request at a time. */
function verification(shown: AccreditationPage, texts: AccreditationTexts): Html | string {
  const { last, isAnybodyVerifying, chosen, wrong } = shown;
  if (last?.state === 'REQUESTED' || last?.state === 'IN_REVIEW') return '';
  const heading = html`<h2>${texts.verify}</h2>`;
  if (!isAnybodyVerifying) return html`<section>${heading}<p>${texts.nobodyVerifies}</p></section>`;
  const evidence = selectField({
    name: 'evidence',
    label: texts.evidence,
    options: EVIDENCE_KINDS.map((kind) => [kind, texts.evidenceKinds[kind]] as const),
    chosen,
    wrong: problemOf(texts, wrong.evidence),
  });
  return html`<section>${heading}<p class="hint">${texts.verifyHint}</p>
${formOf(shown, 'verify', html`${requestField(shown)}${evidence}<button>${texts.askNow}</button>`)}</section>`;
}
