import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Side } from '../orders/order.ts';
import {
  type OrderToRoute,
  type RoutePlan,
  routeOrder,
  type VenueBook,
  type VenueLevel,
} from './smart-order-router.ts';

const book = (venue: string, asks: [number, number][], terms: Partial<VenueBook> = {}): VenueBook => ({
  venue,
  isProtected: true,
  takeFee: 0,
  bids: [],
  asks: asks.map(([price, quantity]) => ({ price, quantity })),
  ...terms,
});

const buy = (quantity: number, limit: number | null = null): OrderToRoute => ({ side: 'buy', quantity, limit });

describe('an order', () => {
  test('goes where it costs the least after fees', () => {
    const plan = routeOrder(buy(100), [
      book('DEAR', [[1000, 100]], { takeFee: 30 }),
      book('FREE', [[1000, 100]]),
      book('PAYS', [[1000, 60]], { takeFee: -20 }),
    ]);
    expect(plan).toEqual({
      slices: [
        { venue: 'FREE', quantity: 40, limit: 1000, isIntermarketSweep: false },
        { venue: 'PAYS', quantity: 60, limit: 1000, isIntermarketSweep: false },
      ],
      residual: 0,
    });
  });

  test('sweeps the better protected quotes that it passes, with slices marked so', () => {
    const plan = routeOrder(buy(250), [
      book('A', [
        [1000, 100],
        [1002, 100],
      ]),
      book('B', [[1001, 100]]),
    ]);
    expect(plan.slices).toEqual([
      { venue: 'A', quantity: 150, limit: 1002, isIntermarketSweep: true },
      { venue: 'B', quantity: 100, limit: 1001, isIntermarketSweep: true },
    ]);
  });

  test('takes the better displayed price of two that cost the same after fees', () => {
    const terms = { isProtected: false };
    const books = [book('A', [[1001, 100]], terms), book('B', [[1000, 100]], { ...terms, takeFee: 1 })];
    expect(routeOrder(buy(100), books).slices).toMatchObject([{ venue: 'B', quantity: 100, limit: 1000 }]);
  });

  test('takes a protected quote that it passes even where the fee makes it dearer', () => {
    const books = [book('NEAR', [[1000, 40]], { takeFee: 9 }), book('FAR', [[1001, 200]], { takeFee: -9 })];
    expect(routeOrder(buy(100), books).slices.map(({ venue, quantity }) => [venue, quantity])).toEqual([
      ['FAR', 60],
      ['NEAR', 40],
    ]);
    const unprotected = books.map((each) => ({ ...each, isProtected: false }));
    expect(routeOrder(buy(100), unprotected).slices.map(({ venue }) => venue)).toEqual(['FAR']);
  });

  test('reaches less far where the quotes that it would pass cost more than it gains', () => {
    const plan = routeOrder(buy(100), [
      book('A', [[1000, 100]], { takeFee: 30 }),
      book('B', [[1001, 100]], { takeFee: 20 }),
      book('C', [[1002, 10]], { takeFee: -40 }),
    ]);
    expect(plan.slices).toEqual([{ venue: 'A', quantity: 100, limit: 1000, isIntermarketSweep: false }]);
  });

  test('executes at its limit or better, before fees, and leaves the rest', () => {
    const plan = routeOrder(buy(500, 1001), [
      book(
        'A',
        [
          [1001, 100],
          [1002, 900],
        ],
        { takeFee: 30 },
      ),
      book('B', [[1003, 900]], { takeFee: -30 }),
    ]);
    expect(plan).toEqual({
      slices: [{ venue: 'A', quantity: 100, limit: 1001, isIntermarketSweep: false }],
      residual: 400,
    });
  });

  test('sells to the highest bids', () => {
    const bids = (venue: string, ...levels: [number, number][]) => ({
      ...book(venue, []),
      bids: book('', levels).asks,
    });
    const plan = routeOrder({ side: 'sell', quantity: 150, limit: 998 }, [
      bids('A', [999, 100], [997, 100]),
      bids('B', [998, 100]),
    ]);
    expect(plan.slices).toEqual([
      { venue: 'A', quantity: 100, limit: 999, isIntermarketSweep: false },
      { venue: 'B', quantity: 50, limit: 998, isIntermarketSweep: true },
    ]);
  });
});

const TICK = 100;

/** @param feeMax over half a tick lets fees turn displayed prices around */
function scenes(feeMax: number, levelsMax = 6) {
  const side = fc.constantFrom<Side>('buy', 'sell');
  const levels = fc
    .uniqueArray(fc.integer({ min: 90, max: 110 }), { maxLength: levelsMax })
    .chain((ticks) =>
      fc.tuple(
        fc.constant(ticks),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: ticks.length, maxLength: ticks.length }),
      ),
    );
  const venue = fc.record({ levels, takeFee: fc.integer({ min: -feeMax, max: feeMax }), isProtected: fc.boolean() });
  return fc
    .record({
      side,
      quantity: fc.integer({ min: 1, max: 60 }),
      limit: fc.option(fc.integer({ min: 88 * TICK, max: 112 * TICK })),
      venues: fc.array(venue, { maxLength: 6 }),
    })
    .map(({ side, quantity, limit, venues }) => {
      const sign = side === 'buy' ? 1 : -1;
      const books = venues.map(({ levels: [ticks, sizes], takeFee, isProtected }, at): VenueBook => {
        const shown = ticks
          .map((tick, level): VenueLevel => ({ price: tick * TICK, quantity: sizes[level] ?? 1 }))
          .sort((a, b) => sign * (a.price - b.price));
        const empty = { venue: `V${at}`, isProtected, takeFee, bids: [], asks: [] };
        return side === 'buy' ? { ...empty, asks: shown } : { ...empty, bids: shown };
      });
      return { order: { side, quantity, limit } satisfies OrderToRoute, books };
    });
}

