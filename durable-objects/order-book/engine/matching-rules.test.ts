import { describe, expect, it } from 'vitest';
import { CheckedBook, fills, IMPLEMENTATIONS, story } from './checked-book.fixtures.ts';
import type { EngineEvent } from './engine.ts';

describe.each(IMPLEMENTATIONS)('matching by the %s engine', (_, create) => {
  const open = (): CheckedBook => new CheckedBook(create());

  it('best price first: highest bid and lowest ask, executed at the resting price', () => {
    const book = open();
    const dear = book.sell(5, 102);
    const cheap = book.sell(5, 101);
    expect(fills(book.buy(8, 103).events)).toEqual([
      [cheap.id, 101, 5],
      [dear.id, 102, 3],
    ]);
  });

  it('at equal price the earlier order first', () => {
    const book = open();
    const [first, second] = [book.buy(5, 100), book.buy(5, 100)];
    expect(fills(book.sell(7, 100).events)).toEqual([
      [first.id, 100, 5],
      [second.id, 100, 2],
    ]);
  });

  it('a partially filled order rests on the book with its unfilled quantity', () => {
    const book = open();
    book.sell(4, 100);
    const { id, events } = book.buy(10, 100);
    expect(story(events)).toEqual(['accepted', 'filled', 'rested']);
    expect(book.engine.order(id)).toMatchObject({ filled: 4, remaining: 6 });
    expect(book.engine.depth(5)).toEqual({ bids: [[100, 6]], asks: [] });
  });

  it('IOC fills what is available and cancels the rest', () => {
    const book = open();
    book.sell(4, 100);
    expect(story(book.buy(10, 100, { timeInForce: 'IOC' }).events)).toEqual([
      'accepted',
      'filled',
      'cancelled unfilled',
    ]);
    expect(book.engine.size).toBe(0);
  });

  it('FOK fills the entire order or rejects it completely', () => {
    const book = open();
    book.sell(4, 100);
    book.sell(4, 101);
    expect(story(book.buy(9, 101, { timeInForce: 'FOK' }).events)).toEqual(['rejected fok_not_fillable']);
    expect(story(book.buy(8, 101, { timeInForce: 'FOK' }).events)).toEqual(['accepted', 'filled', 'filled']);
  });

  it.each([
    ['POST_ONLY', { timeInForce: 'POST_ONLY' }],
    ['limit_maker', { orderType: 'limit_maker' }],
  ] as const)('%s is rejected if it would match immediately, and rests otherwise', (_name, terms) => {
    const book = open();
    book.sell(4, 100);
    expect(story(book.buy(1, 100, terms).events)).toEqual(['rejected post_only_would_take']);
    expect(story(book.buy(1, 99, terms).events)).toEqual(['accepted', 'rested']);
  });

  it('GTD expires at a specified timestamp, by expiry and arrival', () => {
    const book = open();
    const later = book.buy(1, 100, { timeInForce: 'GTD', expiresAt: 9_000 });
    const sooner = book.buy(2, 99, { timeInForce: 'GTD', expiresAt: 8_000 });
    expect(book.engine.nextExpiry()).toBe(8_000);
    expect(book.engine.expire(7_999, 10)).toEqual([]);
    const expired = () => book.engine.expire(9_000, 1).filter((event) => event.type === 'expired');
    expect(expired()).toMatchObject([{ orderId: sooner.id, remaining: 2 }]);
    expect(expired()).toMatchObject([{ orderId: later.id, remaining: 1 }]);
    expect(book.engine.nextExpiry()).toBeNull();
  });

  it('hidden orders are invisible on the book and rank behind displayed ones at their price', () => {
    const book = open();
    const hidden = book.sell(5, 100, { hidden: true });
    const shown = book.sell(5, 100);
    expect(book.engine.depth(5).asks).toEqual([[100, 5]]);
    expect(fills(book.buy(7, 100).events)).toEqual([
      [shown.id, 100, 5],
      [hidden.id, 100, 2],
    ]);
  });

  it('an iceberg shows only its slice and goes to the back of the level when the slice is refilled', () => {
    const book = open();
    const iceberg = book.sell(9, 100, { displayQuantity: 3 });
    const other = book.sell(4, 100);
    expect(book.engine.depth(5).asks).toEqual([[100, 7]]);
    expect(fills(book.buy(8, 100).events)).toEqual([
      [iceberg.id, 100, 3],
      [other.id, 100, 4],
      [iceberg.id, 100, 1],
    ]);
    expect(book.engine.depth(5).asks).toEqual([[100, 2]]);
  });

  it('no order takes beyond the price band, and one that comes to its end says so', () => {
    const book = open();
    book.engine.goWithin({ low: 99, high: 101 });
    for (const price of [100, 101, 102, 103]) book.sell(1, price);
    const market = book.buy(3, 105, { orderType: 'market', timeInForce: 'IOC' });
    expect(story(market.events)).toEqual(['accepted', 'filled', 'filled', 'band_reached', 'cancelled unfilled']);
    expect(book.engine.lastPrice()).toBe(101);
    expect(book.engine.depth(5).asks).toEqual([
      [102, 1],
      [103, 1],
    ]);
  });

  it('a triggered stop takes no further than the price band, whatever its limit', () => {
    const book = open();
    book.engine.goWithin({ low: 99, high: 101 });
    const stop = book.sell(3, 90, { orderType: 'stop_loss_limit', stopPrice: 100 });
    for (const price of [100, 99, 98, 97]) book.buy(1, price);
    const { events } = book.sell(1, 100);
    expect(fills(events).map(([, price]) => price)).toEqual([100, 99]);
    expect(story(events).slice(-2)).toEqual(['band_reached', 'cancelled price_band']);
    expect(book.engine.order(stop.id)).toBeUndefined();
    expect(book.engine.depth(1).bids).toEqual([[98, 1]]);
  });

  it('what is left of an order beyond the price band rests where it crosses nothing', () => {
    const book = open();
    book.engine.goWithin({ low: 99, high: 101 });
    book.sell(1, 100);
    expect(story(book.buy(2, 103).events)).toEqual(['accepted', 'filled', 'band_reached', 'rested']);
    expect(story(book.sell(1, 104).events)).toEqual(['accepted', 'rested']);
  });

  it('fill-or-kill counts what is within the price band', () => {
    const book = open();
    book.engine.goWithin({ low: 99, high: 101 });
    book.sell(1, 101);
    book.sell(1, 102);
    expect(story(book.buy(2, 102, { timeInForce: 'FOK' }).events)).toEqual(['rejected fok_not_fillable']);
    expect(story(book.buy(1, 102, { timeInForce: 'FOK' }).events)).toEqual(['accepted', 'filled', 'band_reached']);
  });

  it('an order that trades nothing, or within the band, does not come to its end', () => {
    const book = open();
    book.engine.goWithin({ low: 99, high: 101 });
    book.sell(1, 102);
    expect(story(book.buy(1, 105, { orderType: 'market', timeInForce: 'IOC' }).events)).toEqual([
      'accepted',
      'cancelled unfilled',
    ]);
    book.sell(1, 100);
    expect(story(book.buy(1, 101).events)).toEqual(['accepted', 'filled']);
  });

  it('a stop that awaits its trigger is amended: price, quantity and trigger', () => {
    const book = open();
    const stop = book.sell(5, 95, { orderType: 'stop_loss_limit', stopPrice: 98 });
    expect(book.amend(stop.id, { quantity: 4, stopPrice: 98 })).toMatchObject([
      { type: 'amended', quantity: 4, keptPriority: true },
    ]);
    expect(story(book.amend(stop.id, { price: 96, stopPrice: 97 }))).toEqual(['amended', 'rested']);
    expect(book.engine.order(stop.id)).toMatchObject({ price: 96, stopPrice: 97, quantity: 4, pendingTrigger: true });
    book.buy(9, 98);
    expect(story(book.sell(1, 98).events)).toEqual(['accepted', 'filled']);
    expect(story(book.amend(stop.id, { stopPrice: 98 }))).toEqual(['amended', 'triggered', 'filled']);
  });

  it('a stop whose trigger is amended goes behind those that wait for the same', () => {
    const book = open();
    const amended = book.sell(1, 95, { orderType: 'stop_loss', stopPrice: 98 });
    const other = book.sell(1, 95, { orderType: 'stop_loss', stopPrice: 97 });
    book.amend(amended.id, { stopPrice: 97 });
    book.buy(9, 97);
    const { events } = book.sell(1, 97);
    expect(events.flatMap((event) => (event.type === 'triggered' ? [event.orderId] : []))).toEqual([
      other.id,
      amended.id,
    ]);
  });

  it('an amendment that names a trigger is refused once the stop has triggered', () => {
    const book = open();
    const stop = book.sell(5, 95, { orderType: 'stop_loss_limit', stopPrice: 98 });
    book.buy(1, 98);
    book.sell(1, 98);
    expect(story(book.amend(stop.id, { stopPrice: 97 }))).toEqual(['refused triggered']);
  });

  it('stop_loss is held off-book and triggers a market order, bounded by its collar, when the price crosses', () => {
    const book = open();
    const stop = book.sell(5, 95, { orderType: 'stop_loss', stopPrice: 98 });
    expect(book.engine.depth(5).asks).toEqual([]);
    book.buy(9, 98);
    const { events } = book.sell(1, 98);
    expect(story(events)).toEqual(['accepted', 'filled', 'triggered', 'filled']);
    expect(book.engine.order(stop.id)).toBeUndefined();
  });

  it('stop_loss_limit triggers a limit order that rests', () => {
    const book = open();
    const stop = book.buy(5, 103, { orderType: 'stop_loss_limit', stopPrice: 102 });
    book.sell(1, 102);
    expect(story(book.buy(1, 102).events)).toEqual(['accepted', 'filled', 'triggered', 'rested']);
    expect(book.engine.order(stop.id)).toMatchObject({ pendingTrigger: false, remaining: 5 });
    expect(book.engine.depth(5).bids).toEqual([[103, 5]]);
  });

  it.each(['take_profit', 'take_profit_limit'] as const)(
    '%s triggers at its profit target, on the other side of a stop',
    (orderType) => {
      const book = open();
      const target = book.sell(2, 104, { orderType, stopPrice: 105 });
      book.buy(9, 104);
      book.sell(1, 104);
      expect(book.engine.order(target.id)).toMatchObject({ pendingTrigger: true });
      book.sell(1, 105);
      const { events } = book.buy(1, 105);
      expect(story(events)).toContain('triggered');
      expect(fills(events)).toHaveLength(2);
    },
  );

  it('stops trigger in price then time order within the command whose trade reached them', () => {
    const book = open();
    const far = book.sell(1, 90, { orderType: 'stop_loss_limit', stopPrice: 97 });
    const near = book.sell(1, 90, { orderType: 'stop_loss_limit', stopPrice: 98 });
    const alsoNear = book.sell(1, 90, { orderType: 'stop_loss_limit', stopPrice: 98 });
    book.buy(1, 96);
    const triggered = book.sell(1, 96).events.flatMap((event) => (event.type === 'triggered' ? [event.orderId] : []));
    expect(triggered).toEqual([near.id, alsoNear.id, far.id]);
  });

  it.each([
    ['cancel_newest', ['accepted', 'cancelled self_trade'], 5],
    ['cancel_oldest', ['accepted', 'cancelled self_trade', 'rested'], 3],
    ['cancel_both', ['accepted', 'cancelled self_trade', 'cancelled self_trade'], 0],
  ] as const)('self-trade prevention %s', (selfTradePrevention, expected, resting) => {
    const book = open();
    book.sell(5, 100, { account: 'ada' });
    const { events } = book.buy(3, 100, { account: 'ada', selfTradePrevention });
    expect(story(events)).toEqual(expected);
    const { bids, asks } = book.engine.depth(1);
    expect((bids[0]?.[1] ?? 0) + (asks[0]?.[1] ?? 0)).toBe(resting);
  });

  it('self-trade prevention decrement takes from both without a trade', () => {
    const book = open();
    const maker = book.sell(5, 100, { account: 'ada' });
    const { id, events } = book.buy(3, 100, { account: 'ada', selfTradePrevention: 'decrement' });
    expect(fills(events)).toEqual([]);
    expect(book.engine.order(maker.id)).toMatchObject({ remaining: 2, filled: 0 });
    expect(book.engine.order(id)).toBeUndefined();
    expect(book.engine.lastPrice()).toBeNull();
  });

  it('both sides of a match must qualify; an order passed over keeps its place', () => {
    const book = open();
    const picky = book.sell(5, 100, { requires: 1 });
    const plain = book.sell(5, 100);
    expect(fills(book.buy(5, 100, { attributes: 2 }).events)).toEqual([[plain.id, 100, 5]]);
    expect(fills(book.buy(5, 100, { attributes: 1 | 2 }).events)).toEqual([[picky.id, 100, 5]]);
    const wary = book.buy(5, 100, { requires: 4 });
    expect(fills(book.sell(5, 100).events)).toEqual([]);
    expect(fills(book.sell(5, 100, { attributes: 4 }).events)).toEqual([[wary.id, 100, 5]]);
  });

  it('family of either order qualifies where family is asked for, and nobody else does', () => {
    const book = open();
    const [ACCREDITED, FAMILY] = [2, 8];
    const restricted = { account: 'ada', requires: ACCREDITED | FAMILY };
    const named = book.sell(5, 100, { ...restricted, family: ['ben'] });
    const unnamed = book.sell(5, 101, restricted);
    const stranger = book.buy(4, 101, { account: 'cyd', family: ['dan'] });
    expect(fills(stranger.events)).toEqual([]);
    expect(fills(book.buy(2, 100, { account: 'ben' }).events)).toEqual([[named.id, 100, 2]]);
    expect(fills(book.buy(9, 101, { account: 'eve', family: ['ada'] }).events)).toEqual([
      [named.id, 100, 3],
      [unnamed.id, 101, 5],
    ]);
    // Accreditation is another exemption; who asks for accreditation alone is not content with family.
    const strict = book.sell(1, 103, { account: 'ada', requires: ACCREDITED, family: ['ben'] });
    expect(fills(book.buy(1, 103, { account: 'ben', family: ['ada'] }).events)).toEqual([]);
    expect(fills(book.buy(1, 103, { account: 'fay', attributes: ACCREDITED }).events)).toEqual([[strict.id, 103, 1]]);
  });

  it('an order that arrives anew by amendment carries the family that is named then; one that stays in place does not', () => {
    const book = open();
    const ask = book.sell(5, 100, { account: 'ada', requires: 8 });
    const bid = book.buy(3, 100, { account: 'ben' });
    expect(fills(bid.events)).toEqual([]);
    expect(fills(book.amend(ask.id, { quantity: 4, family: ['ben'] }))).toEqual([]);
    expect(book.engine.order(ask.id)?.family).toBeNull();
    expect(fills(book.amend(ask.id, { price: 99, family: ['ben'] }))).toEqual([[bid.id, 100, 3]]);
    expect(book.engine.order(ask.id)?.family).toEqual(['ben']);
    book.amend(ask.id, { price: 101, requires: 0, family: null });
    expect(book.engine.order(ask.id)?.family).toBeNull();
  });

  it('a post-only order is amended in place beside whom it may not meet, and refused where it would meet them', () => {
    const book = open();
    const ask = book.sell(5, 100, { account: 'ada', requires: 8, timeInForce: 'POST_ONLY' });
    book.buy(3, 100, { account: 'ben' });
    expect(story(book.amend(ask.id, { quantity: 4, family: ['ben'] }))).toEqual(['amended']);
    expect(story(book.amend(ask.id, { quantity: 6, family: ['ben'] }))).toEqual(['refused post_only_would_take']);
    expect(story(book.amend(ask.id, { quantity: 6 }))).toEqual(['amended', 'rested']);
  });

  it('reducing a quantity keeps priority, anything else in an amendment loses it', () => {
    const book = open();
    const [first, second] = [book.buy(5, 100), book.buy(5, 100)];
    const amend = (orderId: string, quantity: number, price = 100): EngineEvent[] =>
      book.apply({ type: 'amend', orderId, quantity, price, unfilledOnly: false, requires: 0 });
    expect(amend(first.id, 4)).toMatchObject([
      { type: 'amended', keptPriority: true },
      { type: 'level', quantity: 9 },
    ]);
    expect(fills(book.sell(1, 100).events)).toEqual([[first.id, 100, 1]]);
    expect(amend(first.id, 8)[0]).toMatchObject({ type: 'amended', keptPriority: false, remaining: 7 });
    expect(fills(book.sell(1, 100).events)).toEqual([[second.id, 100, 1]]);
  });

  it('an amended price that crosses trades at once', () => {
    const book = open();
    const ask = book.sell(5, 101);
    const bid = book.buy(3, 100);
    const events = book.apply({
      type: 'amend',
      orderId: bid.id,
      quantity: 3,
      price: 101,
      unfilledOnly: false,
      requires: 0,
    });
    expect(fills(events)).toEqual([[ask.id, 101, 3]]);
  });

  it('an amendment at or below what is filled, or of what is not live, is refused and changes nothing', () => {
    const book = open();
    const bid = book.buy(5, 100);
    book.sell(2, 100);
    const amend = { type: 'amend', price: 100, requires: 0 } as const;
    expect(story(book.apply({ ...amend, orderId: bid.id, quantity: 2, unfilledOnly: false }))).toEqual([
      'refused quantity_not_above_filled',
    ]);
    expect(story(book.apply({ ...amend, orderId: bid.id, quantity: 4, unfilledOnly: true }))).toEqual([
      'refused partially_filled',
    ]);
    expect(story(book.apply({ ...amend, orderId: 'nobody', quantity: 4, unfilledOnly: true }))).toEqual([
      'refused not_found',
    ]);
    expect(book.engine.order(bid.id)).toMatchObject({ quantity: 5, remaining: 3 });
  });

  it('cancels one order, or every order of an account, a key or a side', () => {
    const book = open();
    const mine = [
      book.buy(1, 99, { account: 'ada', keyId: 'k' }),
      book.sell(1, 105, { account: 'ada' }),
      book.buy(1, 98, { account: 'ada' }),
    ];
    const other = book.buy(1, 97, { account: 'ben' });
    expect(book.engine.ordersOf('ada')).toEqual(mine.map((order) => order.id));
    const cancelled = (events: readonly EngineEvent[]): string[] =>
      events.flatMap((event) => (event.type === 'cancelled' ? [event.orderId] : []));
    const mass = (orderIds: string[], reason: 'user' | 'halt') =>
      cancelled(book.apply({ type: 'mass_cancel', orderIds, reason }));
    expect(mass(book.engine.ordersOf('ada', 'k'), 'user')).toEqual([mine[0]?.id]);
    expect(mass(book.engine.ordersOf('ada', null, 'sell'), 'user')).toEqual([mine[1]?.id]);
    expect(cancelled(book.apply({ type: 'cancel', orderId: mine[2]?.id ?? '' }))).toEqual([mine[2]?.id]);
    expect(mass(['never placed', ...book.engine.ordersOf(null)], 'halt')).toEqual([other.id]);
    expect(book.engine.size).toBe(0);
  });

  it('emits events with a gapless sequence, and a level event for each level whose displayed quantity changed', () => {
    const book = open();
    const events = [...book.sell(5, 100).events, ...book.sell(5, 101).events, ...book.buy(7, 101).events];
    expect(events.map((event) => event.sequence)).toEqual(events.map((__, index) => index + 1));
    expect(events.slice(-2)).toMatchObject([
      { type: 'level', side: 'sell', price: 100, quantity: 0 },
      { type: 'level', side: 'sell', price: 101, quantity: 3 },
    ]);
  });
});
