import { database } from '../../../data/database.ts';
import { findMarkets } from '../../../data/markets/markets.ts';
import type { SecuritiesOf } from '../../../data/partner/securities.ts';
import {
  findSettlement,
  listSettlements,
  type ReadSettlement,
  type Settlement,
  type SettlementQuery,
} from '../../../data/partner/settlements.ts';
import { partiesOfTrades, type TradeSides } from '../../../data/webhooks/trade-parties.ts';
import type { Receipt } from '../../../domain/consensus/receipt.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { type SettledTrade, settlementHash } from '../../../domain/settlement/settlement-record.ts';
import type { Finality } from '../../../durable-objects/sequencer/api.ts';
import { finalitiesOf } from '../../finality/finality-of.ts';
import { receiptOf } from '../../finality/receipt-of.ts';

/** A settlement with what its reader is shown beside it. */
export interface ShownSettlement extends ReadSettlement, TradeSides {
  readonly market: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>;
  /** `blockchain_transaction_id`. */
  readonly hash: `0x${string}`;
  /** Null where the sequencer does not answer. */
  readonly finality: Finality | null;
}

type SettlementEnv = Pick<
  Env,
  'DB' | 'VENUE_FIRM_NAME' | 'VENUE_CRD_NUMBER' | 'SETTLEMENT_SALT_KEY' | 'SEQUENCER' | 'CHECKPOINTER'
>;

/** Settlements of the reader's securities, newest first. */
export async function readSettlements(
  env: SettlementEnv,
  reader: SecuritiesOf,
  query: SettlementQuery,
): Promise<ShownSettlement[]> {
  return shown(env, await listSettlements(database(env.DB), reader, query));
}

/** One of them, or of a trade that an investor of the reader's is a party of; else null. */
export async function readSettlement(
  env: SettlementEnv,
  reader: SecuritiesOf,
  id: string,
): Promise<ShownSettlement | null> {
  const found = await findSettlement(database(env.DB), reader, id);
  if (found === null) return null;
  return (await shown(env, [found]))[0] ?? null;
}

/** What proves that a settlement is final, with both of its parties, whom the reader is shown anyway; null while it is not final. */
export function receiptOfSettlement(env: SettlementEnv, { settlement }: ShownSettlement): Promise<Receipt | null> {
  return receiptOf(env, settledTrade(settlement), ['buyer', 'seller']);
}

async function shown(env: SettlementEnv, settlements: readonly ReadSettlement[]): Promise<ShownSettlement[]> {
  if (settlements.length === 0) return [];
  const db = database(env.DB);
  const venue = { firmName: env.VENUE_FIRM_NAME, crdNumber: env.VENUE_CRD_NUMBER };
  const trades = settlements.map(({ settlement: { id, buyer, seller, buyOrder, sellOrder } }) => ({
    trade_id: id,
    buyer,
    seller,
    buy_order: buyOrder,
    sell_order: sellOrder,
  }));
  const ids = settlements.map(({ settlement }) => settlement.id);
  const [sides, markets, finalities] = await Promise.all([
    partiesOfTrades(db, trades, venue),
    findMarkets(db, [...new Set(settlements.map(({ settlement }) => settlement.book))]),
    finalitiesOf(env, ids),
  ]);
  return settlements.flatMap((read, at): ShownSettlement[] => {
    const { settlement } = read;
    const side = sides.get(settlement.id);
    const market = markets.get(settlement.book);
    if (side === undefined || market === undefined) return [];
    const hash = settlementHash(env.SETTLEMENT_SALT_KEY, settledTrade(settlement));
    return [{ ...read, market, hash, finality: finalities[at] ?? null, ...side }];
  });
}

function settledTrade(settlement: Settlement): SettledTrade {
  const { id, security, currency, quantity, price, notional, buyer, seller, executedAt } = settlement;
  return { tradeId: id, assetId: security, currency, quantity, price, notional, buyer, seller, executedAt };
}
