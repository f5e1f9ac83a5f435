import type { AssetRow } from '../../data/catalog/assets.ts';
import { listPayableAssets } from '../../data/catalog/payable-assets.ts';
import { database } from '../../data/database.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { readSettledBalances } from '../ledger/balances.ts';
import { knownBy } from './known-asset.ts';

/** So many assets one answer tells of. */
const ASSETS_MAX = 500;

/** What may be paid in and out, and what the account has of it, in units of the asset. */
export interface OwnMoney {
  readonly asset: AssetRow;
  readonly available: number;
  readonly held: number;
  readonly unsettled: number;
}

/** Everything that the account may ask to pay in or out, currencies first and each by symbol; null while the ledger cannot be asked. */
export async function listOwnMoney(env: Env, facts: AccountFacts): Promise<OwnMoney[] | null> {
  const payable = await listPayableAssets(database(env.DB), ASSETS_MAX);
  const balanceOf = await readSettledBalances(env, facts.accountId);
  if (balanceOf === null) return null;
  return [...knownBy(facts, payable, balanceOf).values()].map((asset) => {
    const { available, held, unsettled = 0 } = balanceOf(asset.id);
    return { asset, available, held, unsettled };
  });
}
