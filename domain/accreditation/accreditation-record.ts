import type { ComplianceFacts } from '../accounts/account.ts';
import type { AccreditationType } from '../assets/asset.ts';
import { addMonths } from '../calendar/add-months.ts';
import { type EvidenceKind, evidenceEndsAt } from './evidence.ts';

/** A third party has verified the person (506(c)), or the person has stated it (506(b)). */
export const ACCREDITATION_RECORD_KINDS = ['third_party', 'self_attestation'] as const;

export type AccreditationRecordKind = (typeof ACCREDITATION_RECORD_KINDS)[number];

/** What an accreditation rests on, as far as it decides whether it stands. */
export interface AccreditationGround {
  readonly kind: AccreditationRecordKind;
  /** Unix milliseconds; null for one that does not expire. */
  readonly expiresAt: number | null;
  /** When an operator ended it; null while none has. */
  readonly endedAt: number | null;
}

type Standing = Pick<ComplianceFacts, 'accreditationStatus' | 'accreditationType'>;

/** What records make of an account: the best that stands; `expired` where only what has expired is left. */
export function accreditationOf(records: readonly AccreditationGround[], now: number): Standing {
  const open = records.filter(({ endedAt }) => endedAt === null);
  const standing = open.filter(({ expiresAt }) => expiresAt === null || expiresAt > now);
  const isThere = (kind: AccreditationGround['kind']): boolean => standing.some((record) => record.kind === kind);
  if (isThere('third_party')) return { accreditationStatus: 'completed', accreditationType: '506c' };
  if (isThere('self_attestation')) return { accreditationStatus: 'completed', accreditationType: '506b' };
  if (open.length > 0) return { accreditationStatus: 'expired', accreditationType: '506c' };
  return { accreditationStatus: 'none', accreditationType: null };
}

/** Until when an account counts as accredited of this type: the last end among the records that this rests on; null where one of them has none, or none stands. */
export function accreditationEndsAt(
  records: readonly AccreditationGround[],
  type: AccreditationType,
  now: number,
): number | null {
  const kind = type === '506c' ? 'third_party' : 'self_attestation';
  const ends = records
    .filter((record) => record.kind === kind && record.endedAt === null)
    .map(({ expiresAt }) => expiresAt ?? Number.POSITIVE_INFINITY)
    .filter((end) => end > now);
  const last = Math.max(...ends);
  return Number.isFinite(last) ? last : null;
}

const VERIFIED_WITHIN_MONTHS = 3;
const VALID_FOR_MONTHS_MAX = 60;

export type VerificationFailure = 'in_the_future' | 'too_old' | 'expired' | 'valid_too_long';

export interface VerificationTerms {
  readonly verifiedAt: number;
  readonly expiresAt: number;
  /** Null where nobody says what it rests on. */
  readonly evidenceKind: EvidenceKind | null;
}

/**
 * Why a verification by a third party does not do, or null: it is of the last three months (17 CFR 230.506(c)(2)(ii)(C)), and stands for five
 * years at most (…(E)), or as long as its evidence speaks.
 */
export function verificationFailure(
  { verifiedAt, expiresAt, evidenceKind }: VerificationTerms,
  now: number,
): VerificationFailure | null {
  if (verifiedAt > now) return 'in_the_future';
  if (verifiedAt < addMonths(now, -VERIFIED_WITHIN_MONTHS)) return 'too_old';
  if (expiresAt <= now) return 'expired';
  if (expiresAt > addMonths(verifiedAt, VALID_FOR_MONTHS_MAX)) return 'valid_too_long';
  if (evidenceKind !== null && expiresAt > evidenceEndsAt(evidenceKind, verifiedAt)) return 'valid_too_long';
  return null;
}
