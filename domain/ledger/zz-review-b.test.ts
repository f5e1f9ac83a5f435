import { describe, expect, it } from 'vitest';
import { BookInMemory } from '../../durable-objects/order-book/book-in-memory.ts';
import { ALICE, amendment, BOOK, idAt, order, START, USD } from './ledger.fixtures.ts';
import { Ledger } from './ledger.ts';

const ctx = { time: START, backlogged: false };
function batch(n: number, more: object) {
  return {
    kind: 'batch',
    book: BOOK,
    owner: 'me',
    batch: n,
    settledFrom: 0,
    settledTo: 0,
    baseAsset: 'acme',
    quoteAsset: USD,
    tracksLots: false,
    emitsEvents: false,
    chunks: [],
    orders: [],
    amendments: [],
    ...more,
  } as never;
}

describe('review b', () => {
  it('memory of position assets', () => {
    const ledger = new Ledger();
    globalThis.gc?.();
    const before = process.memoryUsage();
    const t0 = performance.now();
    const N = 100_000;
    for (let n = 0; n < N; n++) {
      const key = idAt(START + Math.floor(n / 50), 7);
      ledger.apply(
        {
          kind: 'grant',
          id: idAt(START, n),
          account: ALICE,
          asset: `allowance:position:${key}:${idAt(0, n % 50)}`,
          amount: 1,
          createdAt: START,
          expect: [],
        },
        ctx,
      );
      if (n % 20000 === 0) console.error(n, Math.round(performance.now() - t0), 'ms');
    }
    globalThis.gc?.();
    const after = process.memoryUsage();
    console.error(
      'heap MB',
      (after.heapUsed - before.heapUsed) / 1e6,
      'ext',
      (after.arrayBuffers - before.arrayBuffers) / 1e6,
      JSON.stringify(ledger.size),
    );
    const t1 = performance.now();
    for (let n = 0; n < 1000; n++) ledger.balance(ALICE, USD);
    console.error('find us', performance.now() - t1);
  });

  it('F: an amendment of a revoked key is admitted', () => {
    const ledger = new Ledger();
    ledger.apply({ kind: 'own', book: BOOK, owner: 'me', previousOwner: '' }, ctx);
    ledger.apply(
      {
        kind: 'transfer',
        type: 'deposit',
        id: idAt(START, 1),
        account: ALICE,
        asset: USD,
        amount: 10_000,
        cost: 0,
        tracksLots: false,
        lots: [],
        reference: null,
        createdAt: START,
        event: null,
      },
      ctx,
    );
    const key = idAt(START, 99);
    ledger.apply(batch(1, { orders: [order({ id: idAt(START, 2), reserve: 1_000 })] }), ctx);
    ledger.apply({ kind: 'revoke_keys', id: idAt(START, 3), account: ALICE, keyIds: [key], createdAt: START }, ctx);
    // what a request of that key, checked before the revocation, asks for: it has no field to say so
    const { outcome } = ledger.apply(
      batch(2, {
        amendments: [amendment({ id: idAt(START, 4), orderId: idAt(START, 2), reserve: 500, keyId: key } as never)],
      }),
      ctx,
    ) as never as { outcome: { refused: unknown[] } };
    expect(outcome.refused).toHaveLength(1);
  });

  it('G: clientOrderId is forgotten', () => {
    const ledger = new Ledger({ clientOrderIdsMax: 10 });
    ledger.apply({ kind: 'own', book: BOOK, owner: 'me', previousOwner: '' }, ctx);
    const mk = (n: number, clientOrderId: string, code: string | null) =>
      order({ id: idAt(START + n, n), clientOrderId, code });
    ledger.apply(batch(1, { orders: [mk(1, 'mine', 'X')] }), ctx);
    const others = Array.from({ length: 25 }, (_, n) => ({ ...mk(100 + n, `o${n}`, 'X'), account: idAt(0, 5) }));
    ledger.apply(batch(2, { orders: others }), ctx);
    const { outcome } = ledger.apply(batch(3, { orders: [mk(3, 'mine', null)] }), ctx) as never as {
      outcome: { refused: unknown[] };
    };
    expect(outcome.refused).toHaveLength(1);
  });

  it('D: amendment below what self-trade prevention left', async () => {
    for (const [q1, q2, q3] of [
      [10, 8, 5],
      [10, 8, 1],
      [10, 8, 8],
    ] as const) {
      const made = new BookInMemory();
      made.deposit('a', 'usd', 100_000_000);
      made.deposit('a', 'acme', 100);
      const buy = made.place('a', 'buy', q1, 100);
      await made.submit(buy);
      const [r] = await made.submit(made.place('a', 'sell', q2, 100, { selfTradePrevention: 'decrement' }));
      console.error(JSON.stringify(r), JSON.stringify(made.state.orders.get(buy.orderId)));
      const amend = {
        type: 'amend',
        amendmentId: 'am-1',
        orderId: buy.orderId,
        account: 'a',
        quantity: q3,
        price: null,
        checkedOver: { quantity: q1, price: 100 },
        unfilledOnly: true,
        factsVersion: 1,
        rulesVersion: 1,
      } as const;
      console.error(JSON.stringify(await made.submit(amend)), JSON.stringify(made.state.orders.get(buy.orderId)));
      await made.flow.settled(1_000);
      console.error(made.journal.haltReason, made.ledger.violations(), JSON.stringify(made.ledger.balances('a')));
    }
  });
});
