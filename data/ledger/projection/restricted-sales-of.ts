import { isBoundary } from '../../../domain/ledger/balances.ts';
import type { LotMove, ReceivedLot, SettlementChunk } from '../../../domain/ledger/records.ts';
import type { RestrictedSaleRow } from './table-rows.ts';

type Terms = Pick<ReceivedLot, 'restrictionEndsAt' | 'offeringType'>;

/** A buyer's lot of the chunk, with what no share of a trade has been found for yet. */
interface Arriving extends Terms {
  left: number;
}

/**
 * Sales of a chunk under an exemption, at most a row for each trade and offering, each with the shares that arrived with an end: a lot arrives with one where
 * its seller's was within its hold. A sell hands its lots over one by one, in the order of the trades.
 */
export function restrictedSalesOf(
  asset: string,
  { trades, lots, lotMoves, orders }: SettlementChunk,
): RestrictedSaleRow[] {
  if (lots.every(({ restrictionEndsAt }) => restrictionEndsAt === null)) return [];
  const restrictedSells = new Set(orders.filter((order) => order.restricted).map(({ id }) => id));
  const buyers = new BuyersLots(lots);
  const sales = new Map<string, RestrictedSaleRow>();
  const handedOver = lotMoves.filter(({ consumed }) => consumed > 0).values();
  for (const { id: trade, buyOrder, sellOrder, buyer, seller, quantity: traded, executedAt: at } of trades) {
    const parts = isBoundary(seller) ? [] : partsOf(handedOver, traded);
    if (isBoundary(buyer)) continue;
    for (const part of buyers.receive({ trade, buyOrder, isRestricted: restrictedSells.has(sellOrder) }, parts)) {
      const { restrictionEndsAt: end, offeringType } = part;
      if (end === null) continue;
      const id = `${trade} ${offeringType ?? ''}`;
      const before = sales.get(id) ?? { quantity: 0, restrictionEndsAt: 0 };
      const quantity = before.quantity + part.quantity;
      const restrictionEndsAt = Math.max(end, before.restrictionEndsAt);
      sales.set(id, { id, trade, asset, buyOrder, buyer, quantity, restrictionEndsAt, offeringType, at });
    }
  }
  return [...sales.values()];
}

/** Those of the next trade. */
function partsOf(handedOver: Iterator<LotMove>, quantity: number): LotMove[] {
  const parts: LotMove[] = [];
  for (let wanted = quantity; wanted > 0; ) {
    const next = handedOver.next();
    if (next.done) break;
    parts.push(next.value);
    wanted -= next.value.consumed;
  }
  return parts;
}

/**
 * Finds the lot that each part went into. A lot is named after the trade that it began with. What a later trade adds to it is known by the seller's lot where
 * that has been seen before, else taken by size; over all trades a lot gets what it has, no share twice.
 */
class BuyersLots {
  readonly #begun: Map<string, Arriving[]>;
  readonly #arrived = new Map<string, Arriving[]>();
  /** Of sellers' lots, by id. */
  readonly #known = new Map<string, Terms>();

  constructor(lots: readonly ReceivedLot[]) {
    const begun = Map.groupBy(lots, ({ id }) => id.slice(0, id.lastIndexOf('.')));
    this.#begun = new Map(
      [...begun].map(([trade, of]) => [trade, of.map((lot) => ({ ...lot, left: lot.quantity }))] as const),
    );
  }

  receive(
    { trade, buyOrder, isRestricted }: { trade: string; buyOrder: string; isRestricted: boolean },
    parts: readonly LotMove[],
  ): (Terms & { readonly quantity: number })[] {
    const arrived = this.#arrived.get(buyOrder) ?? [];
    this.#arrived.set(buyOrder, arrived);
    const begins = [...(this.#begun.get(trade) ?? [])];
    return parts.flatMap(({ lotId, consumed }, index) => {
      const terms = this.#known.get(lotId);
      const mayBe = (lot: Arriving) =>
        terms === undefined ? isRestricted || lot.restrictionEndsAt === null : isSame(lot, terms);
      const mustBegin = begins.length >= parts.length - index;
      const joined = mustBegin ? undefined : bestFit(arrived.filter(mayBe), consumed);
      const into = joined ?? begins.shift() ?? arrived.find((lot) => mayBe(lot) && lot.left > 0);
      if (into === undefined) return [];
      if (into !== joined && !arrived.includes(into)) arrived.push(into);
      const { restrictionEndsAt, offeringType } = into;
      this.#known.set(lotId, { restrictionEndsAt, offeringType });
      const quantity = Math.min(into.left, consumed);
      into.left -= quantity;
      return [{ restrictionEndsAt, offeringType, quantity }];
    });
  }
}

function isSame(a: Terms, b: Terms): boolean {
  return a.restrictionEndsAt === b.restrictionEndsAt && a.offeringType === b.offeringType;
}

/** One that the part completes, else a restricted one: a sale is named rather than left out. */
function bestFit(lots: readonly Arriving[], quantity: number): Arriving | undefined {
  const fitting = lots.filter(({ left }) => left >= quantity);
  return (
    fitting.find(({ left }) => left === quantity) ??
    fitting.find(({ restrictionEndsAt }) => restrictionEndsAt !== null) ??
    fitting[0]
  );
}
