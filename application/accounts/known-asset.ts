import type { AssetRow } from '../../data/catalog/assets.ts';
import { maySee } from '../../domain/accreditation/may-see.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { readBalances } from '../ledger/balances.ts';

/**
 * Those of these assets that an account may learn of: currencies, what is listed and may be shown to its user (17 CFR 230.502(c)), and what it holds. Whoever
 * names another one is answered as if it did not exist. While the ledger cannot be asked, nobody holds anything.
 */
export async function knownAssets<A extends AssetRow>(
  env: Env,
  facts: AccountFacts,
  assets: readonly A[],
): Promise<ReadonlyMap<string, A>> {
  const tradable = assets.filter(({ category }) => category !== 'allowance');
  const isShown = (asset: A) => asset.rail === null || (isListed(asset) && maySee(asset, facts));
  const known = new Map(tradable.filter(isShown).map((asset) => [asset.id, asset]));
  if (known.size === tradable.length) return known;
  const balanceOf = await readBalances(env, facts.accountId);
  for (const asset of tradable) {
    const balance = balanceOf?.(asset.id);
    if (balance !== undefined && balance.available + balance.held > 0) known.set(asset.id, asset);
  }
  return known;
}
