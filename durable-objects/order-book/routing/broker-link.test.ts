import { describe, expect, test, vi } from 'vitest';
import { BOUNDARY_ACCOUNT } from '../../../domain/ledger/boundary-accounts.ts';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import { err, ok } from '../../../domain/result.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import { WireMarket } from '../feed/wire-market.ts';
import { openOrdersIn } from '../rpc/open-orders-in.ts';
import { orderState } from '../settlement/order-state.ts';
import { BrokerLink } from './broker-link.ts';
import { RoutedBook } from './routed-book.fixtures.ts';
import { ScriptedBroker } from './scripted-broker.fixtures.ts';

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;

const live = (book: RoutedBook, orderId: string) => book.state.orders.get(orderId);

describe('an order of a routed market', () => {
  test('is handed over after the journal has it, as a limit of its terms, under its id', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect(book.broker.orders.get(orderId)).toMatchObject({
      clientOrderId: orderId,
      symbol: 'ACME',
      side: 'buy',
      type: 'limit',
      timeInForce: 'gtc',
      quantity: '3',
      limitPrice: '250',
    });
    expect(book.journal.entries.map(({ commands }) => commands.map(({ type }) => type))).toEqual([
      ['rules', 'place'],
      ['hand_over'],
      ['broker_reports'],
    ]);
    expect(live(book, orderId)).toMatchObject({ status: 'open', remaining: 3 });
  });

  test('buys: cash and shares move between the account and the broker, the rest of the hold goes back, the fee is ours', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 750_00 + 2_25 });
    book.broker.fill(orderId, '1', '240');
    book.broker.fill(orderId, '2', '249.99');
    await book.listen();
    const paid = 240_00 + 2 * 249_99;
    const fee = Math.ceil((paid * 30) / 10_000);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00 - paid - fee, held: 0 });
    expect(book.has('alice', 'acme')).toBe(3);
    expect([book.has(CLEARING, 'usd'), book.has(CLEARING, 'acme')]).toEqual([paid, -3]);
    expect(book.has(BOUNDARY_ACCOUNT.fees, 'usd')).toBe(fee);
    expect([...book.ledger.allLots()].filter(({ account }) => account === 'alice')).toMatchObject([
      { quantity: 3, cost: paid + fee, restrictionEndsAt: null, offeringType: null },
    ]);
    expect(book.trades).toMatchObject([
      { sequence: 1, buyer: 'alice', buyOrder: orderId, seller: CLEARING, sellOrder: 'execution:x1', sellerFee: 0 },
      { sequence: 2, buyer: 'alice', buyOrder: orderId, seller: CLEARING, sellOrder: 'execution:x2', sellerFee: 0 },
    ]);
  });

  test('sells the oldest lots first', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('bob', 'sell', 60, 10_00);
    book.broker.fill(orderId, '55', '10.5');
    await book.listen();
    expect([...book.ledger.allLots()].filter(({ account }) => account === 'bob')).toMatchObject([
      { quantity: 45, reserved: 5 },
    ]);
    const proceeds = 55 * 10_50;
    expect(book.has('bob', 'usd')).toBe(proceeds - Math.ceil((proceeds * 30) / 10_000));
    expect([book.has(CLEARING, 'usd'), book.has(CLEARING, 'acme')]).toEqual([-proceeds, 55]);
    expect(live(book, orderId)).toMatchObject({ status: 'partially_filled', remaining: 5 });
  });

  test('sells no lot within its hold: it is refused, nothing is sent and nothing held', async () => {
    const book = new RoutedBook();
    const restrictionEndsAt = book.now + 1_000;
    book.deposit('carol', 'acme', 10, 1, { restrictionEndsAt, offeringType: '506c' });
    const [result] = await book.submit(book.place('carol', 'sell', 5, 10_00));
    expect(result).toMatchObject({ type: 'refused', refusal: { reason: 'resale_restricted', restrictionEndsAt } });
    await book.listen();
    expect(book.broker.calls).toEqual([]);
    expect(book.ledger.balance('carol', 'acme')).toMatchObject({ available: 10, held: 0 });
  });

  test('sells nothing that not everyone may buy', async () => {
    const book = new RoutedBook();
    const requires = ATTRIBUTE.verified_accredited;
    const [result] = await book.submit(book.place('bob', 'sell', 5, 10_00, {}, { requires }));
    expect(result).toMatchObject({
      type: 'refused',
      refusal: { reason: 'resale_restricted', restrictionEndsAt: null },
    });
    await book.listen();
    expect(book.broker.calls).toEqual([]);
    expect(book.ledger.balance('bob', 'acme')).toMatchObject({ available: 100, held: 0 });
  });

  test('that the broker refuses is rejected, and holds nothing', async () => {
    const book = new RoutedBook();
    book.broker.refusal = () => ({ reason: 'refused', code: 'account_limit', detail: 'no buying power' });
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    await book.listen();
    expect(live(book, orderId)).toBeUndefined();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });
});

