import { expect, test } from 'vitest';
import { BOUNDARY_ACCOUNT } from '../../../domain/ledger/boundary-accounts.ts';
import { decimalToScaled, scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { RoutedBook } from './routed-book.fixtures.ts';

const SEEDS = Array.from({ length: 60 }, (_, at) => at + 1);
const STEPS = 60;

/** Numbers below a bound, the same for the same seed. */
function drawing(seed: number): (below: number) => number {
  let state = seed * 2_654_435_761;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 0x2c1b3c6d) + 0x9e3779b9) | 0;
    return ((state ^ (state >>> 13)) >>> 0) % below;
  };
}

const units = (decimal: string, scale: number): number => {
  const read = decimalToScaled(decimal, scale);
  if (!read.ok) throw new Error(decimal);
  return read.value;
};

/**
 * Orders whose terms change, and whose time ends, while a broker fills, ends and replaces them, its reports late, twice and in any order, answers lost, and the book lost
 * in between: what the broker has done is what the ledger has, nothing is a break, and nobody pays more than was held.
 */
test.each(SEEDS)('seed %i: other terms at the broker, with every fault', async (seed) => {
  const draw = drawing(seed);
  const book = new RoutedBook();
  const { broker } = book;
  book.deposit('alice', 'usd', 10_000_00);
  broker.replacesAtOnce = false;
  broker.cancelsAtOnce = false;
  const asked = new Set<string>();
  const orderIds: string[] = [];

  /** What was not read yet is heard in another order, and some of it again. */
  const shuffle = (): void =>
    broker.retell(
      (events) => {
        const told = events.flatMap((event) => (draw(4) === 0 ? [event, event] : [event]));
        for (let at = told.length - 1; at > 0; at--) {
          const other = draw(at + 1);
          [told[at], told[other]] = [told[other] as (typeof told)[0], told[at] as (typeof told)[0]];
        }
        return told;
      },
      Number(book.state.venue?.cursor ?? 0),
    );

  function actAtBroker(orderId: string): void {
    const order = broker.orders.get(orderId);
    if (order?.status !== 'open') return;
    const replacing = broker.calls.findLast((call) => call.startsWith(`replace ${orderId} `));
    const revision = Number(replacing?.split(' ')[2] ?? 0);
    const what = draw(5);
    if (what < 2) {
      const left = units(order.quantity, 0) - units(order.filled, 0);
      const limit = units(order.limitPrice ?? '0', 2);
      const better = draw(3) * 50;
      const price = order.side === 'buy' ? limit - better : limit + better;
      broker.fill(orderId, String(1 + draw(left)), scaledToDecimal(price, 2));
    } else if (what === 2 && revision > order.revision && !asked.has(`${orderId} ${revision}`)) {
      asked.add(`${orderId} ${revision}`);
      const wanted = broker.wanted(orderId);
      if (wanted !== null && units(wanted.quantity, 0) > units(order.filled, 0) && draw(4) > 0)
        broker.carryOut(orderId, draw(4) > 0);
      else broker.rejectReplacement(orderId);
    } else if (what === 3 && draw(6) === 0) broker.end(orderId, draw(2) === 0 ? 'canceled' : 'expired');
  }

  for (let step = 0; step < STEPS; step++) {
    const orderId = orderIds[draw(Math.max(1, orderIds.length))];
    const account = orderId === undefined ? null : (book.state.orders.get(orderId)?.account ?? null);
    const what = draw(10);
    if (what < 2) {
      const [side, from] = draw(2) === 0 ? (['buy', 'alice'] as const) : (['sell', 'bob'] as const);
      const expiresAt = draw(3) === 0 ? book.now + 1 + draw(100_000) : null;
      const terms = expiresAt === null ? {} : ({ timeInForce: 'GTD', expiresAt } as const);
      const command = book.place(from, side, 1 + draw(10), (90 + draw(20)) * 100, terms);
      orderIds.push(command.orderId);
      await book.submit(command);
    } else if (what < 5 && orderId !== undefined && account !== null) {
      void book.amend(account, orderId, { quantity: 1 + draw(14), price: (90 + draw(20)) * 100 });
    } else if (what === 5 && orderId !== undefined && account !== null && draw(4) === 0) {
      void book.cancel(account, orderId);
    } else if (what === 6) {
      for (const call of ['submit', 'replace', 'cancel', 'events'] as const) broker.lostAnswers.set(call, draw(2));
    } else if (what === 7 && draw(3) === 0) {
      await book.quiet();
      book.lose();
      await book.link.idle();
    }
    for (const id of orderIds) if (draw(3) === 0) actAtBroker(id);
    if (draw(3) === 0) {
      await book.quiet();
      shuffle();
      await book.listen();
    } else await book.link.idle();
  }

  broker.lostAnswers.clear();
  broker.cancelsAtOnce = true;
  for (let tries = 0; tries < 12; tries++) await book.listen();
  for (const { orderId, expiresAt, timeInForce } of book.state.engine.snapshot().orders)
    if (timeInForce === 'GTD') expect([orderId, expiresAt > book.now]).toEqual([orderId, true]);
  await book.submit({ type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' });
  for (let tries = 0; tries < 12; tries++) await book.listen();
  expect([...book.state.orders.keys()]).toEqual([]);

  const filledHere = new Map<string, number>();
  for (const { orders } of book.journal.chunks) for (const { id, filled } of orders) filledHere.set(id, filled);
  for (const [orderId, { filled }] of broker.orders)
    expect([orderId, filledHere.get(orderId)]).toEqual([orderId, units(filled, 0)]);
  expect(book.breaks).toEqual([]);
  const sum = (accounts: readonly string[], asset: string): number =>
    accounts.reduce((total, account) => total + book.has(account, asset), 0);
  expect(sum(['alice', 'bob', BOUNDARY_ACCOUNT.brokerClearing], 'acme')).toBe(100);
  for (const account of ['alice', 'bob'])
    for (const asset of ['usd', 'acme']) expect(book.ledger.balance(account, asset).held).toBe(0);
  const before = book.state.engine.stateHash();
  book.restart();
  expect(book.state.engine.stateHash()).toBe(before);
});
