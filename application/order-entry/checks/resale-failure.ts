import { listFreeLots } from '../../../data/accounts/lots.ts';
import type { Instrument } from '../../../data/catalog/instruments.ts';
import { database } from '../../../data/database.ts';
import { requiresOf } from '../../../domain/accreditation/requires-of.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { isAtBroker } from '../../../domain/markets/market.ts';
import { type ResaleInput, type ResaleOutcome, resaleRule } from '../../../domain/resale/resale-rule.ts';
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
  instrument: Instrument,
  quantity: number,
  facts: AccountFacts,
): Promise<OrderEntryFailure | null> {
  const unknownBuyer = unknownBuyerFailure(instrument);
  if (unknownBuyer !== null) return unknownBuyer;
  if (!isToBroker(instrument) && !hasHoldPeriod(instrument.asset.regulation)) return null;
  if ((await resaleOfFreeLots(env, instrument, quantity, facts)).allowed) return null;
  if (!(await settleBeforeRead(env, facts.accountId))) return { reason: 'unavailable' };
  const outcome = await resaleOfFreeLots(env, instrument, quantity, facts);
  if (outcome.allowed) return null;
  const { restrictionEndsAt, rules } = outcome;
  return { reason: 'resale_restricted', restrictionEndsAt, rules };
}

/** Why no sale of the asset may go to the broker where it executes, or null. */
export function unknownBuyerFailure(
  instrument: Instrument,
): Extract<OrderEntryFailure, { reason: 'resale_restricted' }> | null {
  if (!isToBroker(instrument) || requiresOf(instrument.asset) === 0) return null;
  return { reason: 'resale_restricted', restrictionEndsAt: null, rules: ['broker_buyer_unknown'] };
}

/** To whom a sale of the lots that are free now, as D1 shows them, may go. */
export async function resaleOfFreeLots(
  env: Env,
  instrument: Instrument,
  quantity: number,
  seller: Pick<AccountFacts, 'accountId' | 'usPerson'>,
): Promise<ResaleOutcome> {
  const input = await readResaleInput(env, instrument, seller);
  return resaleRule({ ...input, lots: soldLots(input.lots, quantity) });
}

/** What the resale rule judges of all lots that are free now, as D1 shows them. */
export async function readResaleInput(
  env: Env,
  instrument: Instrument,
  { accountId, usPerson }: Pick<AccountFacts, 'accountId' | 'usPerson'>,
): Promise<ResaleInput> {
  const { asset } = instrument;
  const lots = asset.tracksLots ? await listFreeLots(database(env.DB), accountId, asset.id) : [];
  return {
    regulation: asset.regulation,
    accreditationType: asset.accreditationType,
    category: asset.category,
    sellerUsPerson: usPerson,
    isRouted: isToBroker(instrument),
    lots,
    now: Date.now(),
  };
}

function isToBroker({ market }: Instrument): boolean {
  return market !== null && isAtBroker(market);
}