describe('a cancel', () => {
  test('is answered as done once the broker has ended the order', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect(await book.cancel('alice', orderId)).toMatchObject({
      type: 'done',
      report: { status: 'cancelled', code: 'user' },
    });
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('that loses the race to a fill is refused, and the fill stands', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.fill(orderId, '3', '250');
    expect(await book.cancel('alice', orderId)).toMatchObject({
      type: 'refused',
      refusal: { reason: 'order_not_cancellable', status: 'filled' },
    });
    await book.listen();
    expect(book.has('alice', 'acme')).toBe(3);
  });

  test('that the broker does not confirm in time is answered with the order as it stands: it holds on, and ends later', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.cancelsAtOnce = false;
    const cancelled = book.cancel('alice', orderId);
    await book.link.idle();
    await book.pass(2_000);
    expect(await cancelled).toMatchObject({ type: 'done', report: { status: 'open' } });
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 750_00 + 2_25 });
    book.broker.end(orderId, 'canceled');
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('of an order that was never sent is done at once, while the broker is away', async () => {
    const book = new RoutedBook();
    book.broker.away.add('submit').add('events');
    const first = await book.order('alice', 'buy', 1, 100_00);
    const second = await book.order('alice', 'buy', 1, 100_00);
    expect(book.broker.calls).toEqual([`submit ${first}`]);
    expect(await book.cancel('alice', second)).toMatchObject({ type: 'done', report: { status: 'cancelled' } });
    book.broker.away.clear();
    await book.listen();
    expect([...book.broker.orders.keys()]).toEqual([first]);
  });

  test('that comes before an order was sent ends it, and it never is', async () => {
    const book = new RoutedBook();
    const command = book.place('alice', 'buy', 1, 100_00);
    let cancelled: Promise<unknown> | null = null;
    book.onDisk = async () => {
      if (book.state.venue?.handedOver().length === 0) return;
      cancelled ??= book.cancel('alice', command.orderId);
      await new Promise((resolve) => setTimeout(resolve, 0));
    };
    await book.submit(command);
    await book.link.idle();
    await book.listen();
    expect(await cancelled).toMatchObject({ type: 'done', report: { status: 'cancelled', code: 'user' } });
    expect(book.broker.calls.filter((call) => call.startsWith('submit'))).toEqual([]);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('of an order whose sending got no answer looks it up, and sends it no more', async () => {
    const book = new RoutedBook();
    book.broker.lostAnswers.set('submit', 1);
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    await book.submit({ type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' });
    await book.listen();
    await book.listen();
    expect(book.broker.calls.filter((call) => call.startsWith('submit'))).toEqual([`submit ${orderId}`]);
    expect(book.broker.orders.get(orderId)).toMatchObject({ status: 'canceled' });
    expect(live(book, orderId)).toBeUndefined();
  });

  test('of one that the broker does not have ends it once no request can be under way', async () => {
    const book = new RoutedBook();
    book.broker.away.add('submit');
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    await book.submit({ type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' });
    book.broker.away.clear();
    await book.listen();
    await book.listen();
    expect(live(book, orderId)).toBeDefined();
    await book.listen();
    expect(live(book, orderId)).toBeUndefined();
    expect(book.broker.orders.size).toBe(0);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('of all names those that have ended apart from those whose end the broker is asked for, as often as it is asked', async () => {
    const book = new RoutedBook();
    book.broker.cancelsAtOnce = false;
    const sent = await book.order('alice', 'buy', 1, 100_00);
    book.broker.away.add('submit').add('events');
    await book.order('alice', 'buy', 1, 100_00);
    const unsent = await book.order('alice', 'buy', 1, 100_00);
    const all = { type: 'mass_cancel', account: 'alice', keyId: null, side: null, reason: 'user' } as const;
    const [first] = await book.submit(all);
    if (first?.type !== 'mass_cancelled') throw new Error('it is answered as a mass cancel');
    expect(first.orderIds).toEqual([unsent]);
    expect(first.pendingOrderIds).toHaveLength(2);
    expect(first.pendingOrderIds).toContain(sent);
    expect(await book.submit(all)).toEqual([{ ...first, orderIds: [] }]);
  });

  test('by the venue asks the broker for every order', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    await book.submit({ type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' });
    await book.link.idle();
    await book.listen();
    expect(live(book, orderId)).toBeUndefined();
    expect(book.broker.orders.get(orderId)).toMatchObject({ status: 'canceled' });
  });
});

describe('many orders', () => {
  async function place(book: RoutedBook, count: number): Promise<string[]> {
    book.deposit('alice', 'usd', 100_000_00);
    const commands = Array.from({ length: count }, () => book.place('alice', 'buy', 1, 100_00));
    await book.submit(...commands);
    await book.link.idle();
    return commands.map(({ orderId }) => orderId);
  }

  test('go in one call to a broker that takes many, and each has its own answer', async () => {
    const book = new RoutedBook();
    book.broker.takeMany();
    const refusal = { reason: 'refused', code: 'account_limit', detail: 'no buying power' } as const;
    let asked = 0;
    book.broker.refusal = () => (++asked === 2 ? refusal : null);
    const orderIds = await place(book, 100);
    expect(book.broker.calls).toEqual(['submit 64', 'submit 36']);
    expect(orderIds.map((orderId) => live(book, orderId) === undefined).indexOf(true)).toBe(1);
    expect([...book.broker.orders.keys()]).toEqual(orderIds.filter((_, at) => at !== 1));
  });

  test('of which no answer comes are sent again, and the broker has each once', async () => {
    const book = new RoutedBook();
    book.broker.takeMany();
    book.broker.lostAnswers.set('submit', 1);
    const orderIds = await place(book, 3);
    await book.listen();
    expect([...book.broker.orders.keys()]).toEqual(orderIds);
    expect(book.state.venue?.handedOver()).toEqual([]);
  });

  test('that are to end keep no fill unread: the broker is read after some of them', async () => {
    const book = new RoutedBook();
    book.broker.takeMany();
    const orderIds = await place(book, 300);
    book.broker.cancelsAtOnce = false;
    book.broker.calls.length = 0;
    book.broker.readAfter.length = 0;
    await book.submit({ type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' });
    await book.link.idle();
    expect(book.broker.calls).toEqual(orderIds.map((orderId) => `cancel ${orderId}`));
    expect(book.broker.readAfter.slice(0, 5)).toEqual([64, 128, 192, 256, 300]);
  });
});

describe('other terms', () => {
  test('of an order that was never sent are its terms at once, and it is sent with them', async () => {
    const book = new RoutedBook();
    book.broker.away.add('submit').add('events');
    await book.order('alice', 'buy', 1, 100_00);
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    expect(await book.amend('alice', orderId, { quantity: 2, price: 150_00 })).toMatchObject({
      type: 'done',
      report: { quantity: 2, price: 150_00 },
    });
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 100_00 + 30 + 300_00 + 90 });
    book.broker.away.clear();
    await book.listen();
    expect(book.broker.orders.get(orderId)).toMatchObject({ quantity: '2', limitPrice: '150', revision: 0 });
  });

  test('are those that the broker has given: it holds for them, and what it holds no longer is free', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect(await book.amend('alice', orderId, { quantity: 2, price: 300_00 })).toMatchObject({
      type: 'done',
      report: { quantity: 2, price: 300_00, remaining: 2 },
    });
    expect(book.broker.orders.get(orderId)).toMatchObject({ quantity: '2', limitPrice: '300', revision: 1 });
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 600_00 + 1_80 });
    book.broker.fill(orderId, '2', '299');
    await book.listen();
    expect(book.has('alice', 'acme')).toBe(2);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 0 });
    expect(book.breaks).toEqual([]);
  });

  test('that the account cannot pay for are refused, and the broker hears of nothing', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect(await book.amend('alice', orderId, { quantity: 5 })).toMatchObject({
      type: 'refused',
      refusal: { reason: 'insufficient_balance' },
    });
    expect(book.broker.calls).toEqual([`submit ${orderId}`]);
  });

  test('of a sale reserve more of its lots, and give back what the broker does not take', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('bob', 'sell', 60, 10_00);
    await book.amend('bob', orderId, { quantity: 80 });
    await book.listen();
    expect(book.ledger.balance('bob', 'acme')).toMatchObject({ available: 20, held: 80 });
    book.broker.refusesReplacements = true;
    expect(await book.amend('bob', orderId, { quantity: 100 })).toMatchObject({ type: 'refused' });
    await book.listen();
    expect(book.ledger.balance('bob', 'acme')).toMatchObject({ available: 20, held: 80 });
    book.broker.refusesReplacements = false;
    await book.amend('bob', orderId, { quantity: 30, price: 11_00 });
    await book.listen();
    expect(book.ledger.balance('bob', 'acme')).toMatchObject({ available: 70, held: 30 });
    book.broker.fill(orderId, '30', '11');
    await book.listen();
    expect(book.has('bob', 'acme')).toBe(70);
  });

  test('that the broker rejects leave the order as it was: ORDER_NOT_MODIFIABLE, and its extra hold goes back', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 250_00);
    book.broker.replacesAtOnce = false;
    const amended = book.amend('alice', orderId, { quantity: 3 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 750_00 + 2_25 });
    book.broker.rejectReplacement(orderId);
    await book.listen();
    expect(await amended).toMatchObject({
      type: 'refused',
      refusal: { reason: 'order_not_modifiable', status: 'open', cause: 'refused_by_broker' },
    });
    expect(live(book, orderId)).toMatchObject({ quantity: 1, price: 250_00, remaining: 1 });
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 250_00 + 75 });
  });

  test('at a dearer price that the broker rejects give all of their hold back, and the order fills at its own', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 2, 250_00);
    book.broker.replacesAtOnce = false;
    const amended = book.amend('alice', orderId, { price: 300_00 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 600_00 + 1_80 });
    book.broker.rejectReplacement(orderId);
    await book.listen();
    expect(await amended).toMatchObject({ type: 'refused' });
    expect(live(book, orderId)).toMatchObject({ price: 250_00, limit: 250_00 });
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 500_00 + 1_50 });
    book.broker.fill(orderId, '1', '250');
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 250_00 + 75 });
  });

  test('of more shares that execute before they are confirmed raise the order, which holds on for the rest', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    book.broker.replacesAtOnce = false;
    void book.amend('alice', orderId, { quantity: 4 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    book.broker.carryOut(orderId, false);
    book.broker.fill(orderId, '2', '100');
    book.link.kick();
    await book.link.idle();
    await book.flow.settled(1_000);
    expect(live(book, orderId)).toMatchObject({ quantity: 4, filled: 2, remaining: 2 });
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 200_00 + 60 });
    await book.listen();
    expect(live(book, orderId)).toMatchObject({ quantity: 4, filled: 2, remaining: 2 });
    book.broker.fill(orderId, '2', '100');
    await book.listen();
    expect([book.has('alice', 'acme'), book.breaks]).toEqual([4, []]);
  });

  test('X-01: that the broker has not given are no part of what the order may yet fill, in the record, the report, the feed and the lists', async () => {
    const book = new RoutedBook();
    book.deposit('alice', 'usd', 10_000_00);
    const orderId = await book.order('alice', 'buy', 10, 100_00);
    book.broker.replacesAtOnce = false;
    const amending = book.amend('alice', orderId, { quantity: 16 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    await book.listen();
    const order = live(book, orderId) as LedgerOrder;
    expect([order.quantity, order.remaining], 'it holds for both').toEqual([10, 16]);
    const wire = new WireMarket(book.state.market);
    const said = () => [
      orderState(order).remaining ?? null,
      book.state.report(order).remaining,
      wire.order(order, 1).remaining_size,
      openOrdersIn(book.state, 'alice', { orderId, statuses: null, before: null, limit: 1 }).orders[0]?.remaining,
    ];
    const whole = wire.order(order, 1).size / order.quantity;
    expect(said()).toEqual([null, 10, 10 * whole, 10]);
    book.broker.fill(orderId, '3', '99');
    await book.listen();
    expect(said()).toEqual([null, 7, 7 * whole, 7]);
    expect(book.trades.map(({ buyRemaining }) => buyRemaining)).toEqual([7]);
    book.broker.carryOut(orderId);
    await book.listen();
    expect(said()).toEqual([null, 13, 13 * whole, 13]);
    await amending;
  });

  test('that the broker does not confirm in time are answered with the order as it stands, and come later', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.replacesAtOnce = false;
    const amended = book.amend('alice', orderId, { quantity: 2 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    await book.pass(2_000);
    expect(await amended).toMatchObject({ type: 'done', report: { quantity: 3, price: 250_00 } });
    expect(await book.amend('alice', orderId, { quantity: 1 })).toMatchObject({
      type: 'refused',
      refusal: { reason: 'order_not_modifiable', cause: 'change_under_way' },
    });
    book.broker.carryOut(orderId);
    await book.listen();
    expect(live(book, orderId)).toMatchObject({ quantity: 2, remaining: 2 });
  });

  test('that are under way may be asked for again: answered with the first, under its revision', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.replacesAtOnce = false;
    const first = book.amend('alice', orderId, { quantity: 2, price: 240_00 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    await book.pass(2_000);
    expect(await first).toMatchObject({ type: 'done', report: { quantity: 3 } });
    const held = book.ledger.balance('alice', 'usd');
    const again = book.amend('alice', orderId, { quantity: 2, price: 240_00 });
    expect(await book.amend('alice', orderId, { price: 240_00 })).toMatchObject({ type: 'refused' });
    await book.quiet();
    expect(book.ledger.balance('alice', 'usd')).toEqual(held);
    book.broker.carryOut(orderId);
    await book.listen();
    expect(await again).toMatchObject({ type: 'done', report: { quantity: 2, price: 240_00 } });
    expect(book.broker.orders.get(orderId)).toMatchObject({ revision: 1 });
  });

  test('that are asked for again, and that the broker then rejects, are refused to both', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.replacesAtOnce = false;
    const asked = [book.amend('alice', orderId, { quantity: 2 })];
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    asked.push(book.amend('alice', orderId, { quantity: 2 }));
    await book.quiet();
    book.broker.rejectReplacement(orderId);
    await book.listen();
    const refusal = { reason: 'order_not_modifiable', status: 'open', cause: 'refused_by_broker' };
    expect(await Promise.all(asked)).toMatchObject([{ refusal }, { refusal }]);
  });

  test('that are under way are not asked for again once the end is wanted', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.replacesAtOnce = false;
    book.broker.cancelsAtOnce = false;
    void book.amend('alice', orderId, { quantity: 2 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    await book.submit({ type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' });
    expect(await book.amend('alice', orderId, { quantity: 2 })).toMatchObject({
      refusal: { reason: 'order_not_modifiable', status: 'open', cause: 'end_under_way' },
    });
  });

  test('that the broker has given and not told are found at the order itself', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.replacesAtOnce = false;
    const amended = book.amend('alice', orderId, { quantity: 2 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    book.broker.carryOut(orderId, false);
    await book.listen();
    expect(await amended).toMatchObject({ type: 'done', report: { quantity: 2 } });
  });

  test('whose answer is lost, with the book after it, are asked for again under the same revision', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.lostAnswers.set('replace', 1);
    book.broker.replacesAtOnce = false;
    void book.amend('alice', orderId, { quantity: 2 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    book.lose();
    book.broker.replacesAtOnce = true;
    await book.listen();
    await book.listen();
    expect(book.broker.orders.get(orderId)).toMatchObject({ quantity: '2', revision: 1 });
    expect(live(book, orderId)).toMatchObject({ quantity: 2 });
  });

  test('of an order that the broker has filled meanwhile come to nothing', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 250_00);
    book.broker.replacesAtOnce = false;
    const amended = book.amend('alice', orderId, { quantity: 3 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    book.broker.fill(orderId, '1', '250');
    await book.listen();
    await book.listen();
    expect(await amended).toMatchObject({
      type: 'refused',
      refusal: { reason: 'order_not_modifiable' },
    });
    expect(live(book, orderId)).toBeUndefined();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 0 });
  });

  test('that were given, and are refused when they are asked for again, are given', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.lostAnswers.set('replace', 1);
    book.broker.away.add('events');
    void book.amend('alice', orderId, { quantity: 2 });
    await vi.waitFor(() => expect(book.broker.orders.get(orderId)).toMatchObject({ revision: 1 }));
    book.broker.fill(orderId, '2', '250');
    await book.quiet();
    book.lose();
    book.broker.away.clear();
    await book.listen();
    expect(live(book, orderId)).toBeUndefined();
    expect(book.has('alice', 'acme')).toBe(2);
    expect(book.breaks).toEqual([]);
  });

  test('and a cancel: the order ends, whatever came of them', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 250_00);
    book.broker.replacesAtOnce = false;
    const amended = book.amend('alice', orderId, { quantity: 3 });
    await vi.waitFor(() => expect(book.broker.calls).toContain(`replace ${orderId} 1`));
    expect(await book.cancel('alice', orderId)).toMatchObject({ type: 'done', report: { status: 'cancelled' } });
    expect(await amended).toMatchObject({
      type: 'refused',
      refusal: { reason: 'order_not_modifiable', status: 'cancelled' },
    });
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('are not given to an order that ends by itself, nor to one whose end is wanted', async () => {
    const book = new RoutedBook();
    const immediate = await book.order('alice', 'buy', 1, 100_00, { timeInForce: 'IOC' });
    const refused = { reason: 'order_not_modifiable', status: 'open' };
    expect(await book.amend('alice', immediate, { quantity: 2 })).toMatchObject({
      refusal: { ...refused, cause: 'handed_over' },
    });
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    book.broker.cancelsAtOnce = false;
    await book.submit({ type: 'mass_cancel', account: null, keyId: null, side: null, reason: 'halt' });
    expect(await book.amend('alice', orderId, { quantity: 2 })).toMatchObject({
      refusal: { ...refused, cause: 'end_under_way' },
    });
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 2 * (100_00 + 30) });
  });
});

describe('an order that is good until a time', () => {
  const until = (book: RoutedBook, ms: number) => ({ timeInForce: 'GTD', expiresAt: book.now + ms }) as const;

  /** The alarm rings for what is due. */
  async function wake(book: RoutedBook): Promise<void> {
    book.flow.kick();
    await new Promise((resolve) => setTimeout(resolve, 0));
    await book.link.idle();
  }

  test('is sent without it; at that time its end is asked for, and what it held is free', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00, until(book, 60_000));
    expect(book.broker.orders.get(orderId)).toMatchObject({ timeInForce: 'gtc' });
    expect(book.state.nextDue).toBe(book.now + 60_000);
    book.now += 59_999;
    await wake(book);
    expect(book.broker.calls).toEqual([`submit ${orderId}`]);
    book.now += 1;
    await wake(book);
    expect(book.broker.calls).toEqual([`submit ${orderId}`, `cancel ${orderId}`]);
    await book.listen();
    expect(book.journal.chunks.flatMap(({ orders }) => orders).at(-1)).toMatchObject({
      id: orderId,
      status: 'expired',
    });
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('holds on after that time until the broker has ended it, and what it fills meanwhile counts', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00, until(book, 1_000));
    book.broker.cancelsAtOnce = false;
    await book.listen();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 750_00 + 2_25 });
    book.broker.fill(orderId, '2', '250');
    book.broker.end(orderId, 'canceled');
    await book.listen();
    expect(live(book, orderId)).toBeUndefined();
    expect(book.has('alice', 'acme')).toBe(2);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ held: 0 });
    expect(book.breaks).toEqual([]);
  });

  test('and that the broker was away for expires unsent, or has its end asked for once it is back', async () => {
    const book = new RoutedBook();
    book.broker.away.add('submit').add('events');
    const first = await book.order('alice', 'buy', 1, 100_00, until(book, 1_000));
    const second = await book.order('alice', 'buy', 1, 100_00, until(book, 1_000));
    await book.listen();
    expect([live(book, first)?.status, live(book, second)]).toEqual(['open', undefined]);
    book.broker.away.clear();
    for (let tries = 0; tries < 4; tries++) await book.listen();
    expect(live(book, first)).toBeUndefined();
    expect(book.broker.calls.filter((call) => call.startsWith('submit'))).toEqual([`submit ${first}`]);
    expect(book.broker.orders.size).toBe(0);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('is sent no more once that time is over, though nobody has noticed it', async () => {
    const book = new RoutedBook();
    const command = book.place('alice', 'buy', 1, 100_00, until(book, 1_000));
    book.onDisk = async () => {
      if (book.state.venue?.handedOver().length === 1) book.now = Math.max(book.now, command.terms.expiresAt ?? 0);
    };
    await book.submit(command);
    await book.link.idle();
    await book.listen();
    await book.listen();
    expect(book.broker.calls).toEqual([]);
    expect(live(book, command.orderId)).toBeUndefined();
  });

  test('expires after its book was lost, and its end is asked for again where the answer was', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 100_00, until(book, 1_000));
    book.broker.cancelsAtOnce = false;
    book.broker.lostAnswers.set('cancel', 1);
    await book.listen();
    book.lose();
    await book.quiet();
    book.broker.cancelsAtOnce = true;
    await book.listen();
    expect(book.broker.calls.filter((call) => call === `cancel ${orderId}`).length).toBeGreaterThan(1);
    expect(live(book, orderId)).toBeUndefined();
    expect(book.journal.chunks.flatMap(({ orders }) => orders).at(-1)).toMatchObject({ status: 'expired' });
  });

  test('expires at its time while the market is closed and it waits for the opening', async () => {
    const book = new RoutedBook();
    book.hours = 'nyse';
    book.now = Date.parse('2026-03-07T15:00:00Z');
    const orderId = await book.order('alice', 'buy', 1, 100_00, until(book, 5_000));
    await book.listen();
    expect([live(book, orderId), book.broker.calls]).toEqual([undefined, []]);
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });
});

