import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BOB, chunk, idAt, lot, SHARES } from '../../../domain/ledger/ledger.fixtures.ts';
import { FIRST_RULES, LEDGER_CODE, ruleSetOf } from '../../../domain/ledger/ledger-rules.ts';
import { LedgerState } from '../../../domain/ledger/ledger-state.ts';
import type { Trade } from '../../../domain/ledger/records.ts';
import { tradedLotsOf } from '../../../domain/ledger/traded-lots-of.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import { LotMoves } from './lot-moves.ts';

const NOW = 1_000_000;

const sale = fc.record({
  lots: fc.array(
    fc.record({
      quantity: fc.integer({ min: 1, max: 40 }),
      restrictionEndsAt: fc.constantFrom(null, NOW - 1, NOW + 1),
      offeringType: fc.constantFrom(null, 'reg_cf'),
    }),
    { minLength: 1, maxLength: 6 },
  ),
  fills: fc.array(
    fc.record({
      buyer: fc.constantFrom(0, 1, 2),
      quantity: fc.integer({ min: 1, max: 60 }),
      cost: fc.integer({ min: 0, max: 10_000 }),
    }),
    { minLength: 1, maxLength: 8 },
  ),
});

it('the ledger finds of each fill which lots it went into, and what of their cost it was', () => {
  fc.assert(
    fc.property(sale, ({ lots, fills }) => {
      const { known } = LEDGER_CODE;
      const state = new LedgerState(known, FIRST_RULES, ruleSetOf(known, FIRST_RULES.version));
      const shares = state.balances.open(BOB, SHARES);
      const held = lots.map((terms, index) => lot({ ...terms, id: idAt(1, index), account: BOB, acquiredAt: index }));
      for (const each of held) state.lots.insert(shares, each, 'registered');
      const seller = orderOf('sell', BOB);
      seller.lots.push(...held.map(({ id, ...terms }) => ({ ...terms, lotId: id, reservationId: 'sell' })));

      const moves = new LotMoves(true, NOW);
      const trades: Trade[] = [];
      let left = held.reduce((sum, { quantity }) => sum + quantity, 0);
      for (const [index, fill] of fills.entries()) {
        const quantity = Math.min(fill.quantity, left);
        if (quantity === 0) break;
        left -= quantity;
        // Two orders of one account, and one of another.
        const buyer = orderOf(`buy ${fill.buyer}`, fill.buyer === 2 ? 'carol' : 'alice');
        const id = idAt(2, index);
        moves.handOver(seller, buyer, quantity, fill.cost, id);
        trades.push(tradeOf(id, buyer, quantity, fill.cost));
      }
      const found = tradedLotsOf(state, chunk({ trades, lots: moves.received, lotMoves: moves.moved }), null);

      const parts = trades.flatMap(({ id }) => found?.get(id)?.received ?? []);
      for (const { id, quantity, cost } of moves.received) {
        const into = parts.filter(({ lotId }) => lotId === id);
        expect(into.reduce((sum, part) => sum + part.quantity, 0)).toBe(quantity);
        expect(into.reduce((sum, part) => sum + part.cost, 0)).toBe(cost);
      }
      for (const { id, quantity, notional, buyOrder } of trades) {
        const received = found?.get(id)?.received ?? [];
        expect(received.reduce((sum, part) => sum + part.quantity, 0)).toBe(quantity);
        expect(received.reduce((sum, part) => sum + part.cost, 0)).toBe(notional);
        expect(new Set(received.map(({ lotId }) => lotId)).size).toBe(received.length);
        const beganWith = received.map(({ lotId }) => trades.find((trade) => lotId.startsWith(trade.id))?.buyOrder);
        expect(new Set(beganWith)).toEqual(new Set([buyOrder]));
      }
    }),
  );
});

/** What `handOver` reads of an order. */
function orderOf(orderId: string, account: string): LedgerOrder {
  return { orderId, account, lots: [] } as unknown as LedgerOrder;
}

function tradeOf(id: string, buyer: LedgerOrder, quantity: number, notional: number): Trade {
  return {
    id,
    sequence: 1,
    price: 1,
    quantity,
    notional,
    takerSide: 'buy',
    buyOrder: buyer.orderId,
    sellOrder: 'sell',
    buyer: buyer.account,
    seller: BOB,
    buyerFee: 0,
    sellerFee: 0,
    executedAt: NOW,
  };
}
