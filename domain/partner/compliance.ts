import type { ComplianceFacts } from '../accounts/account.ts';

/** Who an investor is: a person, or a company, a fund or a trust. */
export const INVESTOR_TYPES = ['entity', 'individual'] as const;

export type InvestorType = (typeof INVESTOR_TYPES)[number];

/** Checks of an investor, in the order in which an order names the one that stands in its way. */
export const CHECK_KINDS = [
  'kyc',
  'kyb',
  'sanctions_screening',
  'adverse_media_screening',
  'transaction_monitoring',
  'accreditation',
] as const;

export type CheckKind = (typeof CHECK_KINDS)[number];

export const CHECK_STATUSES = ['pending', 'passed', 'failed', 'expired'] as const;

export type CheckStatus = (typeof CHECK_STATUSES)[number];

/** A check as far as it decides whether its investor may trade. */
export interface ComplianceCheck {
  readonly kind: CheckKind;
  readonly status: CheckStatus;
  /** Unix milliseconds; null for one that has not passed. */
  readonly expiresAt: number | null;
}

/** The checks that are made of an investor: a business is known by its register and by the people behind it. */
export function checksOf(type: InvestorType): readonly CheckKind[] {
  return CHECK_KINDS.filter((kind) => kind !== 'kyb' || type === 'entity');
}

/** The status at a time: one that has passed ends by itself. */
export function statusAt({ status, expiresAt }: Omit<ComplianceCheck, 'kind'>, now: number): CheckStatus {
  return status === 'passed' && (expiresAt === null || expiresAt <= now) ? 'expired' : status;
}

export interface ComplianceFailure {
  readonly check: CheckKind;
  readonly status: CheckStatus;
}

/**
 * The first check that stands in an order's way, or null (docs/design/partner.md#compliance). A check without a record was not made.
 *
 * @param needsAccreditation whether the order buys what accredited investors alone may have
 */
export function complianceFailure(
  type: InvestorType,
  record: readonly ComplianceCheck[],
  needsAccreditation: boolean,
  now: number,
): ComplianceFailure | null {
  for (const kind of checksOf(type)) {
    if (kind === 'accreditation' && !needsAccreditation) continue;
    const check = record.find((each) => each.kind === kind);
    const status = check === undefined ? 'pending' : statusAt(check, now);
    if (status !== 'passed') return { check: kind, status };
  }
  return null;
}

/** Failures that freeze: the law forbids dealings with whom sanctions name (31 CFR 501.603), and suspicion is reported (31 CFR 1023.320). */
const FREEZING: ReadonlySet<CheckKind> = new Set<CheckKind>(['sanctions_screening', 'transaction_monitoring']);

/**
 * What the record makes of the facts of each account of the investor, accreditation apart, which has records of its own. Identity counts as verified while all
 * the other checks stand, so that admission, which asserts the facts' version, sees the end of any. A freeze is an operator's to lift.
 */
export function factsFollowing(
  type: InvestorType,
  record: readonly ComplianceCheck[],
  now: number,
): Pick<ComplianceFacts, 'kycStatus'> & Partial<Pick<ComplianceFacts, 'frozen'>> {
  const failed = record.filter(({ status }) => status === 'failed').map(({ kind }) => kind);
  const isFrozen = failed.some((kind) => FREEZING.has(kind));
  return { kycStatus: kycStatusOf(type, record, failed, now), ...(isFrozen ? { frozen: true } : {}) };
}

function kycStatusOf(
  type: InvestorType,
  record: readonly ComplianceCheck[],
  failed: readonly CheckKind[],
  now: number,
): ComplianceFacts['kycStatus'] {
  if (failed.includes('kyc') || failed.includes('kyb')) return 'rejected';
  return complianceFailure(type, record, false, now) === null ? 'completed' : 'pending';
}
