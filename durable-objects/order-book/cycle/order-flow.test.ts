import { describe, expect, it, vi } from 'vitest';
import { batchText } from '../../../domain/ledger/batch-text.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import { BOOK_CODE } from '../journal/engine-version.ts';
import { type AmendCommand, type MassCancelCommand, OPEN_ORDERS_PER_ACCOUNT_MAX } from '../rpc/commands.ts';
import { BookInMemory } from './book-in-memory.fixtures.ts';

const SETTLE_MS = 1_000;

function massCancel(account: string | null): MassCancelCommand {
  return { type: 'mass_cancel', account, keyId: null, side: null, reason: 'user' };
}

/** A book with a buyer who has cash and a seller who has shares. */
function book(market: Partial<Market> = {}): BookInMemory {
  const made = new BookInMemory(true, {}, market);
  made.deposit('buyer', 'usd', 100_000_000);
  made.deposit('seller', 'acme', 1_000, 10);
  return made;
}

/** A book with so many resting buys of the buyer, one after the other. */
async function bookOfBuys(count: number, expiresAt: number | null = null): Promise<BookInMemory> {
  const made = book();
  const terms = expiresAt === null ? {} : { timeInForce: 'GTD' as const, expiresAt };
  for (let placed = 0; placed < count; placed += 1_000) {
    const orders = Array.from({ length: Math.min(1_000, count - placed) }, () =>
      made.place('buyer', 'buy', 1, 100, terms),
    );
    await made.submit(...orders);
  }
  await made.flow.settled(SETTLE_MS);
  return made;
}

/** A book that the ledger has refused effects of: its seller holds a lot less than he sells. */
async function haltedBook(): Promise<{ halted: BookInMemory; orderId: string }> {
  const halted = book();
  const order = halted.place('buyer', 'buy', 1, 50);
  await halted.submit(order);
  await halted.flow.settled(SETTLE_MS);
  halted.beforeCommit = (batch) => {
    const [chunk] = batch.chunks;
    const [move] = chunk?.balances ?? [];
    if (move !== undefined) Object.assign(move, { available: move.available + 1 });
  };
  await halted.submit(halted.place('seller', 'sell', 1, 100), halted.place('buyer', 'buy', 1, 100));
  await halted.flow.settled(SETTLE_MS);
  expect(halted.journal.haltReason).not.toBeNull();
  return { halted, orderId: order.orderId };
}

