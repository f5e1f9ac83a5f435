import type { AssetRow } from '../../../data/catalog/assets.ts';
import { maySee } from '../../../domain/accreditation/may-see.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { readBalances } from '../../ledger/balances.ts';
import type { OrderRequest } from '../order-request.ts';

/**
 * Whether an order is answered as if its asset did not exist, because its sender may not see the offering and holds none of it. Profile
 * A names the accreditation rule to a buyer, as X-ERR-13 asks; whoever holds an asset knows of it, and may sell it.
 */
export async function isConcealed(
  env: Env,
  facts: AccountFacts,
  { instrument, side }: Pick<OrderRequest, 'instrument' | 'side'>,
  asset: AssetRow,
): Promise<boolean | 'unavailable'> {
  if (maySee(asset, facts)) return false;
  if (side === 'buy') return 'symbol' in instrument;
  const balanceOf = await readBalances(env, facts.accountId);
  if (balanceOf === null) return 'unavailable';
  const { available, held } = balanceOf(asset.id);
  return available + held === 0;
}
