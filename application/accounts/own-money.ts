import type { AssetRow } from '../../data/catalog/assets.ts';
import { listPayableAssets } from '../../data/catalog/payable-assets.ts';
import { database } from '../../data/database.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { listSettledBalances } from '../ledger/balances.ts';
import { knownAssets } from './known-asset.ts';

/** So many assets one answer tells of. */
const ASSETS_MAX = 500;

/** What may be paid in and out, and what the account has of it, in units of the asset. */
export interface OwnMoney {
  readonly asset: AssetRow;
  readonly available: number;
  readonly held: number;
  readonly unsettled: number;
}

/** Everything that the account may ask to pay in or out, by symbol; null while the ledger cannot be asked. */
export async function listOwnMoney(env: Env, facts: AccountFacts): Promise<OwnMoney[] | null> {
  const payable = await listPayableAssets(database(env.DB), ASSETS_MAX);
  const [known, balances] = await Promise.all([
    knownAssets(env, facts, payable),
    listSettledBalances(env, facts.accountId),
  ]);
  if (balances === null) return null;
  const byAsset = new Map(balances.map((balance) => [balance.asset, balance]));
  return payable
    .filter(({ id }) => known.has(id))
    .map((asset) => {
      const { available = 0, held = 0, unsettled = 0 } = byAsset.get(asset.id) ?? {};
      return { asset, available, held, unsettled };
    });
}
