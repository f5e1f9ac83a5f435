import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { SessionFile } from '../store/session-file.ts';
import { cursorAt } from './account-state.ts';
import type { Outgoing } from './application.ts';
import type { Exchange, ExchangeAnswer } from './exchange.ts';
import { FeedSocket } from './feed-socket.ts';
import { OrderDesk } from './order-desk.ts';
import { OrderNames } from './order-names.ts';
import { OrderPlacing, type Taken } from './order-placing.ts';
import { Reconciliation } from './reconciliation.ts';
import { NOTHING_EXECUTED, type TrackedOrder } from './tracked-order.ts';
import type { WireListedFill, WireOrder } from './wire.ts';

const NOW = Date.now();
const idAt = (time_ms: number, last: number): string =>
  `${cursorAt(time_ms).slice(0, -4)}${String(last).padStart(4, '0')}`;

const newOrder = (clOrdId: string): Taken => {
  const fields = [
    [8, 'FIX.4.4'],
    [9, '0'],
    [35, 'D'],
    [11, clOrdId],
    [55, 'ACME-USD'],
    [54, '1'],
    [38, '10'],
    [40, '2'],
    [44, '10'],
  ] as const;
  return { sequence: 2, message: { fields, text: '' }, recovered: false, since_ms: NOW };
};

let ids = 0;

/** An account as the exchange lists it: `pageSize` fills a page. */
class Account {
  readonly orders = new Map<string, WireOrder>();
  fills: WireListedFill[] = [];
  readonly calls: string[] = [];
  pageSize = 1_000;
  isAway = false;
  /** The answer to a batch of orders. */
  placed: Promise<ExchangeAnswer> = Promise.resolve({ type: 'unknown' });
  #adjustments = 0;

  order(terms: Partial<WireOrder> = {}, madeAt = NOW): WireOrder {
    ids += 1;
    const order: WireOrder = {
      order_id: idAt(madeAt, ids),
      client_order_id: `c${ids}`,
      symbol: 'ACME-USD',
      side: 'buy',
      type: 'limit',
      time_in_force: 'GTC',
      price: 40,
      stop_price: null,
      size: 10,
      filled_size: 0,
      remaining_size: terms.size ?? 10,
      average_price: null,
      status: 'open',
      reason: null,
      expires_at: null,
      updated_at: madeAt,
      ...terms,
    };
    this.orders.set(order.order_id, order);
    return order;
  }

  fill(orderId: string, size: number, price = 10, timestamp = NOW): WireListedFill {
    ids += 1;
    const order = this.orders.get(orderId) as WireOrder;
    const filled_size = order.filled_size + size;
    const remaining_size = order.remaining_size - size;
    const status = remaining_size === 0 ? 'filled' : 'partially_filled';
    this.orders.set(orderId, { ...order, filled_size, remaining_size, status, updated_at: timestamp });
    const fill: WireListedFill = {
      trade_id: idAt(timestamp, ids),
      order_id: orderId,
      symbol: 'ACME-USD',
      side: 'buy',
      price,
      size,
      liquidity: 'maker',
      filled_size,
      remaining_size,
      timestamp,
      status: 'executed',
      corrected_price: null,
      adjusted_at: null,
      adjustment_sequence: null,
    };
    this.fills.push(fill);
    return fill;
  }

  /** Takes a trade back, or corrects its price. */
  adjust({ trade_id }: WireListedFill, price: number | null, adjusted_at = Date.now()): void {
    this.#adjustments += 1;
    const adjustment = {
      status: price === null ? ('bust' as const) : ('correction' as const),
      corrected_price: price,
      adjusted_at,
      adjustment_sequence: this.#adjustments,
    };
    this.fills = this.fills.map((fill) => (fill.trade_id === trade_id ? { ...fill, ...adjustment } : fill));
  }