describe('the cycle of a book', () => {
  it('T-07: has at most 5,000 commands of one account waiting, its cancels aside; others still find room', async () => {
    const made = book();
    const orders = Array.from({ length: 5_001 }, () => made.place('buyer', 'buy', 1, 100));
    const [first] = orders;
    const results = await made.submit(
      ...orders,
      { type: 'cancel', orderId: first?.orderId ?? '', account: 'buyer' },
      made.place('seller', 'sell', 1, 200),
    );
    expect(results.flatMap(({ type }, at) => (type === 'unavailable' ? [at] : []))).toEqual([5_000]);
    expect(results.slice(-2)).toMatchObject([{ report: { status: 'cancelled' } }, { report: { status: 'open' } }]);
  });

  it('admits, matches and settles: the ledger then reserves what the open orders hold', async () => {
    const made = book();
    const [sold] = await made.submit(made.place('seller', 'sell', 10, 100), made.place('buyer', 'buy', 4, 100));
    expect(sold).toMatchObject({ type: 'done', report: { status: 'open' } });
    expect(await made.flow.settled(SETTLE_MS)).toBe(true);
    expect(made.ledger.balance('seller', 'acme')).toMatchObject({ available: 990, held: 6 });
    expect(made.ledger.balance('buyer', 'acme')).toMatchObject({ available: 4, held: 0 });
    expect(made.ledger.balance('buyer', 'usd').available).toBe(100_000_000 - 400 - 2);
    expect(made.ledger.violations()).toEqual([]);
  });

  it('holds allowances and position limits like cash: a fill uses them up, a cancel and a sell give room back', async () => {
    const made = book();
    const [allowance, position] = ['allowance:reg_cf', 'position:key-1'];
    made.grant('buyer', allowance, 1_000);
    made.grant('buyer', position, 100);
    const buy = made.place('buyer', 'buy', 6, 100, {}, { allowanceAsset: allowance, positionAsset: position });
    const resale = made.place('buyer', 'sell', 1, 100, {}, { positionAsset: position });
    await made.submit(buy, made.place('seller', 'sell', 4, 90));
    await made.submit({ type: 'cancel', orderId: buy.orderId, account: 'buyer' });
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.balance('buyer', allowance)).toMatchObject({ available: 600, held: 0 });
    expect(made.ledger.balance('buyer', position)).toMatchObject({ available: 96, held: 0 });
    await made.submit(resale, made.place('seller', 'buy', 1, 100));
    made.deposit('seller', 'usd', 1_000);
    await made.submit(made.place('seller', 'buy', 1, 100));
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.balance('buyer', position)).toMatchObject({ available: 97, held: 0 });
    expect(made.ledger.violations()).toEqual([]);
  });

  it("counts and holds daily limits of a key: the limit price, the collar of a market order, the fees of a sell, an amendment's extra", async () => {
    const made = book({ referencePrice: 100 });
    const key = { keyId: 'key-1', daily: { notionalMax: 1_000, lossMax: 5_000 } };
    const use = () => made.ledger.keyUse('key-1', made.now);
    const buy = made.place('buyer', 'buy', 6, 100, {}, key);
    await made.submit(buy);
    expect(use()).toEqual({ notional: 600, loss: 0, lossHeld: 0 });
    const market = made.place('buyer', 'buy', 4, 0, { type: 'market', timeInForce: 'IOC', price: null }, key);
    await made.submit(made.place('seller', 'sell', 1, 100));
    expect(await made.submit(market)).toMatchObject([
      {
        type: 'refused',
        refusal: { reason: 'risk_limit_exceeded', limit: 'daily_notional', required: 420, available: 400 },
      },
    ]);
    const amend = {
      type: 'amend',
      orderId: buy.orderId,
      account: 'buyer',
      price: null,
      stopPrice: null,
      checkedOver: null,
    } as const;
    const rest = { unfilledOnly: false, factsVersion: 1, rulesVersion: 1 };
    const amended = (quantity: number, limitedKey: string | null) =>
      made.submit({ ...amend, ...rest, amendmentId: made.id('amendment'), quantity, limitedKey });
    expect(await amended(11, 'key-1')).toMatchObject([{ refusal: { limit: 'daily_notional', required: 500 } }]);
    expect(await amended(11, null)).toMatchObject([{ refusal: { limit: 'daily_notional', required: 500 } }]);
    expect(await amended(7, 'another key')).toMatchObject([{ refusal: { reason: 'outside_limit', limit: 'daily' } }]);
    expect(await amended(10, 'key-1')).toMatchObject([{ type: 'done', report: { quantity: 10 } }]);
    expect(use().notional).toBe(1_000);
    await made.submit({ type: 'cancel', orderId: buy.orderId, account: 'buyer' });
    await made.flow.settled(SETTLE_MS);
    expect(use().notional).toBe(100);

    made.deposit('loser', 'acme', 10, 1, { cost: 2_000 });
    const sell = made.place('loser', 'sell', 10, 100, {}, { ...key, keyId: 'key-2' });
    await made.submit(sell);
    expect(made.ledger.keyUse('key-2', made.now).lossHeld).toBe(2_000 - (1_000 - 3));
    await made.submit(made.place('buyer', 'buy', 10, 100));
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.keyUse('key-2', made.now)).toEqual({
      notional: 1_000,
      loss: 1_000 + 1,
      lossHeld: 0,
    });
    expect(made.ledger.violations()).toEqual([]);
  });

  it('answers an account that takes as much of the ledger as it may with its quota, and goes on with others', async () => {
    const made = new BookInMemory(true, {
      reservationsPerAccountMax: 2,
      lotsHeldPerAccountMax: 2,
      balancesPerAccountMax: 2,
    });
    made.deposit('buyer', 'usd', 1_000_000);
    made.deposit('holder', 'acme', 4, 2);
    made.deposit('holder', 'usd', 1_000);
    made.deposit('rich', 'usd', 1_000);
    made.deposit('rich', 'gold', 1_000);
    const buy = (account: string) => made.place(account, 'buy', 1, 100);
    expect(await made.submit(buy('buyer'), buy('buyer'), buy('buyer'), buy('holder'), buy('rich'))).toMatchObject([
      { type: 'done' },
      { type: 'done' },
      { refusal: { reason: 'too_many_open_orders', of: 'account', openOrdersMax: 2 } },
      { refusal: { reason: 'account_quota', of: 'lots', quota: 2 } },
      { refusal: { reason: 'account_quota', of: 'balances', quota: 2 } },
    ]);
    expect(await made.submit(made.place('holder', 'sell', 1, 200))).toMatchObject([{ type: 'done' }]);
  });

  it('answers an order while D1 is too far behind with `backlog`, and keeps no trace of it', async () => {
    const made = book();
    made.backlogged = true;
    const order = made.place('buyer', 'buy', 1, 100);
    expect(await made.submit(order)).toMatchObject([{ type: 'refused', refusal: { reason: 'backlog' } }]);
    made.backlogged = false;
    expect(await made.submit(order)).toMatchObject([{ type: 'done', report: { status: 'open' } }]);
  });

  it('answers a placement that is repeated under rules of before by what became of the first; any other is stale', async () => {
    const made = book();
    const order = made.place('buyer', 'buy', 1, 100);
    const ended = {
      account: 'buyer',
      status: 'filled',
      quantity: 1,
      price: 100,
      filled: 1,
      filledNotional: 100,
    } as const;
    made.ended.set(order.orderId, { ...ended, id: order.orderId, restricted: false, code: null, updatedAt: 1 });
    const another = made.place('buyer', 'buy', 1, 100);
    expect(await made.submit({ ...order, rulesVersion: 0 }, { ...another, rulesVersion: 0 })).toMatchObject([
      { type: 'done', report: { status: 'filled' } },
      { type: 'refused', refusal: { reason: 'stale' } },
    ]);
  });

  it('answers an amendment that is repeated as it was answered, and amends once', async () => {
    const made = book();
    const { orderId } = made.place('buyer', 'buy', 5, 100);
    await made.submit({ ...made.place('buyer', 'buy', 5, 100), orderId });
    const amendment = {
      type: 'amend',
      amendmentId: 'amendment-1',
      orderId,
      account: 'buyer',
      quantity: 3,
      price: null,
      stopPrice: null,
      checkedOver: null,
      unfilledOnly: false,
      limitedKey: null,
      factsVersion: 1,
      rulesVersion: 1,
    } as const;
    expect(await made.submit(amendment)).toMatchObject([{ type: 'done', report: { quantity: 3 } }]);
    const journaled = made.journal.entries.length;
    expect(await made.submit(amendment)).toMatchObject([{ type: 'done', report: { quantity: 3 } }]);
    expect(made.journal.entries.length).toBe(journaled);
  });
});

