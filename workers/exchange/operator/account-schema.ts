import { z } from '@hono/zod-openapi';
import type { AppliedFacts } from '../../../application/operator/apply-facts.ts';
import type { AccountRow } from '../../../data/accounts/accounts.ts';
import {
  ACCREDITATION_STATUSES,
  type ComplianceFacts,
  complianceFactsOf,
  KYC_STATUSES,
  MEANS_SCALE,
} from '../../../domain/accounts/account.ts';
import { ACCREDITATION_TYPES } from '../../../domain/assets/asset.ts';
import { fromScaled, toScaled } from '../../../domain/money/scaled.ts';
import { CancelledIds, PendingIds } from '../../responses/cancelled-order-ids.ts';
import { Reason } from './operator-route.ts';

const KycStatus = z.enum(KYC_STATUSES);
const AccreditationStatus = z.enum(ACCREDITATION_STATUSES);
const AccreditationType = z.enum(ACCREDITATION_TYPES).nullable();

const dollars = z
  .number()
  .nonnegative()
  .refine((value) => toScaled(value, MEANS_SCALE).ok, { error: 'US dollars with at most two decimals' });

/** Facts that an operator states; those left out stay as they are. Accreditation follows from its records. */
export const FactsRequest = z
  .object({
    kycStatus: KycStatus.optional(),
    usPerson: z.boolean().optional(),
    annualIncome: dollars.optional(),
    netWorth: dollars.optional(),
    reason: Reason.optional(),
  })
  .strict()
  .openapi('OperatorFactsRequest');

/** The facts of a request as the ledger keeps them. */
export function factsOf(body: z.infer<typeof FactsRequest>): Partial<ComplianceFacts> {
  const { annualIncome, netWorth, reason: _, ...facts } = body;
  const stated = {
    ...facts,
    ...(annualIncome === undefined ? {} : { annualIncome: cents(annualIncome) }),
    ...(netWorth === undefined ? {} : { netWorth: cents(netWorth) }),
  };
  return Object.fromEntries(Object.entries(stated).filter(([, value]) => value !== undefined));
}

function cents(value: number): number {
  const scaled = toScaled(value, MEANS_SCALE);
  if (!scaled.ok) throw new RangeError('the schema lets only whole cents through');
  return scaled.value;
}

export const FactsView = z
  .object({
    kycStatus: KycStatus,
    accreditationStatus: AccreditationStatus,
    accreditationType: AccreditationType,
    usPerson: z.boolean(),
    annualIncome: z.number(),
    netWorth: z.number(),
    frozen: z.boolean(),
  })
  .openapi('OperatorFacts');

export function factsView(facts: ComplianceFacts): z.infer<typeof FactsView> {
  const { annualIncome, netWorth } = facts;
  return { ...facts, annualIncome: fromScaled(annualIncome, MEANS_SCALE), netWorth: fromScaled(netWorth, MEANS_SCALE) };
}

/** Open orders, and in how many markets they stand. */
export const OpenOrdersView = z.object({ orders: z.int(), markets: z.int() });

/** Whose an account is, by the name that their user has. */
export const HolderName = z.string().nullable().openapi({ description: 'Of whom it is; null where nobody has it.' });

export const AccountView = z
  .object({ accountId: z.string(), owner: z.string(), userId: z.string().nullable(), facts: FactsView })
  .openapi('OperatorAccount');

export function accountView(account: AccountRow): z.infer<typeof AccountView> {
  const { id: accountId, owner, userId } = account;
  return { accountId, owner, userId, facts: factsView(complianceFactsOf(account)) };
}

export const FactsChangeView = z
  .object({
    accountId: z.string(),
    before: FactsView,
    after: FactsView,
    cancelledOrders: CancelledIds,
    pendingOrderIds: PendingIds,
  })
  .openapi('OperatorFactsChange');

export function factsChangeView(accountId: string, applied: AppliedFacts): z.infer<typeof FactsChangeView> {
  const { before, after, cancelled } = applied;
  return {
    accountId,
    before: factsView(before),
    after: factsView(after),
    cancelledOrders: [...cancelled.orderIds],
    pendingOrderIds: [...cancelled.pendingOrderIds],
  };
}
