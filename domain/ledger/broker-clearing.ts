import type { VenueRoute } from '../markets/market.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { SettlementChunk, Trade } from './records.ts';

/** The order of a broker's side in a trade: no order of ours has such an id. */
const EXECUTION = 'execution:';

/** What stands for the broker's order in a trade that tells of one of its executions. */
export function orderOfExecution(executionId: string): string {
  return `${EXECUTION}${executionId}`;
}

/** The account through which cash and assets of a route's executions come and go. */
export const CLEARING_OF: Readonly<Record<VenueRoute, string>> = {
  broker: BOUNDARY_ACCOUNT.brokerClearing,
  prime: BOUNDARY_ACCOUNT.primeClearing,
};

export const CLEARING_ACCOUNTS = Object.values(CLEARING_OF);

/**
 * What comes and goes at an account of clearing is what trades with it say, to the unit: a book makes no cash and no shares there
 * beside its executions (docs/design/broker.md#clearing).
 *
 * @throws LedgerViolation when the moves of a chunk at that account are others
 */
export function checkClearing(
  chunk: Pick<SettlementChunk, 'trades' | 'balances'>,
  assets: { readonly baseAsset: string; readonly quoteAsset: string },
): void {
  for (const clearing of CLEARING_ACCOUNTS) checkAccount(clearing, chunk, assets);
}

function checkAccount(
  clearing: string,
  { trades, balances }: Pick<SettlementChunk, 'trades' | 'balances'>,
  { baseAsset, quoteAsset }: { readonly baseAsset: string; readonly quoteAsset: string },
): void {
  let [shares, cash] = [0, 0];
  for (const trade of trades) {
    if (trade.buyer !== clearing && trade.seller !== clearing) continue;
    checkExecution(trade, clearing);
    const isBought = trade.buyer === clearing;
    shares += isBought ? trade.quantity : -trade.quantity;
    cash += isBought ? waitingCash(trade) - trade.notional : trade.notional;
  }
  for (const { account, asset, available } of balances) {
    if (account !== clearing) continue;
    if (asset === baseAsset) shares -= available;
    else if (asset === quoteAsset) cash -= available;
    else throw new LedgerViolation(`a book moves ${asset} at ${clearing}, which it does not trade`);
  }
  if (shares !== 0 || cash !== 0)
    throw new LedgerViolation(`${clearing} moves ${shares} shares and ${cash} cash other than its trades say`);
}

/** What the broker owes for a sale stays here until it settles. */
function waitingCash({ settlesOn, notional, sellerFee }: Trade): number {
  return settlesOn == null ? 0 : notional - sellerFee;
}

/** One side is the broker's, named by its execution and free of our fees. */
function checkExecution(
  { id, buyer, seller, buyOrder, sellOrder, buyerFee, sellerFee }: Trade,
  clearing: string,
): void {
  const [order, fee] = buyer === clearing ? [buyOrder, buyerFee] : [sellOrder, sellerFee];
  if (buyer === seller || !order.startsWith(EXECUTION) || fee !== 0)
    throw new LedgerViolation(`trade ${id} is no execution of a broker`);
}
