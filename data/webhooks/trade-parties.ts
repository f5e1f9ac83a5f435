import type { Database } from '../database.ts';
import { type PartnerFirm, usersOfAccounts } from './subscriptions.ts';

/** A broker-dealer as messages name it. */
export interface BrokerDealer {
  readonly firmName: string;
  readonly crdNumber: string;
}

/** One side of a trade. */
export interface TradeParty extends BrokerDealer {
  readonly accountId: string;
  readonly investorId: string;
  readonly accountType: 'entity' | 'individual';
  /** The partner whose investor it is; null for the venue's own. */
  readonly partner: PartnerFirm | null;
}

export interface TradeSides {
  readonly buyer: TradeParty;
  readonly seller: TradeParty;
}

/** Accounts and orders of a trade. */
interface Traded {
  readonly trade_id: string;
  readonly buyer: string;
  readonly seller: string;
  readonly buy_order: string;
  readonly sell_order: string;
}

/** Both sides of trades, by trade. For whoever trades here without a partner the venue is the broker-dealer. */
export async function partiesOfTrades(
  db: Database,
  trades: readonly Traded[],
  venue: BrokerDealer,
): Promise<ReadonlyMap<string, TradeSides>> {
  const users = await usersOfAccounts(
    db,
    trades.flatMap(({ buyer, seller }) => [buyer, seller]),
  );
  const partyOf = (accountId: string): TradeParty => ({
    accountId,
    investorId: users.get(accountId) ?? accountId,
    accountType: users.has(accountId) ? 'individual' : 'entity',
    partner: null,
    ...venue,
  });
  return new Map(
    trades.map(({ trade_id, buyer, seller }) => [trade_id, { buyer: partyOf(buyer), seller: partyOf(seller) }]),
  );
}
