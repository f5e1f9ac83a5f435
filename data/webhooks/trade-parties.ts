import { eq, inArray, sql } from 'drizzle-orm';
import type { InvestorType } from '../../domain/partner/compliance.ts';
import type { Database } from '../database.ts';
import { kindOfAccount } from '../onboarding/kind-of-account.ts';
import type { PartnerOrder } from '../partner/partner-orders.ts';
import { accounts } from '../schema/accounts.ts';
import { investors, partnerOrders } from '../schema/investors.ts';
import { listed, type PartnerFirm, partnerFirms } from './subscriptions.ts';

/** A broker-dealer as messages name it. */
export interface BrokerDealer {
  readonly firmName: string;
  readonly crdNumber: string;
}

/** One side of a trade. */
export interface TradeParty extends BrokerDealer {
  readonly accountId: string;
  readonly investorId: string;
  readonly accountType: InvestorType;
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

/**
 * Both sides of trades, by trade. The broker-dealer is the one that the order was placed for; of an order that says none, the firm of the partner
 * that has introduced the investor; for whoever trades here without a partner, the venue.
 */
export async function partiesOfTrades(
  db: Database,
  trades: readonly Traded[],
  venue: BrokerDealer,
): Promise<ReadonlyMap<string, TradeSides>> {
  const [holders, orders] = await Promise.all([
    holdersOf(
      db,
      trades.flatMap(({ buyer, seller }) => [buyer, seller]),
    ),
    ordersOf(
      db,
      trades.flatMap(({ buy_order, sell_order }) => [buy_order, sell_order]),
    ),
  ]);
  const firms = await partnerFirms(
    db,
    [...holders.values(), ...orders.values()].flatMap(({ organization }) => organization ?? []),
  );
  const partyOf = (accountId: string, orderId: string): TradeParty => {
    const { userId = null, accountType = 'entity', organization = null } = holders.get(accountId) ?? {};
    const order = orders.get(orderId);
    const partner = firms.get(order?.organization ?? organization ?? '') ?? null;
    return {
      accountId,
      investorId: userId ?? accountId,
      accountType,
      partner,
      ...brokerDealerOf(order, partner, venue),
    };
  };
  return new Map(
    trades.map(({ trade_id, buyer, seller, buy_order, sell_order }) => [
      trade_id,
      { buyer: partyOf(buyer, buy_order), seller: partyOf(seller, sell_order) },
    ]),
  );
}

function brokerDealerOf(
  order: PartnerOrder | undefined,
  partner: PartnerFirm | null,
  venue: BrokerDealer,
): BrokerDealer {
  if (order !== undefined) return { firmName: order.brokerDealerFirmName, crdNumber: order.brokerDealerCrdNumber };
  return partner === null ? venue : { firmName: partner.firmName, crdNumber: partner.crdNumber ?? '' };
}

/** Whose accounts are, by account: the user, whether it is a person, and the partner whose investor it is. */
async function holdersOf(db: Database, ids: readonly string[]) {
  const rows = await db
    .select({
      id: accounts.id,
      userId: accounts.userId,
      organization: investors.organization,
      accountType: kindOfAccount(sql`${accounts.userId}`),
    })
    .from(accounts)
    .leftJoin(investors, eq(investors.id, accounts.userId))
    .where(inArray(accounts.id, listed(ids)));
  return new Map(rows.map((row) => [row.id, row]));
}

/** By order; those of no partner are missing. */
async function ordersOf(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, PartnerOrder>> {
  const rows = await db
    .select()
    .from(partnerOrders)
    .where(inArray(partnerOrders.id, listed(ids)));
  return new Map(rows.map((row) => [row.id, row]));
}
