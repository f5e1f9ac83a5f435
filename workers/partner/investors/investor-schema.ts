import { z } from '@hono/zod-openapi';
import type { InvestorCheck } from '../../../data/partner/investor-checks.ts';
import type { Investor, InvestorAccount } from '../../../data/partner/investors.ts';
import { ACCREDITATION_STATUSES, KYC_STATUSES } from '../../../domain/accounts/account.ts';
import { ACCREDITATION_TYPES } from '../../../domain/assets/asset.ts';
import {
  CHECK_KINDS,
  CHECK_STATUSES,
  checksOf,
  complianceFailure,
  INVESTOR_TYPES,
  statusAt,
} from '../../../domain/partner/compliance.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { COMPLIANCE_CHECK, INVESTOR, INVESTOR_ACCOUNT } from '../examples.ts';

export const InvestorAccountView = z
  .object({
    account_id: z.string(),
    kyc_status: z.enum(KYC_STATUSES),
    accreditation_status: z.enum(ACCREDITATION_STATUSES),
    accreditation_type: z.enum(ACCREDITATION_TYPES).nullable(),
    frozen: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .openapi('InvestorAccount', { example: INVESTOR_ACCOUNT });

export const InvestorView = z
  .object({
    investor_id: z.uuid(),
    name: z.string(),
    account_type: z.enum(INVESTOR_TYPES),
    country: z.string().openapi({ example: 'US' }),
    us_person: z.boolean(),
    accounts: z.array(InvestorAccountView),
    created_at: z.iso.datetime(),
  })
  .openapi('Investor', { example: INVESTOR });

const CheckView = z
  .object({
    kind: z.enum(CHECK_KINDS),
    status: z.enum(CHECK_STATUSES),
    provider: z.string().nullable().openapi({ description: 'Who has found it; null before anything was found.' }),
    reference: z.string().nullable().openapi({ description: 'Id of what was found, at the provider.' }),
    reason: z.string().nullable().openapi({ description: 'Why it has failed.' }),
    checked_at: z.iso.datetime().nullable(),
    expires_at: z.iso.datetime().nullable(),
    in_progress: z.boolean().openapi({ description: 'Whether the check is being made, or made anew.' }),
  })
  .openapi('ComplianceCheck', { example: COMPLIANCE_CHECK });

export const ComplianceView = z
  .object({
    investor_id: z.uuid(),
    account_type: z.enum(INVESTOR_TYPES),
    cleared: z.boolean().openapi({ description: 'Whether every check but accreditation has passed and not expired.' }),
    checks: z.array(CheckView),
  })
  .openapi('ComplianceRecord');

export function accountOnWire(account: InvestorAccount): z.infer<typeof InvestorAccountView> {
  return {
    account_id: account.id,
    kyc_status: account.kycStatus,
    accreditation_status: account.accreditationStatus,
    accreditation_type: account.accreditationType,
    frozen: account.frozen,
    created_at: isoTime(account.createdAt),
  };
}

/** @param accounts of this investor, among others */
export function investorOnWire(investor: Investor, accounts: readonly InvestorAccount[]): z.infer<typeof InvestorView> {
  const { id, name, accountType, country, usPerson, createdAt } = investor;
  return {
    investor_id: id,
    name,
    account_type: accountType,
    country,
    us_person: usPerson,
    accounts: accounts.filter(({ investor: of }) => of === id).map(accountOnWire),
    created_at: isoTime(createdAt),
  };
}

export function complianceOnWire(
  { id, accountType }: Investor,
  checks: readonly InvestorCheck[],
  now: number,
): z.infer<typeof ComplianceView> {
  return {
    investor_id: id,
    account_type: accountType,
    cleared: complianceFailure(accountType, checks, false, now) === null,
    checks: checksOf(accountType).flatMap((kind) => {
      const check = checks.find((each) => each.kind === kind);
      return check === undefined ? [] : [checkOnWire(check, now)];
    }),
  };
}

function checkOnWire(check: InvestorCheck, now: number): z.infer<typeof CheckView> {
  const { kind, provider, reference, reason, checkedAt, expiresAt, open } = check;
  return {
    kind,
    status: statusAt(check, now),
    provider,
    reference,
    reason,
    checked_at: isoTimeOrNull(checkedAt),
    expires_at: isoTimeOrNull(expiresAt),
    in_progress: open,
  };
}

/** Another partner's is not there either. */
export function noSuchInvestor(): ApiError {
  return apiError('NOT_FOUND', 'investor does not exist', { field: 'investor_id' });
}