const shown = (order: OrderToRoute, each: VenueBook) => (order.side === 'buy' ? each.asks : each.bids);
const sign = (order: OrderToRoute) => (order.side === 'buy' ? 1 : -1);

function within(order: OrderToRoute, each: VenueBook): VenueLevel[] {
  return shown(order, each).filter(({ price }) => order.limit === null || sign(order) * (price - order.limit) <= 0);
}

/** Price after fees of the first `quantity` of a venue, and the worst price reached; null where it has less. */
function takenFrom(order: OrderToRoute, each: VenueBook, quantity: number): { cost: number; worst: number } | null {
  let left = quantity;
  let cost = 0;
  let worst = Number.NEGATIVE_INFINITY;
  for (const level of within(order, each)) {
    if (left === 0) break;
    const part = Math.min(left, level.quantity);
    cost += part * (sign(order) * level.price + each.takeFee);
    worst = sign(order) * level.price;
    left -= part;
  }
  return left === 0 ? { cost, worst } : null;
}

/** Takes what each venue gives, in total, and the worst price; null where a venue has less. */
function assess(order: OrderToRoute, books: readonly VenueBook[], quantities: readonly number[]) {
  let cost = 0;
  let worst = Number.NEGATIVE_INFINITY;
  for (const [at, each] of books.entries()) {
    const quantity = quantities[at] ?? 0;
    if (quantity === 0) continue;
    const taken = takenFrom(order, each, quantity);
    if (taken === null) return null;
    cost += taken.cost;
    worst = Math.max(worst, taken.worst);
  }
  const isLawful = books.every((each, at) => {
    const [top] = within(order, each);
    if (!each.isProtected || top === undefined || sign(order) * top.price >= worst) return true;
    return (quantities[at] ?? 0) >= top.quantity;
  });
  return { cost, isLawful };
}

function quantitiesOf(plan: RoutePlan, books: readonly VenueBook[]): number[] {
  return books.map(({ venue }) => plan.slices.find((slice) => slice.venue === venue)?.quantity ?? 0);
}

const sum = (numbers: readonly number[]) => numbers.reduce((total, each) => total + each, 0);

describe('every plan', () => {
  test('fills what is displayed within the limit, no more than was asked, and loses nothing', () => {
    fc.assert(
      fc.property(scenes(180), ({ order, books }) => {
        const plan = routeOrder(order, books);
        const displayed = sum(books.flatMap((each) => within(order, each).map(({ quantity }) => quantity)));
        const routed = sum(plan.slices.map(({ quantity }) => quantity));
        expect(routed).toBe(Math.min(order.quantity, displayed));
        expect(routed + plan.residual).toBe(order.quantity);
        for (const { limit } of plan.slices) {
          if (order.limit !== null) expect(sign(order) * (limit - order.limit)).toBeLessThanOrEqual(0);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('trades through no protected quote (17 CFR 242.611), and marks the slices that reach beyond one', () => {
    fc.assert(
      fc.property(scenes(180), ({ order, books }) => {
        const plan = routeOrder(order, books);
        expect(assess(order, books, quantitiesOf(plan, books))?.isLawful).toBe(true);
        for (const slice of plan.slices) {
          const isBeyond = books.some((each) => {
            const [top] = within(order, each);
            return each.venue !== slice.venue && each.isProtected && top && sign(order) * (slice.limit - top.price) > 0;
          });
          expect(slice.isIntermarketSweep).toBe(isBeyond);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('costs no more after fees than the best single venue that trades through nothing', () => {
    fc.assert(
      fc.property(scenes(180), ({ order, books }) => {
        const plan = routeOrder(order, books);
        const routed = sum(plan.slices.map(({ quantity }) => quantity));
        const own = assess(order, books, quantitiesOf(plan, books));
        for (const [at] of books.entries()) {
          const single = books.map((_, other) => (other === at ? routed : 0));
          const alone = assess(order, books, single);
          if (alone?.isLawful) expect(own?.cost).toBeLessThanOrEqual(alone.cost);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('costs no more after fees than any single venue, where fees stay below half a tick', () => {
    fc.assert(
      fc.property(scenes(TICK / 2 - 1), ({ order, books }) => {
        const plan = routeOrder(order, books);
        const routed = sum(plan.slices.map(({ quantity }) => quantity));
        const own = assess(order, books, quantitiesOf(plan, books));
        for (const each of books) {
          const alone = takenFrom(order, each, routed);
          if (alone !== null) expect(own?.cost).toBeLessThanOrEqual(alone.cost);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  test('is the cheapest of all lawful ways to fill as much', () => {
    fc.assert(
      fc.property(scenes(180, 3), ({ order: wanted, books: all }) => {
        const order = { ...wanted, quantity: Math.min(wanted.quantity, 14) };
        const books = all.slice(0, 3);
        const plan = routeOrder(order, books);
        const routed = sum(plan.slices.map(({ quantity }) => quantity));
        const own = assess(order, books, quantitiesOf(plan, books));
        for (let a = 0; a <= routed; a++) {
          for (let b = 0; a + b <= routed; b++) {
            const quantities = [a, b, routed - a - b].slice(0, books.length);
            if (sum(quantities) !== routed) continue;
            const other = assess(order, books, quantities);
            if (other?.isLawful) expect(own?.cost).toBeLessThanOrEqual(other.cost);
          }
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test('does not depend on the order in which the venues stand', () => {
    fc.assert(
      fc.property(scenes(180), ({ order, books }) => {
        expect(routeOrder(order, [...books].reverse())).toEqual(routeOrder(order, books));
      }),
    );
  });
});
