import { listFreeLots } from '../../../data/accounts/lots.ts';
import type { Instrument } from '../../../data/catalog/instruments.ts';
import { database } from '../../../data/database.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { type ResaleOutcome, resaleRule } from '../../../domain/resale/resale-rule.ts';
import { hasHoldPeriod, soldLots } from '../../../domain/resale/sold-lots.ts';
import { settleBeforeRead } from '../../ledger/settle-before-read.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/**
 * Why a sale would break a resale restriction (X-AEP-29), or null. Admission decides over the lots that it reserves. This check looks
 * ahead only so that a restriction is named before a shortage (X-AEP-30), and refuses nothing before the account's acknowledged orders
 * have settled.
 */
export async function resaleFailure(
  env: Env,
  { asset }: Instrument,
  quantity: number,
  facts: AccountFacts,
): Promise<OrderEntryFailure | null> {
  if (!asset.tracksLots || !hasHoldPeriod(asset.regulation)) return null;
  const db = database(env.DB);
  const look = async (): Promise<ResaleOutcome> =>
    resaleRule({
      regulation: asset.regulation,
      accreditationType: asset.accreditationType,
      category: asset.category,
      sellerUsPerson: facts.usPerson,
      lots: soldLots(await listFreeLots(db, facts.accountId, asset.id), quantity),
      now: Date.now(),
    });
  if ((await look()).allowed) return null;
  if (!(await settleBeforeRead(env, facts.accountId))) return { reason: 'unavailable' };
  const outcome = await look();
  return outcome.allowed ? null : { reason: 'resale_restricted', restrictionEndsAt: outcome.restrictionEndsAt };
}
