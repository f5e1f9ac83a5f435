import { listFreeLots } from '../../../data/accounts/lots.ts';
import type { Instrument } from '../../../data/catalog/instruments.ts';
import { database } from '../../../data/database.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { type ResaleOutcome, resaleRule, type SoldLot } from '../../../domain/resale/resale-rule.ts';
import { settleBeforeRead } from '../../ledger/settle-before-read.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Offerings with a hold period; of others the book looks at the lots when it reserves them. */
const HELD = new Set(['reg_d_506c', 'reg_d_506b', 'reg_cf', 'reg_s']);

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
  if (!asset.tracksLots || !HELD.has(asset.regulation ?? '')) return null;
  const db = database(env.DB);
  const look = async (): Promise<ResaleOutcome> =>
    resaleRule({
      regulation: asset.regulation,
      accreditationType: asset.accreditationType,
      sellerUsPerson: facts.usPerson,
      lots: oldest(await listFreeLots(db, facts.accountId, asset.id), quantity),
      now: Date.now(),
    });
  if ((await look()).allowed) return null;
  if (!(await settleBeforeRead(env, facts.accountId))) return { reason: 'unavailable' };
  const outcome = await look();
  return outcome.allowed ? null : { reason: 'resale_restricted', restrictionEndsAt: outcome.restrictionEndsAt };
}

/** The lots that a sale of `quantity` takes, oldest first, the last one in part. */
function oldest(lots: readonly SoldLot[], quantity: number): SoldLot[] {
  let left = quantity;
  return lots.map((lot) => {
    const taken = Math.min(left, lot.quantity);
    left -= taken;
    return { ...lot, quantity: taken };
  });
}
