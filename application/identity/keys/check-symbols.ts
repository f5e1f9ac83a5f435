import { database } from '../../../data/database.ts';
import { findMarketAssets } from '../../../data/markets/market-assets.ts';
import { maySee } from '../../../domain/accreditation/may-see.ts';
import { isListed } from '../../../domain/assets/is-listed.ts';
import type { AccountFacts } from '../../../domain/identity/principal.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { readBalances } from '../../ledger/balances.ts';

/**
 * INVALID_SYMBOL for the first symbol that is no market to the account: there is none, or it is of an offering that the account may not
 * see and holds nothing of. Null where the key may have them all.
 */
export async function checkSymbols(
  env: Env,
  facts: AccountFacts,
  symbols: readonly string[],
): Promise<ApiError | null> {
  const found = await findMarketAssets(database(env.DB), symbols);
  const listed = new Map(found.filter(({ asset }) => isListed(asset)).map(({ symbol, asset }) => [symbol, asset]));
  const isHidden = [...listed.values()].some((asset) => !maySee(asset, facts));
  const balanceOf = isHidden ? await readBalances(env, facts.accountId) : null;
  if (isHidden && balanceOf === null)
    return apiError('SERVICE_UNAVAILABLE', 'the ledger does not answer; please repeat');
  const holds = (asset: string): boolean => {
    const balance = balanceOf?.(asset);
    return balance !== undefined && balance.available + balance.held > 0;
  };
  const unknown = symbols.find((symbol) => {
    const asset = listed.get(symbol);
    return asset === undefined || !(maySee(asset, facts) || holds(asset.id));
  });
  return unknown === undefined ? null : apiError('INVALID_SYMBOL', 'trading pair unsupported', { symbol: unknown });
}
