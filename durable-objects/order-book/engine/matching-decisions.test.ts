import { describe, expect, it } from 'vitest';
import { CheckedBook, fills, IMPLEMENTATIONS, story } from './checked-book.fixtures.ts';
import type { EngineEvent, EngineSnapshot } from './engine.ts';

/** Who did what, in order: `type id` of the events of orders. */
const acts = (events: readonly EngineEvent[]): string[] =>
  events.flatMap((event) => {
    if (event.type === 'level') return [];
    return event.type === 'filled'
      ? [`filled ${event.takerId} by ${event.makerId}`]
      : [`${event.type} ${event.orderId}`];
  });

const levels = (events: readonly EngineEvent[]): string[] =>
  events.flatMap((event) => (event.type === 'level' ? [`${event.side} ${event.price} ${event.quantity}`] : []));

describe.each(IMPLEMENTATIONS)('where the rules need a decision, the %s engine', (_, create) => {
  const open = (): CheckedBook => new CheckedBook(create());

  describe('on stops', () => {
    it('runs those triggered upwards before those triggered downwards, after the order that traded', () => {
      const book = open();
      book.buy(1, 90, { orderId: 'up at 100', orderType: 'stop_loss_limit', stopPrice: 100 });
      book.buy(1, 90, { orderId: 'up at 99', orderType: 'stop_loss_limit', stopPrice: 99 });
      book.sell(1, 110, { orderId: 'down at 100', orderType: 'stop_loss_limit', stopPrice: 100 });
      book.sell(1, 110, { orderId: 'down at 101', orderType: 'stop_loss_limit', stopPrice: 101 });
      book.sell(1, 100, { orderId: 'ask' });
      expect(acts(book.buy(2, 100, { orderId: 'bid' }).events)).toEqual([
        'accepted bid',
        'filled bid by ask',
        'rested bid',
        'triggered up at 99',
        'rested up at 99',
        'triggered up at 100',
        'rested up at 100',
        'triggered down at 101',
        'rested down at 101',
        'triggered down at 100',
        'rested down at 100',
      ]);
    });

    it('runs what a first trade reached before what a second trade of the same order reached', () => {
      const book = open();
      book.buy(1, 103, { orderId: 'high', orderType: 'stop_loss_limit', stopPrice: 102 });
      book.buy(1, 103, { orderId: 'low', orderType: 'stop_loss_limit', stopPrice: 101 });
      book.sell(1, 101);
      book.sell(1, 102);
      expect(acts(book.buy(2, 102).events).filter((act) => act.startsWith('triggered'))).toEqual([
        'triggered low',
        'triggered high',
      ]);
    });

    it('lets a triggered order trigger further ones within the same command', () => {
      const book = open();
      book.buy(1, 105, { orderId: 'second', orderType: 'stop_loss', stopPrice: 102 });
      book.buy(1, 105, { orderId: 'first', orderType: 'stop_loss', stopPrice: 101 });
      book.sell(1, 101, { orderId: 'a' });
      book.sell(1, 102, { orderId: 'b' });
      book.sell(1, 103, { orderId: 'c' });
      expect(acts(book.buy(1, 101, { orderId: 'bid' }).events)).toEqual([
        'accepted bid',
        'filled bid by a',
        'triggered first',
        'filled first by b',
        'triggered second',
        'filled second by c',
      ]);
    });

    it('triggers at once what is reached on arrival', () => {
      const book = open();
      book.sell(1, 100);
      book.buy(1, 100);
      const terms = { orderType: 'take_profit_limit', stopPrice: 100 } as const;
      expect(story(book.sell(2, 104, terms).events)).toEqual(['accepted', 'triggered', 'rested']);
    });

    it('triggers on a trade that the last trade of the command has left again', () => {
      const book = open();
      const stop = book.sell(1, 90, { orderType: 'stop_loss_limit', stopPrice: 100 });
      book.sell(1, 100);
      book.sell(1, 102);
      book.buy(2, 102);
      expect(book.engine.lastPrice()).toBe(102);
      expect(book.engine.order(stop.id)).toMatchObject({ pendingTrigger: false });
    });

    it('X-19: has what a triggered stop without a limit does not fill stand at its collar', () => {
      const book = open();
      const stop = book.buy(3, 102, { orderType: 'stop_loss', stopPrice: 101 });
      book.sell(2, 101);
      book.sell(5, 103);
      const { events } = book.buy(1, 101);
      expect(fills(events)).toHaveLength(2);
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'rested', orderId: stop.id, remaining: 2, pendingTrigger: false }),
      );
      expect(book.engine.depth(1).bids).toEqual([[102, 2]]);
      expect(fills(book.sell(1, 102).events)).toEqual([[stop.id, 102, 1]]);
      book.engine.assertInvariants();
    });

    it('X-19: keeps the protection of a stop whose market gaps through its trigger', () => {
      const book = open();
      book.buy(1, 100);
      book.sell(1, 100);
      const stop = book.sell(2, 94, { orderType: 'stop_loss', stopPrice: 98 });
      book.buy(1, 90);
      const { events } = book.sell(1, 90);
      expect(story(events)).toEqual(['accepted', 'filled', 'triggered', 'rested']);
      expect(book.engine.depth(1)).toEqual({ bids: [], asks: [[94, 2]] });
      expect(fills(book.buy(2, 95).events)).toEqual([[stop.id, 94, 2]]);
    });

    it('X-19: has it stand no further than the price band lets it, and amends it there', () => {
      const book = open();
      book.engine.goWithin({ low: 99, high: 101 });
      const stop = book.sell(3, 90, { orderType: 'take_profit', stopPrice: 100 });
      for (const price of [100, 99, 98]) book.buy(1, price);
      const { events } = book.sell(1, 100);
      expect(fills(events).map(([, price]) => price)).toEqual([100, 99]);
      expect(story(events).slice(-2)).toEqual(['band_reached', 'rested']);
      expect(book.engine.order(stop.id)).toMatchObject({ price: 99, filled: 1, remaining: 2, displayed: 2 });
      expect(book.amend(stop.id, { quantity: 2, price: 99 })).toMatchObject([
        { type: 'amended', keptPriority: true },
        {},
      ]);
      expect(book.engine.depth(1)).toEqual({ bids: [[98, 1]], asks: [[99, 1]] });
      book.engine.assertInvariants();
    });

    it('X-19: ends at once what a market order does not find, as ever', () => {
      const book = open();
      book.sell(1, 100);
      const terms = { orderType: 'market', timeInForce: 'IOC' } as const;
      expect(story(book.buy(2, 105, terms).events)).toEqual(['accepted', 'filled', 'cancelled unfilled']);
    });

    it('gives a triggered order the rank of a new arrival', () => {
      const book = open();
      const stop = book.buy(1, 99, { orderType: 'stop_loss_limit', stopPrice: 101 });
      const later = book.buy(1, 99);
      book.sell(1, 101);
      book.buy(1, 101);
      expect(fills(book.sell(2, 99).events).map(([maker]) => maker)).toEqual([later.id, stop.id]);
      const [first, second] = [book.buy(1, 98, { account: 'ada' }), book.buy(1, 98, { account: 'ada' })];
      expect(book.engine.ordersOf('ada')).toEqual([first.id, second.id]);
    });

    it('cancels a stop that awaits its trigger, and refuses to amend it', () => {
      const book = open();
      const stop = book.buy(3, 102, { orderType: 'stop_loss', stopPrice: 101 });
      expect(story(book.amend(stop.id, { quantity: 2 }))).toEqual(['refused pending_trigger']);
      expect(book.apply({ type: 'cancel', orderId: stop.id })).toMatchObject([{ type: 'cancelled', remaining: 3 }]);
    });
  });

  describe('on fill-or-kill', () => {
    const FOK = { timeInForce: 'FOK' } as const;

    it('counts hidden orders and the reserve of icebergs', () => {
      const book = open();
      book.sell(9, 100, { displayQuantity: 2 });
      book.sell(3, 100, { hidden: true });
      expect(story(book.buy(13, 100, FOK).events)).toEqual(['rejected fok_not_fillable']);
      expect(book.buy(12, 100, FOK).events.at(-1)).toMatchObject({ type: 'level', price: 100, quantity: 0 });
      expect(book.engine.size).toBe(0);
    });

    it('does not count orders that do not qualify', () => {
      const book = open();
      book.sell(5, 100, { requires: 1 });
      book.sell(5, 101);
      expect(story(book.buy(6, 101, FOK).events)).toEqual(['rejected fok_not_fillable']);
    });

    it.each([
      ['cancel_newest', false],
      ['cancel_both', false],
      ['decrement', false],
      ['cancel_oldest', true],
    ] as const)('with %s before an order of its own, is filled by what stands behind it: %s', (mode, filled) => {
      const book = open();
      book.sell(2, 100, { account: 'ada' });
      book.sell(5, 101);
      const { events } = book.buy(5, 101, { ...FOK, account: 'ada', selfTradePrevention: mode });
      expect(fills(events).length).toBe(filled ? 1 : 0);
      expect(book.engine.depth(5).asks[0]?.[0]).toBe(filled ? undefined : 100);
    });

    it('is filled when it is done before it comes to an order of its own', () => {
      const book = open();
      book.sell(9, 100, { displayQuantity: 5 });
      book.sell(2, 100, { account: 'ada' });
      expect(fills(book.buy(5, 100, { ...FOK, account: 'ada' }).events)).toHaveLength(1);
      expect(story(book.buy(5, 100, { ...FOK, account: 'ada' }).events)).toEqual(['rejected fok_not_fillable']);
    });
  });

  describe('on post-only', () => {
    const POST_ONLY = { timeInForce: 'POST_ONLY' } as const;

    it('is rejected by a hidden order and by one of its own account', () => {
      const book = open();
      book.sell(1, 101, { hidden: true });
      book.sell(1, 102, { account: 'ada' });
      expect(story(book.buy(1, 101, POST_ONLY).events)).toEqual(['rejected post_only_would_take']);
      book.buy(1, 101);
      const own = { ...POST_ONLY, account: 'ada', selfTradePrevention: 'cancel_oldest' } as const;
      expect(story(book.buy(1, 102, own).events)).toEqual(['rejected post_only_would_take']);
    });

    it('rests across an order that does not qualify', () => {
      const book = open();
      book.sell(1, 100, { requires: 1 });
      expect(story(book.buy(1, 100, POST_ONLY).events)).toEqual(['accepted', 'rested']);
    });

    it('is left unchanged by an amendment after which it would match', () => {
      const book = open();
      book.sell(1, 101);
      const maker = book.buy(2, 100, POST_ONLY);
      expect(story(book.amend(maker.id, { price: 101 }))).toEqual(['refused post_only_would_take']);
      expect(book.engine.order(maker.id)).toMatchObject({ price: 100, remaining: 2, arrival: 2 });
    });
  });

  describe('on self-trade prevention', () => {
    it('trades first with those that stand before the own order', () => {
      const book = open();
      const other = book.sell(1, 100);
      book.sell(5, 100, { account: 'ada' });
      const { events } = book.buy(3, 100, { account: 'ada' });
      expect(fills(events)).toEqual([[other.id, 100, 1]]);
      expect(events).toContainEqual(expect.objectContaining({ type: 'cancelled', remaining: 2, reason: 'self_trade' }));
    });

    it('does not touch an own order that does not qualify', () => {
      const book = open();
      const own = book.sell(5, 100, { account: 'ada', requires: 1 });
      expect(story(book.buy(3, 100, { account: 'ada' }).events)).toEqual(['accepted', 'rested']);
      expect(book.engine.order(own.id)).toMatchObject({ remaining: 5 });
    });

    it('decrements slice by slice, and ends what reaches 0 as cancelled with nothing remaining', () => {
      const book = open();
      const own = book.sell(4, 100, { account: 'ada', displayQuantity: 3 });
      const { id, events } = book.buy(4, 100, { account: 'ada', selfTradePrevention: 'decrement' });
      expect(events.filter((event) => event.type !== 'level')).toMatchObject([
        { type: 'accepted' },
        { type: 'decremented', orderId: own.id, quantity: 3, remaining: 1 },
        { type: 'decremented', orderId: id, quantity: 3, remaining: 1 },
        { type: 'decremented', orderId: own.id, quantity: 1, remaining: 0 },
        { type: 'decremented', orderId: id, quantity: 1, remaining: 0 },
        { type: 'cancelled', orderId: own.id, remaining: 0, reason: 'self_trade' },
        { type: 'cancelled', orderId: id, remaining: 0, reason: 'self_trade' },
      ]);
    });

    it('leaves a decremented order its filled quantity, and no more room to amend than what is left', () => {
      const book = open();
      const own = book.sell(5, 100, { account: 'ada' });
      book.buy(2, 100, { account: 'ada', selfTradePrevention: 'decrement' });
      expect(book.engine.order(own.id)).toMatchObject({ quantity: 5, filled: 0, remaining: 3 });
      expect(story(book.amend(own.id, { quantity: 2 }))).toEqual(['refused quantity_not_above_filled']);
      expect(book.amend(own.id, { quantity: 4 })).toMatchObject([
        { type: 'amended', remaining: 2, keptPriority: true },
        { type: 'level', quantity: 2 },
      ]);
    });
  });

  describe('on amendments', () => {
    it('an iceberg gives up its reserve before its slice', () => {
      const book = open();
      const iceberg = book.sell(9, 100, { displayQuantity: 4 });
      expect(story(book.amend(iceberg.id, { quantity: 5 }))).toEqual(['amended']);
      expect(levels(book.amend(iceberg.id, { quantity: 3 }))).toEqual(['sell 100 3']);
      expect(book.engine.order(iceberg.id)).toMatchObject({ remaining: 3, displayed: 3, arrival: 1 });
    });

    it('one that changes nothing keeps priority; another requirement of the counterparty loses it', () => {
      const book = open();
      const [first, second] = [book.buy(1, 100), book.buy(1, 100)];
      expect(book.amend(first.id, {})).toMatchObject([{ type: 'amended', keptPriority: true }]);
      expect(story(book.amend(first.id, { requires: 1 }))).toEqual(['amended', 'rested']);
      expect(fills(book.sell(2, 100, { attributes: 1 }).events).map(([maker]) => maker)).toEqual([second.id, first.id]);
    });

    it('one that lifts a requirement may match at once', () => {
      const book = open();
      const bid = book.buy(2, 100, { requires: 1 });
      const ask = book.sell(2, 100);
      expect(fills(book.amend(bid.id, { requires: 0 }))).toEqual([[ask.id, 100, 2]]);
    });
  });

  describe('on ids and time', () => {
    it('rejects the id of a live order, and takes that of a finished one', () => {
      const book = open();
      book.buy(1, 100, { orderId: 'same' });
      expect(story(book.buy(1, 99, { orderId: 'same' }).events)).toEqual(['rejected duplicate_order_id']);
      book.apply({ type: 'cancel', orderId: 'same' });
      expect(story(book.buy(1, 99, { orderId: 'same' }).events)).toEqual(['accepted', 'rested']);
    });

    it('expires before it can trade what arrives past its expiry', () => {
      const book = open();
      book.sell(1, 100);
      expect(story(book.buy(1, 100, { timeInForce: 'GTD', expiresAt: 1_000 }).events)).toEqual(['accepted', 'expired']);
      expect(book.engine.depth(5)).toEqual({ bids: [], asks: [[100, 1]] });
    });

    it('forgets the expiry of an order that is gone', () => {
      const book = open();
      const bid = book.buy(1, 100, { timeInForce: 'GTD', expiresAt: 9_000 });
      book.buy(1, 99, { timeInForce: 'GTD', expiresAt: 9_500 });
      book.sell(1, 100);
      expect(book.engine.order(bid.id)).toBeUndefined();
      expect(book.engine.nextExpiry()).toBe(9_500);
    });

    it('cancels en masse in the order of arrival, which a refilled slice renews', () => {
      const book = open();
      const iceberg = book.sell(4, 100, { displayQuantity: 2, account: 'ada' });
      const plain = book.sell(1, 101, { account: 'ada' });
      book.buy(2, 100);
      expect(book.engine.ordersOf('ada')).toEqual([plain.id, iceberg.id]);
      const mass = { type: 'mass_cancel', orderIds: book.engine.ordersOf(null), reason: 'delisted' } as const;
      expect(acts(book.apply(mass))).toEqual([`cancelled ${plain.id}`, `cancelled ${iceberg.id}`]);
    });

    it.each([0, -1, 1.5, 2 ** 53, Number.NaN])('throws at an amount of %d, and nothing has changed', (amount) => {
      const book = open();
      book.buy(1, 100);
      const before = book.engine.stateHash();
      expect(() => book.buy(amount, 100)).toThrow(RangeError);
      expect(() => book.buy(1, amount)).toThrow(RangeError);
      expect(() => book.amend('o1', { quantity: amount })).toThrow(RangeError);
      expect(book.engine.stateHash()).toBe(before);
    });

    it('keeps amounts of up to 2^53 − 1 exactly', () => {
      const book = open();
      const large = 2 ** 53 - 1;
      book.sell(large, large);
      const { events } = book.buy(large - 1, large);
      expect(events[1]).toMatchObject({ price: large, quantity: large - 1, makerRemaining: 1 });
      expect(book.engine.depth(1).asks).toEqual([[large, 1]]);
    });
  });

  describe('on levels', () => {
    it('reports bids best first, then asks best first, once each', () => {
      const book = open();
      book.sell(1, 102);
      book.sell(1, 101);
      book.buy(1, 98, { account: 'ada' });
      book.buy(1, 99, { account: 'ada' });
      expect(levels(book.buy(3, 102).events)).toEqual(['buy 102 1', 'sell 101 0', 'sell 102 0']);
      const mass = { type: 'mass_cancel', orderIds: book.engine.ordersOf('ada'), reason: 'user' } as const;
      expect(levels(book.apply(mass))).toEqual(['buy 99 0', 'buy 98 0']);
    });

    it('does not report a level that shows in the end what it showed before', () => {
      const book = open();
      const stop = book.sell(5, 100, { orderType: 'stop_loss_limit', stopPrice: 100 });
      book.sell(5, 100);
      const { events } = book.buy(5, 100);
      expect(book.engine.order(stop.id)).toMatchObject({ displayed: 5 });
      expect(levels(events)).toEqual([]);
    });

    it('shows no level that has only hidden orders', () => {
      const book = open();
      book.sell(5, 100, { hidden: true, displayQuantity: 2 });
      const shown = book.sell(1, 101);
      expect(book.engine.depth(1).asks).toEqual([[101, 1]]);
      expect(levels(book.buy(5, 100).events)).toEqual([]);
      expect(levels(book.apply({ type: 'cancel', orderId: shown.id }))).toEqual(['sell 101 0']);
    });
  });

  it('restores from plain data an engine with the same hash and the same future', () => {
    const book = open();
    book.sell(9, 101, { displayQuantity: 4, keyId: 'k' });
    book.buy(2, 101);
    book.buy(3, 99, { hidden: true });
    book.buy(3, 99, { timeInForce: 'GTD', expiresAt: 5_000 });
    book.buy(1, 110, { orderType: 'stop_loss', stopPrice: 105 });
    const snapshot: EngineSnapshot = JSON.parse(JSON.stringify(book.engine.snapshot()));
    expect(snapshot.orders.map((order) => order.orderId)).toEqual(['o4', 'o3', 'o1', 'o5']);
    const restored = new CheckedBook(create(snapshot));
    expect(restored.engine.stateHash()).toBe(book.engine.stateHash());
    expect(restored.engine.snapshot()).toEqual(snapshot);
    const taker = { orderId: 'taker' };
    expect(restored.sell(5, 99, taker).events).toEqual(book.sell(5, 99, taker).events);
  });

  it('has another hash after any difference that decides the future', () => {
    const book = open();
    book.buy(5, 100, { orderId: 'a', account: 'ada' });
    const { orders, ...header } = book.engine.snapshot();
    const changed = (change: object) => create({ ...header, orders: orders.map((order) => ({ ...order, ...change })) });
    const engines = [
      create({ ...header, orders }),
      create({ ...header, orders: [] }),
      create({ ...header, orders, lastPrice: 100 }),
      create({ ...header, orders, sequence: header.sequence + 1 }),
      create({ ...header, orders, arrivals: header.arrivals + 1 }),
      changed({ account: 'ben' }),
      changed({ remaining: 4, displayed: 4 }),
      changed({ price: 101 }),
      changed({ requires: 1 }),
      changed({ selfTradePrevention: 'decrement' }),
      changed({ keyId: 'k' }),
      changed({ family: ['ben'] }),
      changed({ family: ['ben', 'cyd'] }),
    ];
    expect(new Set(engines.map((engine) => engine.stateHash())).size).toBe(engines.length);
  });
});
