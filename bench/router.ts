/**
 * `npm run bench:router`: a decision of the smart order router over 16 venues with 50 levels each, beside a naive loop that goes to the best
 * displayed price again and again. Both route the same orders over the same books, by turns, in one process; the loop knows neither fees nor
 * protected quotes, so it is held to filling as much, and the router to costing no more after fees.
 */
import { type OrderToRoute, routeOrder, type VenueBook, type VenueLevel } from '../domain/broker/smart-order-router.ts';
import { median, printReport } from './report.ts';
import { sized } from './smoke.ts';

const VENUES = 16;
const LEVELS = 50;
const SCENES = sized(64, 4);
const RUNS = sized(60, 4);
const WARM_UP_RUNS = sized(10, 1);
const SEED = 17;
const TICK = 100;
const GOAL_US = 100;

/** Orders by the share of what is displayed that they ask for. */
const SIZES = { small: 0.01, tenth: 0.1, half: 0.5, all: 1 } as const;

let state = SEED;

/** mulberry32. */
function random(below: number): number {
  state = (state + 0x6d2b79f5) | 0;
  let hash = Math.imul(state ^ (state >>> 15), 1 | state);
  hash = (hash + Math.imul(hash ^ (hash >>> 7), 61 | hash)) ^ hash;
  return ((hash ^ (hash >>> 14)) >>> 0) % below;
}

function makeBooks(): VenueBook[] {
  const fair = 20_000 + random(10_000);
  const side = (sign: 1 | -1): VenueLevel[] => {
    let tick = fair + sign * (1 + random(3));
    return Array.from({ length: LEVELS }, () => {
      const level = { price: tick * TICK, quantity: 100 * (1 + random(20)) };
      tick += sign * (1 + random(2));
      return level;
    });
  };
  return Array.from({ length: VENUES }, (_, at) => ({
    venue: `V${String(at).padStart(2, '0')}`,
    isProtected: at < VENUES - 2,
    takeFee: random(51) - 20,
    bids: side(-1),
    asks: side(1),
  }));
}

function displayed({ side }: OrderToRoute, books: readonly VenueBook[]): number {
  return books
    .flatMap(({ bids, asks }) => (side === 'buy' ? asks : bids))
    .reduce((sum, each) => sum + each.quantity, 0);
}

/** To the venue with the best displayed price, level by level, until the quantity is reached. */
function naive({ side, quantity }: OrderToRoute, books: readonly VenueBook[]): Map<string, number> {
  const next = new Map<VenueBook, number>();
  const routed = new Map<string, number>();
  let wanted = quantity;
  while (wanted > 0) {
    let best: VenueLevel | null = null;
    let from: VenueBook | null = null;
    for (const book of books) {
      const level = (side === 'buy' ? book.asks : book.bids)[next.get(book) ?? 0];
      if (level === undefined) continue;
      if (best !== null && (side === 'buy' ? level.price >= best.price : level.price <= best.price)) continue;
      best = level;
      from = book;
    }
    if (best === null || from === null) break;
    const part = Math.min(wanted, best.quantity);
    wanted -= part;
    next.set(from, (next.get(from) ?? 0) + 1);
    routed.set(from.venue, (routed.get(from.venue) ?? 0) + part);
  }
  return routed;
}

/** What quantities cost after fees, less for a sell: the first of each venue's levels. */
function costOf({ side }: OrderToRoute, books: readonly VenueBook[], quantities: ReadonlyMap<string, number>): number {
  let cost = 0;
  for (const { venue, takeFee, bids, asks } of books) {
    let left = quantities.get(venue) ?? 0;
    for (const { price, quantity } of side === 'buy' ? asks : bids) {
      const part = Math.min(left, quantity);
      cost += part * ((side === 'buy' ? price : -price) + takeFee);
      left -= part;
    }
  }
  return cost;
}

const total = (quantities: Iterable<number>) => [...quantities].reduce((sum, each) => sum + each, 0);

function timed(work: () => unknown): number {
  const begun = performance.now();
  work();
  return (performance.now() - begun) * 1_000;
}

const table: Record<string, string | number>[] = [];
const figures: Record<string, number> = { goal_us: GOAL_US };
for (const [size, share] of Object.entries(SIZES)) {
  const scenes = Array.from({ length: SCENES }, (_, at) => {
    const books = makeBooks();
    const side = at % 2 === 0 ? 'buy' : 'sell';
    const whole = displayed({ side, quantity: 0, limit: null }, books);
    const order: OrderToRoute = { side, quantity: Math.max(1, Math.floor(whole * share)), limit: null };
    return { order, books };
  });
  for (const { order, books } of scenes) {
    const plan = routeOrder(order, books);
    const routed = new Map(plan.slices.map(({ venue, quantity }) => [venue, quantity]));
    const loop = naive(order, books);
    if (total(routed.values()) !== total(loop.values())) throw new Error('the router fills another quantity');
    if (costOf(order, books, routed) > costOf(order, books, loop)) throw new Error('the router costs more');
  }
  const router_us: number[] = [];
  const naive_us: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    for (const { order, books } of scenes) {
      const routerTook = timed(() => routeOrder(order, books));
      const naiveTook = timed(() => naive(order, books));
      if (run < WARM_UP_RUNS) continue;
      router_us.push(routerTook);
      naive_us.push(naiveTook);
    }
  }
  const [router, loop] = [median(router_us), median(naive_us)];
  table.push({
    'of what is displayed': `${share * 100} %`,
    'router µs': router,
    'loop µs': loop,
    ratio: router / loop,
  });
  figures[`${size}_us`] = Number(router.toFixed(2));
  figures[`${size}_ratio`] = Number((router / loop).toFixed(2));
}
printReport({ bench: 'router', ratio: figures.half_ratio ?? 0, table, figures });