describe('a broker that is away', () => {
  test('gets its orders when it is back, each once', async () => {
    const book = new RoutedBook();
    book.broker.away.add('submit');
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    await book.listen();
    expect(book.broker.orders.size).toBe(0);
    book.broker.away.clear();
    book.broker.lostAnswers.set('submit', 2);
    for (let tries = 0; tries < 4; tries++) await book.listen();
    expect([...book.broker.orders.keys()]).toEqual([orderId]);
    expect(book.state.venue?.watched(10)).toEqual([orderId]);
  });

  test('is asked less often the longer it is away, and woken for', async () => {
    const book = new RoutedBook();
    book.broker.away.add('submit').add('events');
    await book.order('alice', 'buy', 1, 100_00);
    const pauses: number[] = [];
    for (let tries = 0; tries < 9; tries++) {
      const due = book.link.nextDue ?? 0;
      pauses.push(due - book.now);
      book.now = due;
      book.link.kick();
      await book.link.idle();
    }
    expect(pauses).toEqual([500, 500, 1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000]);
  });

  test('to a new order still ends the others, and tells of their fills', async () => {
    const book = new RoutedBook();
    const filled = await book.order('alice', 'buy', 1, 100_00);
    const cancelled = await book.order('alice', 'buy', 1, 100_00);
    book.broker.away.add('submit');
    const waits = await book.order('alice', 'buy', 1, 100_00);
    book.broker.fill(filled, '1', '100');
    const ended = book.cancel('alice', cancelled);
    for (let tries = 0; tries < 2; tries++) await book.listen();
    expect(await ended).toMatchObject({ type: 'done', report: { status: 'cancelled' } });
    expect(book.has('alice', 'acme')).toBe(1);
    expect(live(book, waits)).toBeDefined();
    expect((book.link.nextDue ?? 0) - book.now).toBeLessThanOrEqual(1_000);
  });

  test('and asks to be left alone for a time is asked nothing before it is over', async () => {
    const book = new RoutedBook();
    await book.order('alice', 'buy', 1, 100_00);
    const calls = book.broker.calls.length;
    const { submit } = book.broker;
    book.broker.submit = async () => {
      book.broker.calls.push('refused for now');
      return err({ reason: 'unavailable', retryAfter_ms: 60_000, detail: 'too many requests' });
    };
    const asked = book.broker.readAfter.length;
    const later = await book.order('alice', 'buy', 1, 100_00);
    expect(book.broker.calls.slice(calls)).toEqual(['refused for now']);
    // Nothing else is asked in the same pass either.
    expect(book.broker.readAfter.length).toBe(asked);
    expect((book.link.nextDue ?? 0) - book.now).toBe(60_000);
    book.broker.submit = submit;
    book.now += 59_999;
    book.link.kick();
    await book.link.idle();
    expect(book.broker.orders.has(later)).toBe(false);
    book.now += 1;
    book.link.kick();
    await book.link.idle();
    expect(book.broker.orders.has(later)).toBe(true);
  });

  test('is one whose call hangs, too: it is made again', async () => {
    const book = new RoutedBook();
    book.broker.hanging.add('submit');
    const command = book.place('alice', 'buy', 1, 100_00);
    await book.submit(command);
    while (book.patience.length === 0) await new Promise((resolve) => setTimeout(resolve, 0));
    book.broker.hanging.clear();
    for (const giveUp of book.patience.splice(0)) giveUp();
    await book.link.idle();
    await book.listen();
    expect([...book.broker.orders.keys()]).toEqual([command.orderId]);
  });

  test('whose answer to a cancel is lost is asked again', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    book.broker.lostAnswers.set('cancel', 1);
    book.broker.cancelsAtOnce = false;
    const cancelled = book.cancel('alice', orderId);
    await book.link.idle();
    await book.pass(2_000);
    await cancelled;
    book.broker.cancelsAtOnce = true;
    await book.listen();
    await book.listen();
    expect(live(book, orderId)).toBeUndefined();
  });
});

