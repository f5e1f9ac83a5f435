import type { SettlementChunk } from '../../../domain/ledger/records.ts';
import type { RestrictedSaleRow } from './table-rows.ts';

/**
 * Sales of a chunk under an exemption: a lot arrives with an end where its seller's was within its hold. Which of several restricted sells a lot came from
 * the chunk does not say, so that each is named with it.
 */
export function restrictedSalesOf(asset: string, { trades, lots, orders }: SettlementChunk): RestrictedSaleRow[] {
  const restricted = lots.filter(({ restrictionEndsAt }) => restrictionEndsAt !== null);
  if (restricted.length === 0) return [];
  const restrictedSells = new Set(orders.filter((order) => order.restricted).map(({ id }) => id));
  const buyOrders = new Map(trades.map(({ id, buyOrder }) => [id, buyOrder]));
  return restricted.flatMap(({ id: lot, restrictionEndsAt, offeringType }) => {
    const buyOrder = buyOrders.get(lot.slice(0, lot.lastIndexOf('.')));
    return trades
      .filter((trade) => trade.buyOrder === buyOrder && restrictedSells.has(trade.sellOrder))
      .map(
        ({ id: trade, buyOrder, buyer, quantity, executedAt: at }): RestrictedSaleRow => ({
          id: `${lot} ${trade}`,
          trade,
          asset,
          buyOrder,
          buyer,
          quantity,
          restrictionEndsAt: restrictionEndsAt ?? 0,
          offeringType,
          at,
        }),
      );
  });
}