describe('a command that was given up as unavailable', () => {
  it('leaves its own retry waiting: what comes again joins that, and nothing is asked a third time', async () => {
    const made = book();
    const order = made.place('buyer', 'buy', 1, 100);
    const gates = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const asked: number[] = [];
    made.beforeCommit = async (batch) => {
      const attempt = asked.push(batch.orders.length);
      if (attempt === 1) {
        made.now += 6_000;
        throw new Error('the request was lost');
      }
      await gates[attempt - 2]?.promise;
    };
    const unavailable = [{ type: 'unavailable', orderId: order.orderId }];
    expect(await made.submit(order)).toEqual(unavailable);
    const retry = made.submit(order);
    gates[0]?.resolve();
    // The first attempt has landed and was answered a second time; its retry is in flight.
    await vi.waitFor(() => expect(asked).toEqual([1, 1, 1]));
    await Promise.resolve();
    const again = made.submit(order);
    gates[1]?.resolve();
    expect(await Promise.all([retry, again])).toEqual([unavailable, unavailable]);
    await made.flow.settled(SETTLE_MS);
    expect(asked.filter((orders) => orders > 0)).toEqual([1, 1, 1]);
    expect(made.state.orders.size).toBe(0);
    expect(made.ledger.balance('buyer', 'usd')).toMatchObject({ available: 100_000_000, held: 0 });
  });
});