describe('what the broker says', () => {
  test('twice counts once, also when it begins anew from its first event', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    const event = book.broker.fill(orderId, '2', '250');
    book.broker.tell(event);
    await book.listen();
    book.broker.tell(event);
    await book.listen();
    expect(book.has('alice', 'acme')).toBe(2);
    expect(book.breaks).toEqual([]);
  });

  test('after a place that it does not know any more is read from its first event on, once each', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.fill(orderId, '1', '250');
    await book.listen();
    book.broker.fill(orderId, '1', '250');
    const places: (string | null)[] = [];
    const refusedAt = (isRefused: (after: string | null) => boolean, code: 'unknown_cursor' | 'order_ended'): void => {
      const events = ScriptedBroker.prototype.events.bind(book.broker);
      book.broker.events = async (symbol, after) => {
        places.push(after);
        return isRefused(after) ? err({ reason: 'refused', code, detail: '' } as never) : events(symbol, after);
      };
    };
    const { cursor } = book.state.venue ?? { cursor: null };
    refusedAt((after) => after === cursor, 'unknown_cursor');
    await book.listen();
    expect(places.slice(0, 2)).toEqual([cursor, null]);
    expect([book.has('alice', 'acme'), book.breaks]).toEqual([2, []]);

    // Refused from the first on, or for another reason, it is not asked again and again.
    for (const [isRefused, code] of [
      [() => true, 'unknown_cursor'],
      [() => true, 'order_ended'],
    ] as const) {
      refusedAt(isRefused, code);
      places.length = 0;
      await book.listen();
      expect(places.filter((place) => place === null).length).toBe(code === 'unknown_cursor' ? places.length / 2 : 0);
    }
  });

  test('after no place that it has given is read anew once a pause, which doubles, and journaled no more often', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.fill(orderId, '1', '250');
    await book.listen();
    const events = ScriptedBroker.prototype.events.bind(book.broker);
    const places: (string | null)[] = [];
    book.broker.events = async (symbol, after) => {
      places.push(after);
      // Else the test never ends where the rule is gone.
      if (places.length > 100) return err({ reason: 'unavailable', retryAfter_ms: null, detail: 'a hot loop' });
      if (after === null) return events(symbol, null);
      return err({ reason: 'refused', code: 'unknown_cursor', detail: '' } as never);
    };
    const read = async (ms: number) => {
      book.now += ms;
      const [asked, journaled] = [places.length, book.journal.entries.length];
      book.link.kick();
      await book.link.idle();
      const anew = places.slice(asked).filter((place) => place === null).length;
      return [anew, book.journal.entries.length - journaled];
    };
    expect(await read(10_000)).toEqual([1, 1]);
    expect(await read(499)).toEqual([0, 0]);
    expect(await read(1)).toEqual([1, 1]);
    expect(await read(999)).toEqual([0, 0]);
    expect(await read(1)).toEqual([1, 1]);
    expect([book.has('alice', 'acme'), book.breaks]).toEqual([1, []]);

    book.broker.events = events;
    book.broker.fill(orderId, '2', '250');
    await book.listen();
    expect(book.has('alice', 'acme')).toBe(3);
  });

  test('after a place that is lost with all events is read from the place that it gives instead', async () => {
    const book = new RoutedBook();
    await book.order('alice', 'buy', 3, 250_00);
    const places: (string | null)[] = [];
    book.broker.events = async (_symbol, after) => {
      places.push(after);
      if (after !== null && after !== 'new')
        return err({ reason: 'refused', code: 'unknown_cursor', detail: '' } as never);
      return ok({ events: [], cursor: 'new', more: false });
    };
    book.state.venue?.report([], 'lost');
    await book.listen();
    expect(places.slice(0, 2)).toEqual(['lost', null]);
    places.length = 0;
    await book.listen();
    expect(new Set(places)).toEqual(new Set(['new']));
  });

  test('out of order comes to the same', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.fill(orderId, '1', '250');
    book.broker.fill(orderId, '1', '249');
    book.broker.end(orderId, 'canceled');
    book.broker.retell((events) => [...events].reverse(), 0);
    await book.listen();
    expect(book.has('alice', 'acme')).toBe(2);
    expect(live(book, orderId)).toBeUndefined();
    expect(book.breaks).toEqual([]);
  });

  test.each([
    ['finer than its units', '0.5', '2.5', '249'],
    ['between its prices', '1', '2', '249.001'],
  ])('of executions %s frees what the order holds, once it has filled them all', async (_, first, second, price) => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.broker.fill(orderId, first, price);
    await book.listen();
    expect(live(book, orderId)).toBeDefined();
    book.broker.fill(orderId, second, price);
    await book.listen();
    expect(book.breaks).toEqual(['not_exact', 'not_exact']);
    expect(live(book, orderId)).toBeUndefined();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('of what fits no order becomes a break, and moves nothing', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    const of = { symbol: 'ACME', clientOrderId: orderId, at_ms: 1 };
    book.broker.fill(orderId, '1', '250.001');
    book.broker.fill(orderId, '0.5', '250');
    book.broker.fill(orderId, '1', '251');
    book.broker.tell({ ...of, id: 'bust-1', type: 'bust', executionId: 'x1' });
    book.broker.tell({ ...of, id: 'correct-1', type: 'correct', executionId: 'x1', price: '1', quantity: '1' });
    book.broker.tell({
      ...of,
      id: 'stranger',
      clientOrderId: 'nobody',
      type: 'fill',
      executionId: 'y',
      venue: null,
      price: '1',
      quantity: '1',
    });
    await book.listen();
    expect(book.breaks).toEqual(['not_exact', 'not_exact', 'outside_limit', 'bust', 'correction', 'unknown_order']);
    expect(book.has('alice', 'acme')).toBe(0);
    expect(live(book, orderId)).toMatchObject({ filled: 0 });
  });
});

