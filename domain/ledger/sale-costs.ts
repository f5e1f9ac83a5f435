import { mulDivFloorAtMost } from '../money/arithmetic.ts';
import { boundedCost } from './balances.ts';
import type { SaleCost } from './journal-row.ts';
import type { LedgerState } from './ledger-state.ts';
import type { SettlementChunk } from './records.ts';
import { leavingOf } from './traded-lots-of.ts';
import type { BookBatch } from './transactions.ts';

/** Shares of one account that leave in a chunk, and what they had cost. */
interface Source {
  quantity: number;
  cost: number;
}

/**
 * What the shares of each trade of a chunk had cost their seller, in the order of its trades: by the lots that leave, first-in-first-out as they
 * were reserved, or a share of what the chunk takes off the average cost where the asset has no lots. Together they are what leaves, to the
 * last unit. Call it before anything of the chunk is settled.
 */
export function saleCostsOf(state: LedgerState, batch: BookBatch, chunk: SettlementChunk): SaleCost[] {
  if (chunk.trades.length === 0) return [];
  const sources = batch.tracksLots ? lotsOf(state, chunk) : holdingsOf(state, batch, chunk);
  return chunk.trades.map(({ seller, quantity }) => take(sources.get(seller) ?? [], quantity));
}

/** Books hand lots over fill by fill, so those of an account leave in the order of its trades. */
function lotsOf(state: LedgerState, chunk: SettlementChunk): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  for (const { account, quantity, cost } of leavingOf(state, chunk)) {
    const own = sources.get(account);
    if (own === undefined) sources.set(account, [{ quantity, cost }]);
    else own.push({ quantity, cost });
  }
  return sources;
}

function holdingsOf(
  { balances, ruleSet }: LedgerState,
  { baseAsset }: BookBatch,
  chunk: SettlementChunk,
): Map<string, Source[]> {
  const sources = new Map<string, Source[]>();
  for (const { account, asset, sold } of chunk.balances) {
    if (sold === 0 || asset !== baseAsset) continue;
    const balance = balances.find(account, asset);
    const cost = balance < 0 ? 0 : balances.costOf(balance, sold, ruleSet);
    sources.set(account, [{ quantity: sold, cost }]);
  }
  return sources;
}

function take(sources: Source[], quantity: number): SaleCost {
  let [wanted, cost] = [quantity, 0];
  while (wanted > 0) {
    const [from] = sources;
    if (from === undefined) return null;
    const part = Math.min(wanted, from.quantity);
    const share = mulDivFloorAtMost(from.cost, part, from.quantity);
    from.quantity -= part;
    from.cost -= share;
    wanted -= part;
    cost += share;
    if (from.quantity === 0) sources.shift();
  }
  return boundedCost(cost);
}
