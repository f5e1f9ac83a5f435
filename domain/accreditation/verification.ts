import type { ProviderUnavailable } from '../providers/provider-unavailable.ts';
import { err, ok, type Result } from '../result.ts';
import { type VerificationFailure, verificationFailure } from './accreditation-record.ts';
import { type EvidenceKind, evidenceEndsAt } from './evidence.ts';

/**
 * Where a request for a verification by a third party stands (docs/design/compliance.md#verification-by-a-third-party). `IN_REVIEW` waits for an operator,
 * `REQUESTED` for its provider.
 */
export const VERIFICATION_STATES = ['IN_REVIEW', 'REQUESTED', 'VERIFIED', 'REFUSED', 'REVOKED', 'EXPIRED'] as const;

export type VerificationState = (typeof VERIFICATION_STATES)[number];

/** How long a provider may take. */
export const ANSWER_WAIT_DAYS = 30;

/** A person's request, as a provider gets it. */
interface VerificationOrder {
  /** UUIDv7; the same on every repetition. */
  readonly id: string;
  readonly account: string;
  readonly evidenceKind: EvidenceKind;
}

/** What a provider has found. Times are Unix milliseconds. */
export type VerificationFinding =
  | { readonly type: 'pending' }
  | { readonly type: 'refused'; readonly reason: string }
  | {
      readonly type: 'verified';
      /** Who has verified. */
      readonly verifier: string;
      /** Where the evidence is kept. */
      readonly evidence: string;
      readonly verifiedAt: number;
      /** Null: as long as the evidence speaks. */
      readonly expiresAt: number | null;
    };

/** A third party that verifies accredited investors, 17 CFR 230.506(c)(2)(ii). */
export interface VerificationProvider {
  readonly name: string;
  /**
   * Asks for a verification, once for its id.
   *
   * @returns the provider's own id
   */
  request(order: VerificationOrder): Promise<Result<string, ProviderUnavailable>>;
  /** Where it stands. */
  status(order: VerificationOrder, reference: string): Promise<Result<VerificationFinding, ProviderUnavailable>>;
}

export interface VerifiedTerms {
  readonly verifier: string;
  readonly evidence: string;
  readonly verifiedAt: number;
  readonly expiresAt: number;
}

type Verified = Extract<VerificationFinding, { type: 'verified' }>;

/** Until when a finding lets an accreditation stand: with its evidence at the latest. */
export function endOfFinding({ verifiedAt, expiresAt }: Verified, evidenceKind: EvidenceKind): number {
  const end = evidenceEndsAt(evidenceKind, verifiedAt);
  return expiresAt === null ? end : Math.min(expiresAt, end);
}

/** The terms of an accreditation that a provider's finding makes, or why it makes none: it must be of late, and ends with its evidence at the latest. */
export function verifiedTerms(
  finding: Verified,
  evidenceKind: EvidenceKind,
  now: number,
): Result<VerifiedTerms, VerificationFailure> {
  const { verifier, evidence, verifiedAt } = finding;
  const terms = { verifier, evidence, verifiedAt, expiresAt: endOfFinding(finding, evidenceKind) };
  const failure = verificationFailure({ ...terms, evidenceKind }, now);
  return failure === null ? ok(terms) : err(failure);
}

/** The state that a request shows at a time. */
export function stateAt(
  { state, expiresAt }: { readonly state: VerificationState; readonly expiresAt: number | null },
  now: number,
): VerificationState {
  return state === 'VERIFIED' && expiresAt !== null && expiresAt <= now ? 'EXPIRED' : state;
}