describe('a cancel while the ledger is away', () => {
  it('overtakes once what its account has in flight was given up', async () => {
    const made = book();
    const resting = made.place('buyer', 'buy', 1, 100);
    await made.submit(resting);
    made.beforeCommit = () => {
      made.now += 6_000;
      throw new Error('the ledger is away');
    };
    const lost = made.place('buyer', 'buy', 1, 100);
    expect(await made.submit(lost)).toMatchObject([{ type: 'unavailable' }]);
    expect(await made.submit({ type: 'cancel', orderId: resting.orderId, account: 'buyer' })).toMatchObject([
      { type: 'done', report: { status: 'cancelled' } },
    ]);
    made.beforeCommit = () => undefined;
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.balance('buyer', 'usd')).toMatchObject({ available: 100_000_000, held: 0 });
  });
});

describe('a ledger that neither answers nor fails', () => {
  it.each(['hangs', 'answer_hangs'] as const)(
    'when the call %s: callers are told after five seconds, new orders at once, cancels go on; the same bytes are sent again and land once',
    async (fate) => {
      const made = book();
      const resting = made.place('buyer', 'buy', 1, 100);
      await made.submit(resting);
      await made.flow.settled(SETTLE_MS);
      const sent: string[] = [];
      made.beforeCommit = (batch) => void sent.push(batchText(batch));
      made.fate = () => fate;
      const waiting = made.place('buyer', 'buy', 2, 100);
      const waited = made.submit(waiting);
      await vi.waitFor(() => expect(sent).toHaveLength(1));
      await made.pass(5_000);
      expect(await Promise.race([waited, 'waits'])).toBe('waits');
      await made.pass(1_000);
      expect(await waited).toEqual([{ type: 'unavailable', orderId: waiting.orderId }]);
      await vi.waitFor(() => expect(sent).toHaveLength(2));
      expect(sent[1]).toBe(sent[0]);

      const refused = made.place('seller', 'sell', 1, 100);
      expect(await made.submit(refused)).toEqual([{ type: 'unavailable', orderId: refused.orderId }]);
      expect(await made.submit({ type: 'cancel', orderId: resting.orderId, account: 'buyer' })).toMatchObject([
        { type: 'done', report: { status: 'cancelled' } },
      ]);
      made.fate = () => 'through';
      await made.pass(12_000);
      await vi.waitFor(async () => expect(await made.flow.settled(SETTLE_MS)).toBe(true));
      expect(new Set(sent.slice(0, 3)).size).toBe(1);
      expect(made.state.orders.size).toBe(0);
      expect(made.ledger.balance('buyer', 'usd')).toMatchObject({ available: 100_000_000, held: 0 });
      expect(await made.submit(made.place('buyer', 'buy', 1, 100))).toMatchObject([{ report: { status: 'open' } }]);
    },
  );
});

