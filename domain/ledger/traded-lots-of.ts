import { mulDivFloorAtMost } from '../money/arithmetic.ts';
import { type DollarRate, inDollarsUp } from '../money/dollar-rate.ts';
import { isBoundary } from './balances.ts';
import type { LedgerState } from './ledger-state.ts';
import type { ReceivedLot, SettlementChunk, Trade } from './records.ts';
import type { GivenLot, ReceivedPart, TradedLots } from './traded-lots.ts';

/** Shares that leave a lot in a chunk, with what is still to be given to trades of it. */
interface Leaving extends Omit<GivenLot, 'quantity' | 'cost'> {
  readonly account: string;
  quantity: number;
  cost: number;
}

/** A buyer's lot of the chunk, with what no trade of it has been found for yet. */
interface Arriving {
  readonly lot: ReceivedLot;
  left: number;
}

/** A broker gives shares of no lot, and keeps none of those that it takes. */
const FROM_OUTSIDE = { restrictionEndsAt: null, offeringType: null } as const;
const TO_OUTSIDE = 'outside';

/** Whose doing a trade is. What executes elsewhere is that of the account that has an order there. */
export function takerOf({ takerSide, buyer, seller }: Pick<Trade, 'takerSide' | 'buyer' | 'seller'>): string {
  const [taker, maker] = takerSide === 'buy' ? [buyer, seller] : [seller, buyer];
  return isBoundary(taker) ? maker : taker;
}

/** Fills of one order in one chunk make one lot per restriction and offering. */
function lotKey(buyOrder: string, restrictionEndsAt: number | null, offeringType: string | null): string {
  return [buyOrder, restrictionEndsAt, offeringType].join(' ');
}

/**
 * Which shares each trade of a chunk moves: books hand lots over fill by fill, in the order of their trades. Null where the chunk's lots and
 * trades do not fit each other. Call it before anything of the chunk is settled.
 *
 * @param rate that what buyers have paid is kept at, in dollars
 */
export function tradedLotsOf(
  state: LedgerState,
  chunk: SettlementChunk,
  rate: DollarRate | null,
): Map<string, TradedLots> | null {
  const leaving = leavingOf(state, chunk);
  const arriving = arrivingOf(chunk);
  const byTrade = new Map<string, TradedLots>();
  let at = 0;
  for (const trade of chunk.trades) {
    const given: GivenLot[] = [];
    const received = new Map<string, ReceivedPart>();
    const paid = trade.notional + trade.buyerFee;
    let [wanted, costLeft] = [trade.quantity, paid];
    if (isBoundary(trade.seller)) {
      const lot = arrive(arriving, trade, { quantity: wanted, ...FROM_OUTSIDE });
      if (lot === null) return null;
      received.set(lot.id, { lotId: lot.id, quantity: wanted, cost: paid });
      wanted = 0;
    }
    while (wanted > 0) {
      const from = leaving[at];
      if (from === undefined || from.account !== trade.seller) return null;
      const quantity = Math.min(wanted, from.quantity);
      const part = partOf(from, quantity);
      given.push(part);
      const lot = isBoundary(trade.buyer) ? TO_OUTSIDE : arrive(arriving, trade, part);
      if (lot === null) return null;
      // As the book divides it (durable-objects/order-book/settlement/lot-moves.ts): the last part costs what is left.
      const cost = quantity === wanted ? costLeft : mulDivFloorAtMost(paid, quantity, trade.quantity);
      if (lot !== TO_OUTSIDE) {
        const before = received.get(lot.id) ?? { quantity: 0, cost: 0 };
        received.set(lot.id, { lotId: lot.id, quantity: before.quantity + quantity, cost: before.cost + cost });
      }
      wanted -= quantity;
      costLeft -= cost;
      if (from.quantity === 0) at += 1;
    }
    const inDollars = Array.from(received.values(), (part) => ({ ...part, cost: inDollarsUp(part.cost, rate) }));
    byTrade.set(trade.id, { given, received: inDollars });
  }
  return byTrade;
}

/** Lots of buyers by `lotKey`. The id of a lot names the trade that it began with. */
function arrivingOf({ trades, lots }: SettlementChunk): Map<string, Arriving> {
  const buyOrders = new Map(trades.map(({ id, buyOrder }) => [id, buyOrder]));
  const arriving = new Map<string, Arriving>();
  for (const lot of lots) {
    const buyOrder = buyOrders.get(lot.id.slice(0, lot.id.lastIndexOf('.')));
    if (buyOrder !== undefined)
      arriving.set(lotKey(buyOrder, lot.restrictionEndsAt, lot.offeringType), { lot, left: lot.quantity });
  }
  return arriving;
}

/** Shares that leave in a chunk, lot by lot, in the order in which its book hands them over. */
export function leavingOf({ lots, balances }: LedgerState, { lotMoves }: SettlementChunk): Leaving[] {
  const leaving: Leaving[] = [];
  const gone = new Map<number, { quantity: number; cost: number }>();
  for (const { lotId, consumed } of lotMoves) {
    const lot = lots.ids.find(lotId);
    if (consumed === 0 || lot < 0) continue;
    // A lot that several fills take from loses its cost bit by bit, as it will when they settle.
    const before = gone.get(lot) ?? { quantity: 0, cost: 0 };
    const left = { quantity: lots.quantity(lot) - before.quantity, cost: lots.cost(lot) - before.cost };
    if (consumed > left.quantity) continue;
    const cost = mulDivFloorAtMost(left.cost, consumed, left.quantity);
    gone.set(lot, { quantity: before.quantity + consumed, cost: before.cost + cost });
    leaving.push({
      account: balances.accountId(lots.balance(lot)),
      quantity: consumed,
      cost,
      acquiredAt: lots.acquiredAt(lot),
      restrictionEndsAt: lots.restrictionEndsAt(lot),
      offeringType: lots.offeringType(lot),
      ...(lots.origin(lot) === 'bought' ? { isBought: true } : {}),
    });
  }
  return leaving;
}

function partOf(from: Leaving, quantity: number): GivenLot {
  const { account: _, quantity: __, cost: ___, ...terms } = from;
  const cost = quantity === from.quantity ? from.cost : mulDivFloorAtMost(from.cost, quantity, from.quantity);
  from.quantity -= quantity;
  from.cost -= cost;
  return { quantity, cost, ...terms };
}

/** The buyer's lot that the part went into; null where it does not fit. */
function arrive(
  arriving: ReadonlyMap<string, Arriving>,
  { buyer, buyOrder, executedAt }: Trade,
  { quantity, restrictionEndsAt: end, offeringType }: Pick<GivenLot, 'quantity' | 'restrictionEndsAt' | 'offeringType'>,
): ReceivedLot | null {
  const restrictionEndsAt = end !== null && end > executedAt ? end : null;
  const into = arriving.get(lotKey(buyOrder, restrictionEndsAt, offeringType));
  if (into === undefined || into.lot.account !== buyer || into.left < quantity) return null;
  into.left -= quantity;
  return into.lot;
}