describe('a book that is lost', () => {
  test('before the order was sent sends it', async () => {
    const book = new RoutedBook();
    book.link = new BrokerLink({ ...nobody(book) });
    const command = book.place('alice', 'buy', 1, 100_00);
    await book.submit(command);
    expect(book.broker.calls).toEqual([]);
    book.lose();
    await book.listen();
    expect([...book.broker.orders.keys()]).toEqual([command.orderId]);
  });

  test('between sending and hearing of it sends it again, and the broker has it once', async () => {
    const book = new RoutedBook();
    book.broker.lostAnswers.set('submit', 1);
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    book.lose();
    await book.listen();
    expect(book.broker.calls.filter((call) => call === `submit ${orderId}`).length).toBeGreaterThan(1);
    expect(book.broker.orders.size).toBe(1);
  });

  test('between hearing of a fill and journaling it hears it again', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    book.broker.fill(orderId, '1', '100');
    // It reads, and is lost before its journal has anything.
    await book.broker.events('ACME', book.state.venue?.cursor ?? null);
    book.lose();
    await book.listen();
    expect(book.has('alice', 'acme')).toBe(1);
  });

  test('asks again for the end that was wanted', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 1, 100_00);
    book.broker.away.add('cancel');
    const cancelled = book.cancel('alice', orderId);
    await book.link.idle();
    await book.pass(2_000);
    expect(await cancelled).toMatchObject({ type: 'done', report: { status: 'open' } });
    book.broker.away.clear();
    book.lose();
    await book.listen();
    await book.listen();
    expect(live(book, orderId)).toBeUndefined();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('comes to the same state by its journal', async () => {
    const book = new RoutedBook();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    await book.order('bob', 'sell', 5, 10_00);
    book.broker.fill(orderId, '1', '249');
    await book.listen();
    const before = book.state.engine.stateHash();
    book.restart();
    expect(book.state.engine.stateHash()).toBe(before);
  });
});