describe('a book that starts while the ledger is away', () => {
  it('takes cancels and mass cancels of what its journal has, and nothing else; they settle once it owns the book', async () => {
    const made = book();
    const [first, second] = [made.place('buyer', 'buy', 1, 100), made.place('buyer', 'buy', 2, 100)];
    await made.submit(first, second);
    await made.flow.settled(SETTLE_MS);
    made.restart();
    expect(await made.submit(made.place('buyer', 'buy', 1, 1))).toMatchObject([{ type: 'unavailable' }]);
    expect(await made.submit({ type: 'cancel', orderId: first.orderId, account: 'buyer' })).toMatchObject([
      { type: 'done', report: { status: 'cancelled' } },
    ]);
    expect(await made.submit(massCancel('buyer'))).toEqual([
      { type: 'mass_cancelled', orderIds: [second.orderId], pendingOrderIds: [] },
    ]);
    expect(await made.flow.settled(SETTLE_MS)).toBe(false);
    expect(made.ledger.reservations('ACME-USD')).toHaveLength(2);

    made.takeOver();
    expect(await made.flow.settled(SETTLE_MS)).toBe(true);
    expect(made.ledger.reservations('ACME-USD')).toEqual([]);
    expect(made.ledger.balance('buyer', 'usd')).toMatchObject({ available: 100_000_000, held: 0 });
    expect(made.ledger.violations()).toEqual([]);
    expect(await made.submit(made.place('buyer', 'buy', 1, 100))).toMatchObject([{ report: { status: 'open' } }]);
  });

  it('gives back what the instance before had admitted and not journaled, an amendment of a cancelled order included', async () => {
    const made = book();
    const [resting, kept] = [made.place('buyer', 'buy', 1, 100), made.place('buyer', 'buy', 1, 90)];
    await made.submit(resting, kept);
    await made.flow.settled(SETTLE_MS);
    made.fate = () => 'answer_hangs';
    const amendment = {
      type: 'amend',
      amendmentId: 'amendment-1',
      orderId: resting.orderId,
      account: 'buyer',
      quantity: 5,
      price: null,
      stopPrice: null,
      checkedOver: null,
      unfilledOnly: false,
      limitedKey: null,
      factsVersion: 1,
      rulesVersion: 1,
    } as const;
    void made.submit(made.place('buyer', 'buy', 7, 100), amendment);
    await vi.waitFor(() => expect(made.ledger.reservations('ACME-USD')).toHaveLength(4));
    made.restart();
    made.fate = () => 'through';
    expect(await made.submit({ type: 'cancel', orderId: resting.orderId, account: 'buyer' })).toMatchObject([
      { report: { status: 'cancelled' } },
    ]);
    made.takeOver();
    expect(await made.flow.settled(SETTLE_MS)).toBe(true);
    expect(made.ledger.reservations('ACME-USD')).toMatchObject([{ id: kept.orderId }]);
    expect([...made.state.orders.keys()]).toEqual([kept.orderId]);
    expect(made.ledger.violations()).toEqual([]);
  });

  it('does not know what became of an order that its journal lacks', async () => {
    const made = book();
    made.restart();
    made.ended.clear();
    const order = made.place('buyer', 'buy', 1, 100);
    made.orderAnswers = () => Promise.reject(new Error('the ledger is away'));
    expect(await made.submit({ type: 'cancel', orderId: order.orderId, account: 'buyer' })).toEqual([
      { type: 'unavailable', orderId: order.orderId },
    ]);
  });

  it('shows the same book after another replay: what was cancelled meanwhile is journaled', async () => {
    const made = book();
    const order = made.place('buyer', 'buy', 1, 100);
    await made.submit(order);
    await made.flow.settled(SETTLE_MS);
    made.restart();
    await made.submit({ type: 'cancel', orderId: order.orderId, account: 'buyer' });
    made.restart();
    expect(made.state.orders.size).toBe(0);
    made.takeOver();
    expect(await made.flow.settled(SETTLE_MS)).toBe(true);
    expect(made.ledger.reservations('ACME-USD')).toEqual([]);
  });
});

