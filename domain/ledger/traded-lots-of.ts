import { mulDivFloor } from '../money/arithmetic.ts';
import type { LedgerState } from './ledger-state.ts';
import type { ReceivedLot, SettlementChunk, Trade } from './records.ts';
import type { GivenLot, TradedLots } from './traded-lots.ts';

/** Shares that leave a lot in a chunk, with what is still to be given to trades of it. */
interface Leaving extends Omit<GivenLot, 'quantity' | 'cost'> {
  readonly account: string;
  quantity: number;
  cost: number;
}

interface Arriving {
  readonly lot: ReceivedLot;
  left: number;
}

/**
 * Which shares each trade of a chunk moves: books hand lots over fill by fill, in the order of their trades. Null where the chunk's lots and
 * trades do not fit each other. Call it before anything of the chunk is settled.
 */
export function tradedLotsOf(state: LedgerState, chunk: SettlementChunk): Map<string, TradedLots> | null {
  const leaving = leavingOf(state, chunk);
  const arriving = chunk.lots.map((lot): Arriving => ({ lot, left: lot.quantity }));
  const byTrade = new Map<string, TradedLots>();
  let at = 0;
  for (const trade of chunk.trades) {
    const given: GivenLot[] = [];
    const received: { lotId: string; quantity: number }[] = [];
    for (let wanted = trade.quantity; wanted > 0; ) {
      const from = leaving[at];
      if (from === undefined || from.account !== trade.seller) return null;
      const quantity = Math.min(wanted, from.quantity);
      const part = partOf(from, quantity);
      given.push(part);
      if (!arrive(arriving, trade, part, received)) return null;
      wanted -= quantity;
      if (from.quantity === 0) at += 1;
    }
    byTrade.set(trade.id, { given, received });
  }
  return byTrade;
}

function leavingOf({ lots, balances }: LedgerState, { lotMoves }: SettlementChunk): Leaving[] {
  const leaving: Leaving[] = [];
  const gone = new Map<number, { quantity: number; cost: number }>();
  for (const { lotId, consumed } of lotMoves) {
    const lot = lots.ids.find(lotId);
    if (consumed === 0 || lot < 0) continue;
    // A lot that several fills take from loses its cost bit by bit, as it will when they settle.
    const before = gone.get(lot) ?? { quantity: 0, cost: 0 };
    const left = { quantity: lots.quantity(lot) - before.quantity, cost: lots.cost(lot) - before.cost };
    if (consumed > left.quantity) continue;
    const cost = mulDivFloor(left.cost, consumed, left.quantity);
    gone.set(lot, { quantity: before.quantity + consumed, cost: before.cost + cost });
    leaving.push({
      account: balances.accountId(lots.balance(lot)),
      quantity: consumed,
      cost,
      acquiredAt: lots.acquiredAt(lot),
      restrictionEndsAt: lots.restrictionEndsAt(lot),
      offeringType: lots.offeringType(lot),
    });
  }
  return leaving;
}

function partOf(from: Leaving, quantity: number): GivenLot {
  const { acquiredAt, restrictionEndsAt, offeringType } = from;
  const cost = quantity === from.quantity ? from.cost : mulDivFloor(from.cost, quantity, from.quantity);
  from.quantity -= quantity;
  from.cost -= cost;
  return { quantity, cost, acquiredAt, restrictionEndsAt, offeringType };
}

/** Lots of the buyer with the same restriction and offering come first: those are what the shares have become. */
function arrive(
  arriving: readonly Arriving[],
  { buyer, executedAt }: Trade,
  part: GivenLot,
  received: { lotId: string; quantity: number }[],
): boolean {
  const { restrictionEndsAt: end } = part;
  const restrictionEndsAt = end !== null && end > executedAt ? end : null;
  const ofBuyer = arriving.filter(({ lot }) => lot.account === buyer);
  const alike = ofBuyer.filter(
    ({ lot }) => lot.restrictionEndsAt === restrictionEndsAt && lot.offeringType === part.offeringType,
  );
  let wanted = part.quantity;
  for (const each of [...alike, ...ofBuyer]) {
    const quantity = Math.min(wanted, each.left);
    if (quantity === 0) continue;
    each.left -= quantity;
    wanted -= quantity;
    const last = received.at(-1);
    if (last?.lotId === each.lot.id) last.quantity += quantity;
    else received.push({ lotId: each.lot.id, quantity });
  }
  return wanted === 0;
}
