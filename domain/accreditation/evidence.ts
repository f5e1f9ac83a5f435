import { addMonths } from '../calendar/add-months.ts';
import { DAY_MS } from '../calendar/durations.ts';

/**
 * What a verification of an accredited investor rests on, by 17 CFR 230.506(c)(2)(ii): forms of the revenue service (A), statements of assets
 * and a credit report (B), the letter of a broker-dealer, investment adviser, attorney or accountant (C), or the written representation of
 * somebody who was verified before (E).
 */
export const EVIDENCE_KINDS = ['income', 'net_worth', 'professional_letter', 'earlier_verification'] as const;

export type EvidenceKind = (typeof EVIDENCE_KINDS)[number];

/** Documents speak for three months of their date (…(ii)(B), …(ii)(C)); 90 days are never longer than those. */
const DOCUMENTS_SPEAK_MS = 90 * DAY_MS;
/** A representation holds up to five years from the verification that it goes by (…(ii)(E)). */
const REPRESENTATION_MONTHS = 60;

/** The latest end of a verification of this evidence, Unix milliseconds. */
export function evidenceEndsAt(kind: EvidenceKind, verifiedAt: number): number {
  return kind === 'earlier_verification'
    ? addMonths(verifiedAt, REPRESENTATION_MONTHS)
    : verifiedAt + DOCUMENTS_SPEAK_MS;
}
