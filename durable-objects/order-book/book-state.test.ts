import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SettlementChunk } from '../../data/ledger/rows.ts';
import { BookState } from './book-state.ts';
import type { JournalCommand, JournalEntry } from './journal-entry.ts';
import type { BookMarket } from './ledger-order.ts';

const MARKET: BookMarket = {
  symbol: 'ACME-USD',
  baseAsset: 'acme',
  quoteAsset: 'usd',
  priceScale: 2,
  quantityScale: 0,
  quoteScale: 2,
  tracksLots: false,
};

const ORDER = fc.record({
  side: fc.constantFrom('buy' as const, 'sell' as const),
  price: fc.integer({ min: 90, max: 110 }),
  quantity: fc.integer({ min: 1, max: 30 }),
  account: fc.constantFrom('a', 'b', 'c'),
  timeInForce: fc.constantFrom('GTC' as const, 'IOC' as const, 'FOK' as const, 'POST_ONLY' as const),
  makerFeeBps: fc.integer({ min: 0, max: 500 }),
  takerFeeBps: fc.integer({ min: 0, max: 500 }),
  prevention: fc.constantFrom(
    'cancel_newest' as const,
    'cancel_oldest' as const,
    'cancel_both' as const,
    'decrement' as const,
  ),
});
const STEP = fc.oneof(
  { weight: 6, arbitrary: ORDER.map((order) => ({ kind: 'place' as const, order })) },
  { weight: 1, arbitrary: fc.nat(40).map((index) => ({ kind: 'cancel' as const, index })) },
);

function entries(steps: readonly (typeof STEP extends fc.Arbitrary<infer S> ? S : never)[]): JournalEntry[] {
  return steps.map((step, index): JournalEntry => {
    const command: JournalCommand =
      step.kind === 'cancel'
        ? { type: 'cancel', orderId: `o-${step.index}`, account: 'a' }
        : {
            type: 'place',
            order: {
              terms: {
                type: 'place',
                orderId: `o-${index}`,
                account: step.order.account,
                keyId: null,
                side: step.order.side,
                orderType: 'limit',
                timeInForce: step.order.timeInForce,
                quantity: step.order.quantity,
                price: step.order.price,
                stopPrice: 0,
                expiresAt: 0,
                selfTradePrevention: step.order.prevention,
                hidden: false,
                displayQuantity: 0,
                attributes: 0,
                requires: 0,
              },
              price: step.order.price,
              makerFeeBps: step.order.makerFeeBps,
              takerFeeBps: step.order.takerFeeBps,
              allowanceAsset: null,
              positionAsset: null,
              restricted: false,
              lots: [],
            },
          };
    return { time: 1_000 + index, batch: index + 1, commands: [command] };
  });
}

function sumByAsset(chunks: readonly SettlementChunk[]): Record<string, number> {
  const sums: Record<string, number> = {};
  for (const chunk of chunks) {
    for (const [, asset, , available, held] of chunk.balances) sums[asset] = (sums[asset] ?? 0) + available + held;
  }
  return sums;
}

describe('a book between two journal rows', () => {
  it('conserves money and shares in every chunk of effects', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
        const state = new BookState(MARKET);
        for (const entry of entries(steps)) {
          for (const chunk of state.run(entry).chunks) {
            for (const sum of Object.values(sumByAsset([chunk]))) expect(sum).toBe(0);
          }
        }
      }),
    );
  });

  it('holds exactly what the open orders still reserve', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
        const state = new BookState(MARKET);
        const held = new Map<string, number>();
        for (const entry of entries(steps)) {
          const [command] = entry.commands;
          const { chunks } = state.run(entry);
          if (command?.type === 'place') {
            const { terms, makerFeeBps, takerFeeBps } = command.order;
            const cost = terms.price * terms.quantity;
            const buy = cost + Math.ceil((cost * Math.max(makerFeeBps, takerFeeBps)) / 10_000);
            const key = `${terms.account} ${terms.side === 'buy' ? 'usd' : 'acme'}`;
            held.set(key, (held.get(key) ?? 0) + (terms.side === 'buy' ? buy : terms.quantity));
          }
          for (const chunk of chunks) {
            for (const [account, asset, , , change] of chunk.balances) {
              held.set(`${account} ${asset}`, (held.get(`${account} ${asset}`) ?? 0) + change);
            }
          }
          const reserved = new Map<string, number>();
          for (const order of state.orders.values()) {
            const key = `${order.account} ${order.side === 'buy' ? 'usd' : 'acme'}`;
            reserved.set(key, (reserved.get(key) ?? 0) + order.reserve);
          }
          for (const [key, amount] of held) expect([key, amount]).toEqual([key, reserved.get(key) ?? 0]);
        }
      }),
    );
  });

  it('goes on from a snapshot as if nothing had happened: same effects to the byte, same state hash', () => {
    fc.assert(
      fc.property(fc.array(STEP, { minLength: 2, maxLength: 40 }), fc.nat(39), (steps, cut) => {
        const journal = entries(steps);
        const live = new BookState(MARKET);
        const at = cut % journal.length;
        for (const entry of journal.slice(0, at)) live.run(entry);
        const restored = new BookState(MARKET, JSON.parse(JSON.stringify(live.snapshot())));
        for (const entry of journal.slice(at)) {
          expect(JSON.stringify(restored.run(entry).chunks)).toBe(JSON.stringify(live.run(entry).chunks));
        }
        expect(restored.engine.stateHash()).toBe(live.engine.stateHash());
      }),
    );
  });
});
