import type { AssetRow } from '../../data/catalog/assets.ts';
import { maySee } from '../../domain/accreditation/may-see.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import type { AccountFacts } from '../../domain/identity/principal.ts';
import { type BalanceOf, readBalances } from '../ledger/balances.ts';

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
  const isAllShown = tradable.every((asset) => isShown(facts, asset));
  return knownBy(facts, tradable, isAllShown ? null : await readBalances(env, facts.accountId));
}

/** The same of an account whose balances were read already; null where they could not be. */
export function knownBy<A extends AssetRow>(
  facts: AccountFacts,
  assets: readonly A[],
  balanceOf: BalanceOf | null,
): ReadonlyMap<string, A> {
  const isHeld = ({ id }: A) => {
    const balance = balanceOf?.(id);
    return balance !== undefined && balance.available + balance.held > 0;
  };
  const known = assets.filter((asset) => asset.category !== 'allowance' && (isShown(facts, asset) || isHeld(asset)));
  return new Map(known.map((asset) => [asset.id, asset]));
}

function isShown(facts: AccountFacts, asset: AssetRow): boolean {
  return asset.rail === null || (isListed(asset) && maySee(asset, facts));
}