describe('a halted book', () => {
  it('still takes cancels and mass cancels, and nothing else', async () => {
    const { halted, orderId } = await haltedBook();
    expect(await halted.submit(halted.place('buyer', 'buy', 1, 1))).toMatchObject([{ type: 'unavailable' }]);
    expect(await halted.submit({ type: 'cancel', orderId, account: 'buyer' })).toMatchObject([
      { type: 'done', report: { status: 'cancelled' } },
    ]);
    const { orderId: other } = [...halted.state.orders.values()][0] ?? { orderId: null };
    expect(await halted.submit(massCancel(null))).toEqual([
      { type: 'mass_cancelled', orderIds: other === null ? [] : [other], pendingOrderIds: [] },
    ]);
    expect(halted.state.orders.size).toBe(0);
  });

  it('takes none when its journal could not be replayed', async () => {
    const halted = new BookInMemory(false);
    halted.journal.halt('replay differs');
    expect(await halted.submit({ type: 'cancel', orderId: 'any', account: 'a' }, massCancel('a'))).toEqual([
      { type: 'unavailable', orderId: 'any' },
      { type: 'unavailable', orderId: 'a' },
    ]);
  });

  it('says at once that it does not settle', async () => {
    const { halted } = await haltedBook();
    expect(await Promise.race([halted.flow.settled(60_000), Promise.resolve('waits')])).toBe(false);
  });

  it('changes nothing any more once another flow has taken over', async () => {
    const { halted, orderId } = await haltedBook();
    halted.flow.stop();
    const journaled = halted.journal.entries.length;
    expect(await halted.submit({ type: 'cancel', orderId, account: 'buyer' })).toMatchObject([{ type: 'unavailable' }]);
    expect(halted.journal.entries.length).toBe(journaled);
  });
});

describe('a mass cancel', () => {
  const ordersPerCycleMax = 5_000;
  const count = ordersPerCycleMax + 1;

  it('of more orders than one cycle ends is cut into slices; others are served between them, and it is answered at the end', async () => {
    const made = await bookOfBuys(count);
    const journaled = made.journal.entries.length;
    let isAnswered = false;
    const cancelling = made.submit(massCancel('buyer')).finally(() => {
      isAnswered = true;
    });
    expect(made.state.orders.size).toBe(1);
    const between = made.place('seller', 'sell', 1, 200);
    const serving = made.submit(between);
    expect(isAnswered).toBe(false);
    const [result] = await cancelling;
    expect(result?.type === 'mass_cancelled' && result.orderIds.length).toBe(count);
    expect(await serving).toMatchObject([{ type: 'done', report: { status: 'open' } }]);
    for (const { commands } of made.journal.entries.slice(journaled)) {
      for (const command of commands) {
        if (command.type === 'mass_cancel') expect(command.orderIds.length).toBeLessThanOrEqual(ordersPerCycleMax);
      }
    }
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.reservations('ACME-USD')).toMatchObject([{ id: between.orderId }]);
  });

  it('means what was placed before it in the same call, and not what comes after', async () => {
    const made = book();
    const before = made.place('buyer', 'buy', 1, 100);
    const after = made.place('buyer', 'buy', 1, 100);
    const [, cancelled] = await made.submit(before, massCancel('buyer'), after);
    expect(cancelled).toEqual({ type: 'mass_cancelled', orderIds: [before.orderId], pendingOrderIds: [] });
    expect([...made.state.orders.keys()]).toEqual([after.orderId]);
  });
});

describe('orders that expire', () => {
  it('all at once do so in slices, and none of them trades first', async () => {
    const made = book();
    const expiresAt = made.now + 1_000;
    const due = await bookOfBuys(BOOK_CODE.current.expiriesPerCycleMax + 1, expiresAt);
    due.now = expiresAt;
    expect(await due.submit(due.place('seller', 'sell', 1, 100))).toMatchObject([
      { type: 'done', report: { status: 'open', filled: 0 } },
    ]);
    expect(due.state.orders.size).toBe(1);
  });
});

describe('open orders', () => {
  it('of one account are bounded; the one too many is refused and recorded', async () => {
    const made = await bookOfBuys(OPEN_ORDERS_PER_ACCOUNT_MAX);
    const order = made.place('buyer', 'buy', 1, 100);
    const refusal = { reason: 'too_many_open_orders', of: 'account', openOrdersMax: OPEN_ORDERS_PER_ACCOUNT_MAX };
    expect(await made.submit(order)).toEqual([{ type: 'refused', orderId: order.orderId, refusal }]);
    await made.submit({ type: 'cancel', orderId: [...made.state.orders.keys()][0] ?? '', account: 'buyer' });
    expect(await made.submit(made.place('buyer', 'buy', 1, 100))).toMatchObject([{ type: 'done' }]);
  });
});