  async call(path: string): Promise<ExchangeAnswer> {
    if (this.isAway) return { type: 'unknown' };
    this.calls.push(path);
    const { pathname, searchParams } = new URL(path, 'http://exchange');
    const cursor = searchParams.get('cursor') ?? '';
    if (pathname === '/v1/orders/batch') return this.placed;
    if (pathname === '/v1/orders') {
      const isWanted = ({ status }: WireOrder) =>
        searchParams.get('status') === 'all' || status === 'open' || status === 'partially_filled';
      const newestFirst = [...this.orders.values()].filter(isWanted).sort((a, b) => (a.order_id < b.order_id ? 1 : -1));
      const from = newestFirst.filter(({ order_id }) => cursor === '' || order_id < cursor);
      const page = from.slice(0, this.pageSize);
      return {
        type: 'ok',
        body: { orders: page },
        next: from.length > page.length ? (page.at(-1)?.order_id ?? null) : null,
      };
    }
    if (pathname === '/v1/fills') {
      const order = searchParams.get('order_id');
      const found = this.fills.filter((fill) => order === null || fill.order_id === order);
      return this.#page(
        found.filter(({ trade_id }) => trade_id > cursor),
        ({ trade_id }) => trade_id,
      );
    }
    if (pathname === '/v1/fills/adjusted') {
      const placeOf = (fill: WireListedFill): number => fill.adjustment_sequence ?? 0;
      const found = this.fills.filter((fill) => placeOf(fill) > Number(cursor));
      return this.#page(
        found.toSorted((a, b) => placeOf(a) - placeOf(b)),
        (fill) => String(placeOf(fill)),
      );
    }
    return { type: 'ok', body: this.orders.get(pathname.split('/').at(-1) ?? ''), next: null };
  }

  #page(fills: readonly WireListedFill[], cursorOf: (last: WireListedFill) => string): ExchangeAnswer {
    const page = fills.slice(0, this.pageSize);
    const last = page.at(-1);
    return { type: 'ok', body: { fills: page }, next: last && fills.length > page.length ? cursorOf(last) : null };
  }
}

