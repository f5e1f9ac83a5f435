import { expect, test } from 'vitest';
import { CheckedBook } from './checked-book.fixtures.ts';
import type { Engine, EngineEvent } from './engine.ts';
import { createFastEngine } from './fast.ts';
import { createPlainEngine } from './plain.fixtures.ts';

/** Many prices and orders: blocks split and join, tables grow, slots are used again. */
function wide(create: () => Engine): { events: EngineEvent[]; stateHash: string } {
  const engine = create();
  const events: EngineEvent[] = [];
  const place = (n: number, price: number): void => {
    const command = {
      type: 'place',
      orderId: `order ${n}`,
      account: `account ${n % 50}`,
      keyId: n % 3 === 0 ? `key ${n % 7}` : null,
      side: n % 2 === 0 ? 'buy' : 'sell',
      orderType: 'limit',
      timeInForce: 'GTC',
      quantity: 1 + (n % 9),
      price,
      stopPrice: 0,
      expiresAt: 0,
      selfTradePrevention: 'cancel_oldest',
      hidden: false,
      displayQuantity: 0,
      attributes: 0,
      requires: 0,
    } as const;
    events.push(...engine.apply(command, n));
  };
  for (let n = 0; n < 1_500; n++) place(n, n % 2 === 0 ? 5_000 - ((n * 37) % 4_000) : 5_001 + ((n * 41) % 4_000));
  for (let n = 0; n < 1_500; n += 4) events.push(...engine.apply({ type: 'cancel', orderId: `order ${n}` }, n));
  for (let n = 2_000; n < 2_040; n++) place(n, n % 2 === 0 ? 5_600 : 4_400);
  engine.assertInvariants();
  return { events, stateHash: engine.stateHash() };
}

test('a wide book, far beyond the first allocation, is the same in both implementations', () => {
  expect(wide(createFastEngine)).toEqual(wide(createPlainEngine));
});

test('names that went out of use are forgotten, those of live orders are not, and one that comes back is itself again', () => {
  const engine = createFastEngine();
  const book = new CheckedBook(engine);
  book.sell(1, 200, { account: 'ada', keyId: 'key of ada' });
  const stays = book.sell(1, 100, { account: 'ben', keyId: 'key of ben' });
  book.apply({ type: 'cancel', orderId: 'o1' });
  for (let n = 0; n < 5_000; n++) {
    book.buy(1, 50, { account: `passer-by ${n}`, keyId: `key ${n}`, timeInForce: 'IOC' });
  }
  expect(engine.order(stays.id)).toMatchObject({ account: 'ben', keyId: 'key of ben' });
  expect(engine.ordersOf('ben', 'key of ben')).toEqual([stays.id]);
  const back = book.buy(1, 90, { account: 'ada', keyId: 'key of ada' });
  expect(engine.ordersOf('ada', 'key of ada')).toEqual([back.id]);
  book.buy(1, 100, { account: 'ben' });
  expect(engine.order(stays.id)).toMatchObject({ remaining: 1 });
});