describe('a broker that tells by itself', () => {
  /** A book that has asked for events once, as an instance does when it begins to act. */
  async function told(): Promise<{ book: RoutedBook; orderId: string }> {
    const book = new RoutedBook();
    book.tellsByItself = true;
    book.lose();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    return { book, orderId };
  }

  /** Time goes on by so much, and the object's alarm rings. */
  async function wait(book: RoutedBook, ms: number): Promise<void> {
    book.now += ms;
    book.link.kick();
    await book.link.idle();
    await book.flow.settled(1_000);
  }

  test('completes an order by what it tells, and by that alone', async () => {
    const { book, orderId } = await told();
    const fill = book.broker.fill(orderId, '3', '250');
    await wait(book, 5_000);
    expect(live(book, orderId)).toMatchObject({ status: 'open', remaining: 3 });
    expect(await book.link.hear([fill])).toBe(true);
    await wait(book, 0);
    expect(live(book, orderId)).toBeUndefined();
    expect(book.has('alice', 'acme')).toBe(3);
  });

  test('is asked once it has said nothing for ten seconds; what it tells after that is known', async () => {
    const { book, orderId } = await told();
    const fill = book.broker.fill(orderId, '1', '250');
    await wait(book, 10_000);
    expect(book.has('alice', 'acme')).toBe(1);
    expect(await book.link.hear([fill, fill])).toBe(true);
    await wait(book, 0);
    expect([book.has('alice', 'acme'), book.breaks]).toEqual([1, []]);
  });

  test('that calls an order complete of which executions are missing is asked for them at once', async () => {
    const { book, orderId } = await told();
    const [lost, other] = [book.broker.fill(orderId, '1', '250'), book.broker.fill(orderId, '1', '250')];
    const asked = book.broker.readAfter.length;
    expect(await book.link.hear([other])).toBe(true);
    await wait(book, 0);
    expect([book.broker.readAfter.length, book.has('alice', 'acme')]).toEqual([asked, 1]);
    expect(await book.link.hear([book.broker.fill(orderId, '1', '250')])).toBe(true);
    await wait(book, 0);
    expect([book.broker.readAfter.length, book.has('alice', 'acme')]).toEqual([asked + 1, 3]);
    expect(live(book, orderId)).toBeUndefined();
    expect(await book.link.hear([lost])).toBe(true);
    await wait(book, 0);
    expect([book.broker.readAfter.length, book.has('alice', 'acme')]).toEqual([asked + 1, 3]);
  });

  test('and whose last word of an order completes it is not asked', async () => {
    const { book, orderId } = await told();
    const asked = book.broker.readAfter.length;
    await book.link.hear([book.broker.fill(orderId, '3', '250')]);
    await wait(book, 0);
    expect([book.broker.readAfter.length, book.has('alice', 'acme')]).toEqual([asked, 3]);
  });

  test('has been heard once what it told is on disk', async () => {
    const { book, orderId } = await told();
    const writes: (() => void)[] = [];
    book.onDisk = () => new Promise((resolve) => writes.push(resolve));
    let isHeard = false;
    const hearing = book.link.hear([book.broker.fill(orderId, '1', '250')]).then((heard) => {
      isHeard = heard;
    });
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(isHeard).toBe(false);
    book.onDisk = () => Promise.resolve();
    for (const write of writes) write();
    await hearing;
    expect(isHeard).toBe(true);
  });

  test('is asked by an instance that begins to act, before it sends anything', async () => {
    const { book, orderId } = await told();
    book.broker.fill(orderId, '1', '250');
    book.lose();
    await wait(book, 0);
    expect(book.has('alice', 'acme')).toBe(1);
  });

  test('is asked after a thousand reports, so that none behind its cursor can be forgotten', async () => {
    const { book, orderId } = await told();
    const cursor = book.state.venue?.cursor;
    const fill = book.broker.fill(orderId, '1', '250');
    for (let count = 0; count < 999; count++) await book.link.hear([fill]);
    await wait(book, 0);
    expect(book.state.venue?.cursor).toBe(cursor);
    await book.link.hear([fill]);
    await wait(book, 0);
    expect(book.state.venue?.cursor).not.toBe(cursor);
    expect(book.has('alice', 'acme')).toBe(1);
  });

  test('is sent orders in the order in which they came, however often somebody asks when the book is due', async () => {
    const { book } = await told();
    const before = book.broker.calls.length;
    book.broker.away.add('submit');
    const orderIds = [];
    for (let count = 0; count < 4; count++) {
      const command = book.place('alice', 'buy', 1, 10_00);
      book.journaled = () => undefined;
      await book.submit(command);
      orderIds.push(command.orderId);
    }
    for (let looks = 0; looks < 3; looks++) expect(book.link.nextDue).not.toBeNull();
    book.broker.away.clear();
    await wait(book, 1_000);
    expect(book.broker.calls.slice(before)).toEqual(orderIds.map((orderId) => `submit ${orderId}`));
  });

  test('is not heard while the book stands still: it is to tell again', async () => {
    const book = new RoutedBook();
    const link = new BrokerLink(nobody(book));
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect(await link.hear([book.broker.fill(orderId, '1', '250')])).toBe(false);
  });
});