/** A session of the account, over restarts. */
class Session {
  readonly account = new Account();
  readonly #path = join(mkdtempSync(join(tmpdir(), 'fix-reconciliation-')), 'session.jsonl');
  readonly #isDropCopy: boolean;
  sent: Outgoing[] = [];
  store = new SessionFile(this.#path, 0);
  readonly names = new OrderNames(new SessionFile(`${this.#path}.names`, 0));
  desk!: OrderDesk;
  placing!: OrderPlacing;
  reconciliation!: Reconciliation;

  constructor(isDropCopy = false) {
    this.#isDropCopy = isDropCopy;
    this.#open();
  }

  /** The process dies, with what it had written. */
  restart(): void {
    this.store.flush();
    this.store = new SessionFile(this.#path, 0);
    this.#open();
  }

  #open(): void {
    const port = {
      store: this.store,
      send: (outgoing: Outgoing) => void this.sent.push(outgoing),
      answer: () => undefined,
    };
    const exchange: Exchange = {
      call: (_, path) => this.account.call(path),
      feedUrl: new URL('ws://127.0.0.1:1'),
      isHealthy: async () => true,
      close: async () => undefined,
    };
    const deaf = { message: () => undefined, ended: () => undefined, resumed: () => undefined, lost: () => undefined };
    const feed = new FeedSocket(exchange.feedUrl, () => ({}), deaf);
    this.desk = new OrderDesk(port, this.names);
    this.placing = new OrderPlacing({
      port,
      exchange,
      desk: this.desk,
      placed: () => undefined,
      isClosed: () => false,
    });
    const isDropCopy = () => this.#isDropCopy;
    const { desk, placing, names } = this;
    const terms = { port, exchange, desk, feed, placing, names, caller: () => ({}), isDropCopy };
    this.reconciliation = new Reconciliation(terms);
    this.reconciliation.admitted();
  }

  /** An order that the session has placed itself. */
  place(terms: Partial<WireOrder> = {}): WireOrder {
    const order = this.account.order(terms);
    this.desk.track(order, { clOrdId: order.client_order_id ?? '', executed: NOTHING_EXECUTED });
    return order;
  }

  /** ExecType, OrdStatus, CumQty, LeavesQty, AvgPx and ClOrdID of what it is told of all that has happened. */
  async told(): Promise<string[]> {
    await this.reconciliation.run();
    this.reconciliation.rest();
    return this.sent.splice(0).map(said);
  }
}

function said({ body }: Outgoing): string {
  return [150, 39, 14, 151, 6, 11].map((tag) => body.find(([of]) => of === tag)?.[1]).join(' ');
}

describe('what was taken back or corrected', () => {
  it('is told to the session whose order it was, once, behind its fill', async () => {
    const session = new Session();
    const order = session.place();
    const [first] = [session.account.fill(order.order_id, 4, 10), session.account.fill(order.order_id, 2, 16)];
    session.account.adjust(first, null);
    const name = order.client_order_id;
    expect(await session.told()).toEqual([`F 1 4 6 10 ${name}`, `F 1 6 4 12 ${name}`, `H 1 2 4 16 ${name}`]);
    session.restart();
    expect(await session.told()).toEqual([]);
    session.account.adjust(session.account.fills[1] as WireListedFill, 13);
    expect(await session.told()).toEqual([`G 1 2 4 13 ${name}`]);
    expect(await session.told()).toEqual([]);
  });

  it('is told of an order that ended before, whatever happened meanwhile, and not of orders of others', async () => {
    const session = new Session();
    const order = session.place({ size: 4 });
    const foreign = session.account.order({ size: 1, status: 'filled' });
    const fill = session.account.fill(order.order_id, 4, 10);
    const other = session.account.fill(foreign.order_id, 1, 10);
    const name = order.client_order_id;
    expect(await session.told()).toEqual([`F 2 4 0 10 ${name}`]);
    session.restart();
    session.account.adjust(other, null);
    session.account.adjust(fill, null);
    expect(await session.told()).toEqual([`H 4 0 0 0 ${name}`]);
  });

  it('is told later where the exchange is away, and not of what was adjusted before the session began', async () => {
    const session = new Session();
    const order = session.place();
    const old = session.account.fill(order.order_id, 1, 10);
    const fill = session.account.fill(order.order_id, 1, 10);
    session.account.adjust(old, null, NOW - 3_600_000);
    await session.told();
    session.account.adjust(fill, null);
    session.account.isAway = true;
    expect(await session.told()).toEqual([]);
    session.account.isAway = false;
    expect(await session.told()).toEqual([`H 1 1 8 10 ${order.client_order_id}`]);
  });

  it('is told to a drop copy of every order of the account, also of one that ended before it began', async () => {
    const copy = new Session(true);
    const order = copy.account.order({ size: 5 }, NOW - 7_200_000);
    const fills = [
      copy.account.fill(order.order_id, 2, 10, NOW - 7_200_000),
      copy.account.fill(order.order_id, 3, 20, NOW - 7_200_000),
    ] as const;
    expect(await copy.told()).toEqual([]);
    copy.account.adjust(fills[0], null);
    expect(await copy.told()).toEqual([`H 4 3 0 20 ${order.client_order_id}`]);
    copy.restart();
    copy.account.adjust(fills[1], 30);
    expect(await copy.told()).toEqual([`G 4 3 0 30 ${order.client_order_id}`]);
    expect(await copy.told()).toEqual([]);
  });

  it('waits for an order that is being placed: it may be its own', async () => {
    const session = new Session();
    const order = session.account.order();
    session.account.adjust(session.account.fill(order.order_id, 2), null);
    let answer: (placed: ExchangeAnswer) => void = () => undefined;
    session.account.placed = new Promise((resolve) => {
      answer = resolve;
    });
    const under = session.placing.place({}, [newOrder('mine')]);
    expect(await session.told()).toEqual([]);
    answer({ type: 'ok', body: { results: [{ order }] }, next: null });
    await under;
    expect(await session.told()).toEqual(['F 1 2 8 10 mine', 'H 0 0 8 0 mine']);
  });

  it('is part of what an order begins with that the session meets later', async () => {
    const session = new Session();
    const order = session.account.order();
    const fills = [10, 16, 13].map((price) => session.account.fill(order.order_id, 2, price));
    session.account.adjust(fills[0] as WireListedFill, null, NOW - 3_600_000);
    session.place();
    await session.told();
    const found = session.account.orders.get(order.order_id) as WireOrder;
    const met = await session.reconciliation.adopt({}, found, 'mine');
    expect(met).toMatchObject({ filled: 6, takenBack: 2, notional: 58 });
    expect(await session.told(), 'its fills are known').toEqual([]);
    session.account.adjust(fills[1] as WireListedFill, null);
    expect(await session.told()).toEqual(['H 1 2 4 13 mine']);
  });
});

describe('an order that the session meets once it is filled', () => {
  it('has ended for it, and is asked for no more', async () => {
    const session = new Session();
    const order = session.account.order({ size: 2 });
    session.account.fill(order.order_id, 2);
    const found = session.account.orders.get(order.order_id) as WireOrder;
    await session.reconciliation.adopt({}, found, 'mine');
    expect(session.desk.find(order.order_id)).toMatchObject({ filled: 2, ended: true });
    expect(session.desk.open).toEqual([]);
    expect(await session.told()).toEqual([]);
  });
});

describe('an order that is filled before its placement is answered', () => {
  it.each([
    ['filled', 10, ['F 2 10 0 10 mine']],
    ['cancelled', 4, ['F 1 4 6 10 mine', '4 4 4 0 10 mine']],
  ] as const)('X-01: is reported %s behind the answer, without asking', async (status, filled, reports) => {
    const session = new Session();
    const order = session.account.order();
    let answer: (placed: ExchangeAnswer) => void = () => undefined;
    session.account.placed = new Promise((resolve) => {
      answer = resolve;
    });
    const under = session.placing.place({}, [newOrder('mine')]);
    session.reconciliation.filled(session.account.fill(order.order_id, filled));
    const { updated_at: timestamp } = session.account.orders.get(order.order_id) as WireOrder;
    const { order_id, symbol, side, size, price, reason } = order;
    const terms = { order_id, symbol, side, size, price, reason, status, filled_size: filled, remaining_size: 0 };
    const channel = { type: 'order', channel: 'orders', sequence: 1 } as const;
    session.reconciliation.changed({ ...terms, ...channel, timestamp: timestamp + 1 });
    answer({ type: 'ok', body: { results: [{ order }] }, next: null });
    await under;
    expect(session.sent.map(said)).toEqual(reports);
    expect([session.desk.open, session.desk.isBehind]).toEqual([[], false]);
  });
});

describe('both sides of a trade within one account', () => {
  it('are told of what became of it, once each', async () => {
    const session = new Session();
    const [buy, sell] = [session.place({ size: 2 }), session.place({ size: 2, side: 'sell' })];
    const fill = session.account.fill(buy.order_id, 2);
    const other = session.account.fill(sell.order_id, 2);
    session.account.fills = [fill, { ...other, trade_id: fill.trade_id, side: 'sell' }];
    await session.told();
    session.account.adjust(fill, null);
    const names = [buy, sell].map(({ client_order_id: name }) => `H 4 0 0 0 ${name}`);
    expect(await session.told()).toEqual(names);
    session.restart();
    expect(await session.told()).toEqual([]);
  });
});

describe('a drop copy that comes back', () => {
  it('reads what it has missed page by page, reports each fill once, and goes on behind the last page when it dies in between', async () => {
    const copy = new Session(true);
    await copy.told();
    const left = NOW - 7_200_000;
    copy.store.putState('cursor', left);
    const orders = Array.from({ length: 6 }, () => copy.account.order({ size: 4 }, left));
    for (const [at, { order_id }] of [...orders, ...orders].entries())
      copy.account.fill(order_id, 2, 10 + at, left + at * 600_000);
    copy.account.pageSize = 4;
    const { account } = copy;
    let pages = 0;
    const call = account.call.bind(account);
    account.call = (path) => {
      const isPage = path.startsWith('/v1/fills?cursor');
      if (isPage) pages += 1;
      // It hears nothing of the third page.
      return isPage && pages === 3 ? Promise.resolve({ type: 'unknown' }) : call(path);
    };
    const reports = await copy.told();
    expect(reports.filter((report) => report.startsWith('F'))).toHaveLength(8);
    copy.restart();
    const from = account.calls.length;
    reports.push(...(await copy.told()));
    const resumed = account.calls.slice(from).filter((path) => path.startsWith('/v1/fills?cursor'))[0];
    expect(resumed, 'two pages are behind it').toBe(`/v1/fills?cursor=${cursorAt(left + 7 * 600_000 - 60_000)}`);
    for (const [at, { client_order_id: name }] of orders.entries())
      expect(reports.filter((report) => report.endsWith(` ${name}`))).toEqual([
        `0 0 0 4 0 ${name}`,
        `F 1 2 2 ${10 + at} ${name}`,
        `F 2 4 0 ${13 + at} ${name}`,
      ]);
    expect(await copy.told()).toEqual([]);
  });

  it('reports at once that an order which it meets has ended, behind its fills', async () => {
    const copy = new Session(true);
    await copy.told();
    const order = copy.account.order({ size: 4 });
    copy.account.fill(order.order_id, 1);
    copy.account.orders.set(order.order_id, { ...order, filled_size: 1, status: 'cancelled' });
    const name = order.client_order_id;
    expect(await copy.told()).toEqual([`0 0 0 4 0 ${name}`, `F 1 1 3 10 ${name}`, `4 4 1 0 10 ${name}`]);
  });

  it('begins an open order with the fills from before its first logon', async () => {
    const copy = new Session(true);
    const order = copy.account.order({ size: 10 }, NOW - 3_600_000);
    copy.account.fill(order.order_id, 2, 10, NOW - 3_600_000);
    copy.account.fill(order.order_id, 2, 20, NOW - 3_600_000);
    copy.account.fill(order.order_id, 1, 25, NOW + 1);
    const name = order.client_order_id;
    expect(await copy.told()).toEqual([`0 1 4 6 15 ${name}`, `F 1 5 5 17 ${name}`]);
  });

  it('X-04: has a first and a last report of every order that ended at once or while nobody was connected, however many pages', async () => {
    const copy = new Session(true);
    await copy.told();
    const { account } = copy;
    const names = (...orders: WireOrder[]) => orders.map(({ client_order_id: name }) => name);
    const ended = (status: WireOrder['status'], reason: string) =>
      account.order({ size: 4, remaining_size: 0, status, reason, updated_at: Date.now() });
    const [unfilled, refused] = [ended('cancelled', 'unfilled'), ended('rejected', 'POST_ONLY_WOULD_MATCH')];
    const [a, b] = names(unfilled, refused);
    expect(await copy.told()).toEqual([`0 0 0 4 0 ${a}`, `4 4 0 0 0 ${a}`, `8 8 0 0 0 ${b}`]);
    expect(await copy.told()).toEqual([]);
    copy.restart();
    account.pageSize = 3;
    const away = Array.from({ length: 8 }, () => ended('cancelled', 'self_trade'));
    const open = account.order({ size: 4 });
    const told = await copy.told();
    for (const name of names(...away))
      expect(told.filter((report) => report.endsWith(` ${name}`))).toEqual([`0 0 0 4 0 ${name}`, `4 4 0 0 0 ${name}`]);
    expect(told.filter((report) => report.endsWith(` ${open.client_order_id}`))).toHaveLength(1);
    expect(told).toHaveLength(17);
    expect(await copy.told()).toEqual([]);
  });

  it('X-04: is told of no order that had ended before the copy began', async () => {
    const copy = new Session(true);
    copy.account.order({ remaining_size: 0, status: 'cancelled', updated_at: NOW - 1_000 }, NOW - 2_000);
    expect(await copy.told()).toEqual([]);
  });
});

describe('a drop copy beside the session of its orders', () => {
  /** A session of the account in the same gateway, with one order. */
  const beside = (copy: Session) => {
    const order = copy.account.order();
    const store = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-beside-')), 'session.jsonl'), 0);
    const desk = new OrderDesk({ store, send: () => undefined, answer: () => undefined }, copy.names);
    desk.track(order, { clOrdId: order.client_order_id ?? '', executed: NOTHING_EXECUTED });
    /** A request of the session, in which the exchange does something. */
    const request = async (clOrdId: string, act: () => Partial<WireOrder>, isEnd = false) => {
      await desk.changing(order.order_id, async () => {
        const standing = { ...(copy.account.orders.get(order.order_id) as WireOrder), ...act(), updated_at: ++now };
        copy.account.orders.set(order.order_id, standing);
        copy.desk.update(standing);
      });
      expect(copy.sent, 'it waits for the answer of the session').toEqual([]);
      const known = desk.find(order.order_id) as TrackedOrder;
      const standing = copy.account.orders.get(order.order_id) as WireOrder;
      if (isEnd) desk.end(known, standing, clOrdId);
      else desk.change(known, { clOrdId, standing });
      desk.settle();
      return copy.sent.splice(0).map(said);
    };
    let now = NOW;
    return { order, request };
  };

  it('X-17: names an order as its session does, from the report of the request on', async () => {
    const copy = new Session(true);
    copy.desk.nameAsSessionsDo(true);
    await copy.told();
    const { order, request } = beside(copy);
    expect(await copy.told()).toEqual([`0 0 0 10 0 ${order.client_order_id}`]);
    expect(await request('second', () => ({ size: 12, remaining_size: 12 }))).toEqual(['D 0 0 12 0 second']);
    copy.account.fill(order.order_id, 2, 10, NOW + 1);
    expect(await copy.told()).toEqual(['F 1 2 10 10 second']);
    const end = { status: 'cancelled', remaining_size: 0 } as const;
    expect(await request('third', () => end, true)).toEqual(['4 4 2 0 10 third']);
  });

  it('X-17: does so, too, where it learns of the order later or was away, also after the gateway was killed', async () => {
    const copy = new Session(true);
    await copy.told();
    const [{ order: known, request }, { order: unknown, request: other }] = [beside(copy), beside(copy)];
    const away = async (ask: typeof request, clOrdId: string) =>
      expect(await ask(clOrdId, () => ({ price: 41 }))).toEqual([]);
    copy.desk.track(known, { clOrdId: known.client_order_id ?? '', executed: NOTHING_EXECUTED });
    copy.store.flush();
    copy.restart();
    await away(other, 'other-2');
    copy.names.rename(known.order_id, 'known-2');
    copy.desk.nameAsSessionsDo(true);
    expect(copy.desk.find(known.order_id)?.clOrdId).toBe('known-2');
    const told = await copy.told();
    expect(told.filter((report) => report.endsWith('other-2'))).toHaveLength(1);
    expect(told.some((report) => report.endsWith(` ${unknown.client_order_id}`))).toBe(false);
  });
});

describe('a limit that is reached', () => {
  afterEach(() => void vi.useRealTimers());

  const limited = (retry_after: number): ExchangeAnswer => ({
    type: 'refused',
    status: 429,
    code: 'RATE_LIMIT_EXCEEDED',
    message: 'too many requests',
    details: { retry_after },
    remaining: 0,
  });

  /** Lets so many calls through until it is told again. */
  function limit({ account }: Session, retry_after_s: number) {
    const call = account.call.bind(account);
    const room = { left: Number.POSITIVE_INFINITY, refused: 0 };
    account.call = (path) => {
      room.left -= 1;
      if (room.left >= 0) return call(path);
      room.refused += 1;
      return Promise.resolve(limited(retry_after_s));
    };
    return room;
  }

  it('is asked nothing of before it has room again, whoever wants a comparison', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const session = new Session();
    const order = session.place();
    session.account.fill(order.order_id, 4);
    const standing = session.account.orders.get(order.order_id) as WireOrder;
    session.account.orders.set(order.order_id, { ...standing, status: 'cancelled', remaining_size: 0 });
    const room = limit(session, 42);
    room.left = 1;
    await session.reconciliation.begin();
    for (let at_s = 0; at_s < 41; at_s++) {
      await session.reconciliation.run();
      await vi.advanceTimersByTimeAsync(1_000);
    }
    expect([room.refused, session.sent]).toEqual([1, []]);
    room.left = 100;
    await vi.advanceTimersByTimeAsync(1_000);
    const name = order.client_order_id;
    expect(session.sent.map(said)).toEqual([`F 1 4 6 10 ${name}`, `4 4 4 0 10 ${name}`]);
    session.reconciliation.rest();
  });

  it('lets a drop copy go on behind the page that it has read, and lists longer than the limit end', async () => {
    vi.useFakeTimers({ now: NOW, toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const copy = new Session(true);
    await copy.told();
    const { account } = copy;
    account.pageSize = 2;
    const ended = Array.from({ length: 41 }, () =>
      account.order({ size: 4, remaining_size: 0, status: 'cancelled', updated_at: NOW }),
    );
    const room = limit(copy, 60);
    const told: string[] = [];
    // Each minute has room for five pages, the list has 21.
    for (let minutes = 0; minutes < 8; minutes++) {
      room.left = 5;
      told.push(...(await copy.told()));
      await vi.advanceTimersByTimeAsync(60_000);
    }
    expect(told).toEqual(ended.flatMap(({ client_order_id: name }) => [`0 0 0 4 0 ${name}`, `4 4 0 0 0 ${name}`]));
  });

  it('lets a drop copy that is killed go on behind the orders that it has met', async () => {
    const copy = new Session(true);
    await copy.told();
    const { account } = copy;
    const [left_ms, apart_ms] = [NOW - 7_200_000, 600_000];
    copy.store.putState('orders', { to_ms: left_ms, since_ms: left_ms });
    copy.store.putState('cursor', NOW);
    const orders = Array.from({ length: 6 }, (_, at) => account.order({ size: 4 }, left_ms + at * apart_ms));
    const call = account.call.bind(account);
    // The fills of the fourth cannot be counted.
    const unread = orders[3]?.order_id ?? '';
    account.orders.set(unread, { ...(account.orders.get(unread) as WireOrder), filled_size: 1, remaining_size: 3 });
    account.call = (path) => (path.includes(`order_id=${unread}`) ? Promise.resolve({ type: 'unknown' }) : call(path));
    await copy.told();
    copy.restart();
    account.call = call;
    account.calls.length = 0;
    await copy.told();
    const [place] = copy.store.state<{ to_ms: number }>('orders');
    expect(place?.[1].to_ms).toBeGreaterThanOrEqual(NOW);
    expect(copy.desk.open).toHaveLength(6);
  });
});

describe('a session that was told wrong', () => {
  it('X-01: is put right by the next comparison, whichever side has the order open', async () => {
    const session = new Session();
    const order = session.place({ updated_at: NOW + 1 });
    session.desk.take({ ...(session.desk.find(order.order_id) as TrackedOrder), ended: true });
    const name = order.client_order_id;
    expect(await session.told()).toEqual([`D 0 0 10 0 ${name}`]);
    session.account.fill(order.order_id, 4, 10, NOW + 2);
    session.account.orders.set(order.order_id, {
      ...(session.account.orders.get(order.order_id) as WireOrder),
      size: 12,
      remaining_size: 8,
      price: 11,
      updated_at: NOW + 3,
    });
    expect(await session.told()).toEqual([`F 1 4 6 10 ${name}`, `D 1 4 8 10 ${name}`]);
  });

  it('X-01: reports an end whose fills it has missed to count', async () => {
    const session = new Session();
    const order = session.place();
    session.account.fill(order.order_id, 4);
    await session.told();
    session.desk.take({ ...(session.desk.find(order.order_id) as TrackedOrder), filled: 1, notional: 10 });
    session.account.orders.set(order.order_id, {
      ...(session.account.orders.get(order.order_id) as WireOrder),
      remaining_size: 0,
      status: 'cancelled',
      updated_at: NOW + 5,
    });
    expect(await session.told()).toEqual([`4 4 4 0 10 ${order.client_order_id}`]);
    expect(session.desk.isBehind).toBe(false);
  });
});
