import type { ReceivedLot, SettlementChunk } from '../../../domain/ledger/records.ts';
import type { RestrictedSaleRow } from './table-rows.ts';

/** A lot that has arrived within its hold. */
type RestrictedLot = ReceivedLot & { readonly restrictionEndsAt: number };

/**
 * Sales of a chunk under an exemption, at most a row for each trade and offering: a lot arrives with an end where its seller's was within its hold. A lot is
 * named after the trade that it began with; what a later trade adds to it is taken for shares of the buyer's last such lot.
 */
export function restrictedSalesOf(asset: string, { trades, lots, orders }: SettlementChunk): RestrictedSaleRow[] {
  const begun = Map.groupBy(lots.filter(isRestricted), ({ id }) => id.slice(0, id.lastIndexOf('.')));
  if (begun.size === 0) return [];
  const restrictedSells = new Set(orders.filter((order) => order.restricted).map(({ id }) => id));
  const lastLots = new Map<string, RestrictedLot>();
  const sales = new Map<string, RestrictedSaleRow>();
  for (const { id: trade, buyOrder, sellOrder, buyer, quantity, executedAt: at } of trades) {
    const arrived = begun.get(trade) ?? [];
    const lastLot = arrived.at(-1) ?? lastLots.get(buyOrder);
    if (lastLot === undefined) continue;
    lastLots.set(buyOrder, lastLot);
    if (!restrictedSells.has(sellOrder)) continue;
    for (const { restrictionEndsAt: end, offeringType } of arrived.length > 0 ? arrived : [lastLot]) {
      const id = `${trade} ${offeringType ?? ''}`;
      const restrictionEndsAt = Math.max(end, sales.get(id)?.restrictionEndsAt ?? 0);
      sales.set(id, { id, trade, asset, buyOrder, buyer, quantity, restrictionEndsAt, offeringType, at });
    }
  }
  return [...sales.values()];
}

function isRestricted(lot: ReceivedLot): lot is RestrictedLot {
  return lot.restrictionEndsAt !== null;
}