/** A link that sends nothing. */
function nobody(book: RoutedBook): ConstructorParameters<typeof BrokerLink>[0] {
  const { broker } = book;
  const done = () => Promise.resolve();
  const timer = () => () => undefined;
  const rest = {
    tellsByItself: false,
    record: () => false,
    onDisk: done,
    now: () => book.now,
    timer,
    warn: () => undefined,
  };
  return { broker, market: book.state.market, hours: () => 'always', engine: () => null, ...rest };
}

describe('a market with the hours of the New York Stock Exchange', () => {
  const SUNDAY = Date.parse('2026-11-22T16:00:00Z');
  const OPENING = Date.parse('2026-11-23T14:30:00Z');

  function closed(): RoutedBook {
    const book = new RoutedBook();
    book.hours = 'nyse';
    book.now = SUNDAY;
    return book;
  }

  test('keeps an order while it is closed, and is next due when it opens; then it is handed over', async () => {
    const book = closed();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect([...book.broker.orders.keys()]).toEqual([]);
    expect(book.link.nextDue).toBe(OPENING);
    book.now = OPENING;
    book.link.kick();
    await book.link.idle();
    expect([...book.broker.orders.keys()]).toEqual([orderId]);
    expect(book.link.nextDue).toBeLessThan(OPENING + 10_000);
  });

  test('ends an order that waits for it at once', async () => {
    const book = closed();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    expect(await book.cancel('alice', orderId)).toMatchObject({ type: 'done', report: { status: 'cancelled' } });
    expect(book.broker.calls).toEqual([]);
  });

  test('leaves at the broker what is there when it closes, and hears of it', async () => {
    const book = closed();
    book.now = OPENING;
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.now = Date.parse('2026-11-23T21:00:00Z');
    const waits = await book.order('alice', 'buy', 1, 100_00);
    expect([...book.broker.orders.keys()]).toEqual([orderId]);
    expect(book.link.nextDue).toBeLessThan(book.now + 10_000);
    book.broker.fill(orderId, '3', '250');
    await book.listen();
    expect(book.has('alice', 'acme')).toBe(3);
    expect(book.state.venue?.order(waits)).toMatchObject({ filled: 0 });
  });

  test('ends an order unfilled that cannot wait and could not be sent while it was open', async () => {
    const book = closed();
    book.now = OPENING;
    book.broker.away.add('submit').add('events');
    await book.order('alice', 'buy', 1, 100_00);
    book.now = Date.parse('2026-11-23T20:59:59Z');
    const waits = await book.order('alice', 'buy', 1, 100_00);
    const orderId = await book.order('alice', 'buy', 2, 250_00, { timeInForce: 'IOC' });
    book.now += 60_000;
    expect(book.link.nextDue).toBeLessThan(book.now + 60_000);
    await book.listen();
    expect(book.state.venue?.order(orderId)).toBeUndefined();
    expect(book.state.venue?.order(waits)).toMatchObject({ filled: 0 });
    expect(book.broker.calls).not.toContain(`submit ${orderId}`);
    expect(book.breaks).toEqual([]);
  });

  test('is due at once for an order that cannot wait, though nothing is at the broker', async () => {
    const book = closed();
    book.broker.away.add('submit').add('events');
    const kick = book.link.kick.bind(book.link);
    book.link.kick = () => undefined;
    const orderId = await book.order('alice', 'buy', 2, 250_00, { timeInForce: 'IOC' });
    expect(book.link.nextDue).toBeLessThan(book.now + 60_000);
    book.link.kick = kick;
    await book.listen();
    expect(book.state.venue?.order(orderId)).toBeUndefined();
    expect(book.ledger.balance('alice', 'usd')).toMatchObject({ available: 1_000_00, held: 0 });
  });

  test('lets go what waits once its hours are others', async () => {
    const book = closed();
    const orderId = await book.order('alice', 'buy', 3, 250_00);
    book.hours = 'always';
    book.link.kick();
    await book.link.idle();
    expect([...book.broker.orders.keys()]).toEqual([orderId]);
  });
});

test('a fill behind many full pages of other symbols is heard, and those pages are read once', async () => {
  const book = new RoutedBook();
  book.broker.pagesOfOthers = 45;
  const orderId = await book.order('alice', 'buy', 3, 250_00);
  book.lose();
  expect(book.state.venue?.cursor).toBe('45');
  book.broker.fill(orderId, '3', '250');
  await book.listen();
  expect(book.has('alice', 'acme')).toBe(3);
});
