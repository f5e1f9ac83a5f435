import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { BOOK_CODE } from '../journal/engine-version.ts';
import type { AdmittedOrder, JournalCommand, JournalEntry } from '../journal/journal-entry.ts';
import { BookState } from './book-state.ts';

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

/** Cash or shares that an order holds when it is admitted. */
function holdAtAdmission({ terms, makerFeeBps, takerFeeBps }: AdmittedOrder): number {
  if (terms.side === 'sell') return terms.quantity;
  const cost = terms.price * terms.quantity;
  return cost + Math.ceil((cost * Math.max(makerFeeBps, takerFeeBps)) / 10_000);
}

describe('a book between two journal rows', () => {
  it('conserves money and shares in every chunk of effects: what is no longer held is available to someone', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
        const state = new BookState(MARKET);
        const held = new Map<string, { asset: string; reserve: number }>();
        for (const entry of entries(steps)) {
          const [command] = entry.commands;
          if (command?.type === 'place') {
            const asset = command.order.terms.side === 'buy' ? 'usd' : 'acme';
            held.set(command.order.terms.orderId, { asset, reserve: holdAtAdmission(command.order) });
          }
          for (const { balances, orders } of state.run(entry).chunks) {
            const sums = new Map<string, number>();
            const add = (asset: string, amount: number) => sums.set(asset, (sums.get(asset) ?? 0) + amount);
            for (const { asset, available } of balances) add(asset, available);
            for (const { id, reserve } of orders) {
              const before = held.get(id);
              if (before === undefined) throw new Error(`order ${id} was never admitted`);
              add(before.asset, reserve - before.reserve);
              held.set(id, { ...before, reserve });
            }
            for (const [asset, sum] of sums) expect([asset, sum]).toEqual([asset, 0]);
          }
        }
        for (const [id, { reserve }] of held) expect(state.orders.get(id)?.reserve ?? 0).toBe(reserve);
      }),
    );
  });

  it('names every balance of which it changes what is available or held, once in a chunk', () => {
    fc.assert(
      fc.property(fc.array(STEP, { maxLength: 40 }), (steps) => {
        const state = new BookState(MARKET);
        const owners = new Map<string, { balance: string; reserve: number }>();
        for (const entry of entries(steps)) {
          const [command] = entry.commands;
          if (command?.type === 'place') {
            const { account, orderId, side } = command.order.terms;
            const balance = `${account} ${side === 'buy' ? 'usd' : 'acme'}`;
            owners.set(orderId, { balance, reserve: holdAtAdmission(command.order) });
          }
          for (const { balances, orders } of state.run(entry).chunks) {
            const named = balances.map(({ account, asset }) => `${account} ${asset}`);
            expect(new Set(named).size).toBe(named.length);
            for (const { id, reserve } of orders) {
              const before = owners.get(id) as { balance: string; reserve: number };
              if (reserve !== before.reserve) expect(named).toContain(before.balance);
              owners.set(id, { ...before, reserve });
            }
          }
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
        expect(restored.open.total).toBe(live.open.total);
      }),
    );
  });

  it('knows the amendments that it has applied, through a snapshot too', () => {
    const state = new BookState(MARKET);
    const [placed] = entries([{ kind: 'place', order: { ...A_BUY, quantity: 10 } }]);
    state.run(placed as JournalEntry);
    const amend = (amendmentId: string, quantity: number): JournalCommand => ({
      type: 'amend',
      amendmentId,
      amendment: { type: 'amend', orderId: 'o-0', quantity, price: 100, unfilledOnly: false, requires: 0 },
      reserve: 0,
      allowance: 0,
      position: 0,
      reserveAsset: 'usd',
      allowanceAsset: null,
      positionAsset: null,
      account: 'a',
      lots: [],
      abandoned: quantity === 9,
    });
    state.run({ time: 2_000, batch: 2, commands: [amend('applied', 8), amend('abandoned', 9)] });
    const restored = new BookState(MARKET, JSON.parse(JSON.stringify(state.snapshot())));
    expect(['applied', 'abandoned'].map((id) => restored.amendments.has(id))).toEqual([true, false]);
  });

  it('expires no more orders in one cycle than it may, the rest in the next', () => {
    const state = new BookState(MARKET);
    const due = BOOK_CODE.current.expiriesPerCycleMax + 1;
    const steps = Array.from({ length: due }, () => ({ kind: 'place' as const, order: A_BUY }));
    const commands = entries(steps).flatMap((entry) => entry.commands.map(untilTime(2_000)));
    state.run({ time: 1_000, batch: 1, commands });
    state.run({ time: 2_000, batch: null, commands: [] });
    expect(state.orders.size).toBe(1);
    state.run({ time: 2_000, batch: null, commands: [] });
    expect(state.orders.size).toBe(0);
  });
});

const A_BUY = {
  side: 'buy',
  price: 100,
  quantity: 1,
  account: 'a',
  timeInForce: 'GTC',
  makerFeeBps: 0,
  takerFeeBps: 0,
  prevention: 'cancel_newest',
} as const;

/** The same placement, as an order that expires then. */
function untilTime(expiresAt: number): (command: JournalCommand) => JournalCommand {
  return (command) => {
    if (command.type !== 'place') return command;
    const terms = { ...command.order.terms, timeInForce: 'GTD' as const, expiresAt };
    return { type: 'place', order: { ...command.order, terms } };
  };
}
