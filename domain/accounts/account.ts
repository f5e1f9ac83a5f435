import type { AccreditationType } from '../assets/asset.ts';

export const KYC_STATUSES = ['pending', 'completed', 'rejected'] as const;

type KycStatus = (typeof KYC_STATUSES)[number];

export const ACCREDITATION_STATUSES = ['none', 'pending', 'completed', 'expired'] as const;

type AccreditationStatus = (typeof ACCREDITATION_STATUSES)[number];

/** Decimals of income and net worth, which are kept in US cents. */
export const MEANS_SCALE = 2;

/** What the checks of order entry need to know of an account's owner. */
export interface ComplianceFacts {
  readonly kycStatus: KycStatus;
  readonly accreditationStatus: AccreditationStatus;
  readonly accreditationType: AccreditationType | null;
  readonly usPerson: boolean;
  /** US cents, for the Reg CF limit, 17 CFR 227.100(a)(2). */
  readonly annualIncome: number;
  /** US cents. */
  readonly netWorth: number;
  readonly frozen: boolean;
}

/** The facts alone of a record that has more. */
export function complianceFactsOf(record: ComplianceFacts): ComplianceFacts {
  const { kycStatus, accreditationStatus, accreditationType, usPerson, annualIncome, netWorth, frozen } = record;
  return { kycStatus, accreditationStatus, accreditationType, usPerson, annualIncome, netWorth, frozen };
}

/** What opens an account; facts left out take the schema's defaults (nothing is proven). */
export type AccountTerms = { readonly id: string } & Partial<ComplianceFacts>;