describe('a sell under a daily notional', () => {
  it('counts at what the best bid pays, which its limit may lie far below', async () => {
    const made = new BookInMemory();
    made.deposit('buyer', 'usd', 100_000_000);
    made.deposit('seller', 'acme', 1_000, 10);
    const daily = { notionalMax: 25_000, lossMax: null };
    await made.submit(made.place('buyer', 'buy', 1_000, 100));
    const sells = Array.from({ length: 4 }, () => made.place('seller', 'sell', 100, 1, {}, { keyId: 'k', daily }));
    const results = await made.submit(...sells);
    expect(results.map(({ type }) => type)).toEqual(['done', 'done', 'refused', 'refused']);
    expect(results[2]).toMatchObject({ refusal: { reason: 'risk_limit_exceeded', limit: 'daily_notional' } });
    await made.flow.settled(1_000);
    expect(made.ledger.keyUse('k', made.now).notional).toBe(20_000);
  });
});

describe('a cancel of an order that is not there', () => {
  it('writes nothing', async () => {
    const made = await bookOfBuys(1);
    const { length } = made.journal.entries;
    const [order = ''] = made.state.orders.keys();
    expect(await made.submit({ type: 'cancel', orderId: made.id('order'), account: 'buyer' })).toMatchObject([
      { type: 'refused', refusal: { reason: 'order_not_found' } },
    ]);
    await made.submit({ type: 'cancel', orderId: order, account: 'somebody else' });
    expect(made.journal.entries).toHaveLength(length);
    expect(await made.submit({ type: 'cancel', orderId: order, account: 'buyer' })).toMatchObject([{ type: 'done' }]);
    expect(made.journal.entries).toHaveLength(length + 1);
  });
});

describe('an amendment', () => {
  function amend(made: BookInMemory, orderId: string, account: string, terms: Partial<AmendCommand>): AmendCommand {
    return {
      type: 'amend',
      amendmentId: made.id('amendment'),
      orderId,
      account,
      quantity: null,
      price: null,
      stopPrice: null,
      checkedOver: null,
      unfilledOnly: false,
      limitedKey: null,
      factsVersion: 1,
      rulesVersion: 1,
      ...terms,
    };
  }

  it('that a fill of the same cycle has left uncovered is refused: each filled share released its old price', async () => {
    const made = book();
    const order = made.place('buyer', 'buy', 10, 100);
    await made.submit(order);
    await made.flow.settled(SETTLE_MS);
    // 12 at 90 are 80 more than 10 at 100. Five fills release 500, and 7 at 90 are more than the 580 that are left.
    const amendment = amend(made, order.orderId, 'buyer', { quantity: 12, price: 90 });
    const [sold, amended] = await made.submit(made.place('seller', 'sell', 5, 100), amendment);
    expect(sold).toMatchObject({ type: 'done', report: { filled: 5 } });
    expect(amended).toMatchObject({ type: 'refused', refusal: { reason: 'order_not_modifiable' } });
    expect(made.state.orders.get(order.orderId)).toMatchObject({ quantity: 10, price: 100, remaining: 5 });
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.reservations('ACME-USD')).toMatchObject([{ id: order.orderId }]);
    expect(made.ledger.violations()).toEqual([]);
  });

  it('is judged by all lots that its order would have: one that no kind of buyer may have with the others is refused', async () => {
    const made = book();
    const restrictionEndsAt = made.now + 1_000_000;
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 1, restrictionEndsAt, offeringType: '506b' });
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 2, restrictionEndsAt, offeringType: 'reg_s' });
    const order = made.place('holder', 'sell', 5, 100, {}, { attributes: ATTRIBUTE.non_us });
    expect(await made.submit(order)).toMatchObject([{ type: 'done', report: { restricted: true } }]);
    const [amended] = await made.submit(amend(made, order.orderId, 'holder', { quantity: 6 }));
    expect(amended).toMatchObject({ type: 'refused', refusal: { reason: 'resale_restricted', restrictionEndsAt } });
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.balance('holder', 'acme')).toMatchObject({ available: 5, held: 5 });
    expect(made.ledger.violations()).toEqual([]);
  });
});
