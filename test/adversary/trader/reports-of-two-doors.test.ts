import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { Outgoing } from '../../../containers/fix-gateway/application/application.ts';
import { amendOrder, cancelOrder } from '../../../containers/fix-gateway/application/change-orders.ts';
import type { DeskContext } from '../../../containers/fix-gateway/application/desk-context.ts';
import { FeedSocket } from '../../../containers/fix-gateway/application/feed-socket.ts';
import { massCancel } from '../../../containers/fix-gateway/application/mass-cancel.ts';
import { OrderDesk } from '../../../containers/fix-gateway/application/order-desk.ts';
import { OrderPlacing } from '../../../containers/fix-gateway/application/order-placing.ts';
import { Reconciliation } from '../../../containers/fix-gateway/application/reconciliation.ts';
import { reportStatus } from '../../../containers/fix-gateway/application/report-status.ts';
import type { WireOrder } from '../../../containers/fix-gateway/application/wire.ts';
import type { Field, FixMessage } from '../../../containers/fix-gateway/codec/fix-message.ts';
import { SessionFile } from '../../../containers/fix-gateway/store/session-file.ts';
import { SimulatedExchange } from './reports-of-two-doors.fixtures.ts';

const OWN = 'frank';
const OTHER = 'alice';
const NO_ONE = { message: () => undefined, ended: () => undefined, resumed: () => undefined, lost: () => undefined };

/** A FIX session, or a drop copy, of the account over deaths of its gateway. */
class Session {
  readonly #world: SimulatedExchange;
  readonly #isDropCopy: boolean;
  readonly #path = join(mkdtempSync(join(tmpdir(), 'fix-two-doors-')), 'session.jsonl');
  readonly #feed: number;
  #store = new SessionFile(this.#path, 0);
  #names = 0;
  /** By ClOrdID of each request. */
  readonly asked = new Set<string>();
  readonly told: Outgoing[] = [];
  desk!: OrderDesk;
  placing!: OrderPlacing;
  reconciliation!: Reconciliation;

  constructor(world: SimulatedExchange, isDropCopy: boolean) {
    this.#world = world;
    this.#isDropCopy = isDropCopy;
    this.#feed = world.feeds.push([]) - 1;
    this.#open();
  }

  #open(): void {
    const send = (outgoing: Outgoing) => void this.told.push(outgoing);
    const answer = (_: number, all: readonly Outgoing[]) => all.forEach(send);
    const port = { store: this.#store, send, answer };
    const { exchange } = this.#world;
    this.desk = new OrderDesk(port, this.#world.names);
    this.desk.nameAsSessionsDo(this.#isDropCopy);
    const placed = (order: WireOrder) => this.reconciliation.apply(order);
    this.placing = new OrderPlacing({ port, exchange, desk: this.desk, placed, isClosed: () => false });
    this.reconciliation = new Reconciliation({
      port,
      exchange,
      desk: this.desk,
      feed: new FeedSocket(exchange.feedUrl, () => ({}), NO_ONE),
      placing: this.placing,
      names: this.#world.names,
      caller: () => ({}),
      isDropCopy: () => this.#isDropCopy,
    });
    this.reconciliation.admitted();
  }

  get #queue() {
    return this.#world.feeds[this.#feed] as SimulatedExchange['feeds'][number];
  }

  async kill(): Promise<void> {
    this.#store.flush();
    this.reconciliation.close();
    this.desk.close();
    this.#store = new SessionFile(this.#path, 0);
    this.loseFeed();
    this.#open();
    await this.compare();
  }

  /** Nothing else than the test's own steps lets time pass. */
  async compare(): Promise<void> {
    await this.reconciliation.run();
    this.reconciliation.rest();
  }

  async hear(count: number): Promise<void> {
    for (const message of this.#queue.splice(0, count)) {
      if (message.type === 'fill') this.reconciliation.filled(message);
      else this.reconciliation.changed(message);
    }
    // What an unknown order makes it read.
    if (this.#isDropCopy) await this.compare();
  }

  loseFeed(): void {
    this.#queue.length = 0;
  }

  #context(): DeskContext {
    return {
      desk: this.desk,
      exchange: this.#world.exchange,
      caller: {},
      find: async () => null,
      findById: async () => null,
      refresh: (order) => this.reconciliation.refresh({}, order),
      reconcile: () => undefined,
    };
  }

  #message(type: string, ...fields: Field[]): FixMessage {
    this.#names += 1;
    const name = `q${this.#names}`;
    this.asked.add(name);
    return { fields: [[8, 'FIX.4.4'], [9, '0'], [35, type], [11, name], [55, 'ACME-USD'], ...fields], text: '' };
  }

  async place({
    side,
    price,
    quantity,
    timeInForce,
  }: {
    side: string;
    price: number;
    quantity: number;
    timeInForce: string;
  }) {
    const message = this.#message(
      'D',
      [54, side === 'buy' ? '1' : '2'],
      [38, String(quantity)],
      [40, '2'],
      [44, String(price / 100)],
      [59, { GTC: '1', IOC: '3', FOK: '4' }[timeInForce] ?? '1'],
      ...(timeInForce === 'POST_ONLY' ? [[18, '6'] as const] : []),
    );
    await this.placing.place({}, [{ sequence: this.#names, message, recovered: false, since_ms: Date.now() }]);
  }

  async change(type: 'F' | 'G' | 'H', pick: number, terms: { quantity: number; price: number } | null) {
    const known = [...this.asked].flatMap((name) => this.desk.findByClOrdId(name) ?? []);
    const order = known[pick % Math.max(1, known.length)];
    if (order === undefined) return;
    const names: Field[] = [
      [37, order.orderId],
      [54, order.side === 'buy' ? '1' : '2'],
      ...(type === 'H' ? [] : [[41, order.clOrdId] as const]),
    ];
    const more: Field[] =
      terms === null
        ? []
        : [
            [40, '2'],
            [38, String(terms.quantity)],
            [44, String(terms.price / 100)],
          ];
    const message = this.#message(type, ...names, ...more);
    // A status is answered under the ClOrdID of the order.
    if (type === 'H') this.asked.delete(value({ type, body: [...message.fields] }, 11));
    const act = { F: cancelOrder, G: amendOrder, H: reportStatus }[type];
    const answers = await act(this.#context(), message);
    if (type === 'H') expect(answers.map((one) => value(one, 150))).toEqual(['I']);
    this.told.push(...answers);
    this.desk.settle();
  }

  async cancelAll() {
    const message = { ...this.#message('q', [530, '7']) };
    const fields = message.fields.filter(([tag]) => tag !== 55);
    this.told.push(...(await massCancel(this.#context(), { ...message, fields })));
    this.desk.settle();
  }
}

const value = ({ body }: Outgoing, tag: number): string => body.find(([of]) => of === tag)?.[1] ?? '';
const number = (report: Outgoing, tag: number): number => Number(value(report, tag));

/** OrdStatus, OrderQty, Price, CumQty and LeavesQty by the exchange's record; OrderQty only where something is open or all has filled. */
function recordOf({ status, price, filled_size, remaining_size }: WireOrder) {
  const ordStatus = { cancelled: '4', expired: 'C', rejected: '8', filled: '2' }[status as string];
  return {
    39: ordStatus ?? (filled_size > 0 ? '1' : '0'),
    ...(ordStatus === undefined || ordStatus === '2' ? { 38: filled_size + remaining_size } : {}),
    44: price,
    14: filled_size,
    151: remaining_size,
  };
}

function expectReports(session: Session, world: SimulatedExchange, isDropCopy: boolean): void {
  const orders = world.ordersOf(OWN);
  const reports = session.told.filter(({ type }) => type === '8');
  const execIds = reports.map((report) => value(report, 17)).filter((id) => id !== '0');
  expect(new Set(execIds).size).toBe(execIds.length);
  const byOrder = Map.groupBy(reports, (report) => value(report, 37));
  if (isDropCopy) expect([...byOrder.keys()].sort()).toEqual(orders.map(({ order_id }) => order_id).sort());
  for (const [orderId, told] of byOrder) {
    const order = orders.find(({ order_id }) => order_id === orderId);
    if (order === undefined) continue;
    const record = recordOf(order);
    const last = told.at(-1) as Outgoing;
    const tags = Object.keys(record).map(Number);
    const said = Object.fromEntries(tags.map((tag) => [tag, tag === 39 ? value(last, tag) : number(last, tag)]));
    if (order.status !== 'rejected') expect([orderId, said]).toEqual([orderId, record]);
    // Its fills are told in the sequence in which they were made, and AvgPx is theirs.
    const fills = world.fillsOf(orderId);
    const tradeIds = told.flatMap((one) => (value(one, 150) === 'F' ? [value(one, 17).slice(0, -2)] : []));
    expect([orderId, tradeIds]).toEqual([orderId, fills.map(({ trade_id }) => trade_id)]);
    const notional = fills.reduce((sum, { price: at, size }) => sum + at * size, 0);
    const average = order.filled_size === 0 ? 0 : notional / order.filled_size;
    if (order.status !== 'rejected') expect(number(last, 6)).toBeCloseTo(average, 6);
    let filled = 0;
    let isReplaced = false;
    for (const report of told) {
      if (value(report, 150) === 'F') {
        filled += number(report, 32);
        const beyond = (number(report, 31) - number(report, 44)) * (value(report, 54) === '1' ? 1 : -1);
        // A fill that an own replacement has crossed comes behind the answer to that.
        if (!isReplaced) expect([value(report, 17), beyond <= 0]).toEqual([value(report, 17), true]);
      }
      isReplaced ||= value(report, 150) === '5';
      // No report fills more than the terms that the peer knows by then.
      expect(number(report, 14)).toBe(filled);
      if (value(report, 39) !== '8')
        expect(number(report, 14) + number(report, 151)).toBeLessThanOrEqual(number(report, 38));
      if (value(report, 150) === 'D') expect(['5', '99']).toContain(value(report, 378));
    }
  }
}

const side = fc.constantFrom('buy' as const, 'sell' as const);
const price = fc.integer({ min: 97, max: 103 });
const quantity = fc.integer({ min: 1, max: 20 });
const timeInForce = fc.constantFrom(
  'GTC' as const,
  'GTC' as const,
  'IOC' as const,
  'FOK' as const,
  'POST_ONLY' as const,
);
const prevention = fc.constantFrom(
  'decrement' as const,
  'decrement' as const,
  'cancel_newest' as const,
  'cancel_both' as const,
);
const kind = <K extends string>(name: K) => fc.constant(name);
const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ kind: kind('fix_place'), side, price, quantity, timeInForce }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('rest_place'),
      account: fc.constantFrom(OWN, OTHER),
      side,
      price,
      quantity,
      timeInForce,
      prevention,
      isIceberg: fc.boolean(),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('fix_amend'), pick: fc.nat(), price, quantity }) },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: kind('rest_amend'),
      pick: fc.nat(),
      price: fc.option(price),
      quantity: fc.option(quantity),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: kind('fix_cancel'), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('fix_status'), pick: fc.nat() }) },
  { weight: 1, arbitrary: fc.record({ kind: kind('rest_cancel'), pick: fc.nat() }) },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constantFrom(
        'fix_cancel_all' as const,
        'rest_cancel_all' as const,
        'lose_feed' as const,
        'kill' as const,
        'compare' as const,
      ),
    }),
  },
  { weight: 6, arbitrary: fc.record({ kind: kind('hear'), count: fc.integer({ min: 1, max: 6 }) }) },
  { weight: 2, arbitrary: fc.record({ kind: kind('pass'), time_ms: fc.constantFrom(1, 5, 1_000) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

async function run(world: SimulatedExchange, session: Session, copy: Session, one: Step): Promise<void> {
  const picked = (pick: number): string | null => {
    const own = world.ordersOf(OWN);
    return own[pick % Math.max(1, own.length)]?.order_id ?? null;
  };
  switch (one.kind) {
    case 'fix_place':
      return session.place(one);
    case 'rest_place': {
      const isIceberg = one.isIceberg && one.timeInForce === 'GTC';
      world.place({ ...one, ...(isIceberg ? { displayQuantity: Math.ceil(one.quantity / 3) } : {}) });
      return;
    }
    case 'fix_amend':
      return session.change('G', one.pick, one);
    case 'fix_cancel':
      return session.change('F', one.pick, null);
    case 'fix_status':
      return session.change('H', one.pick, null);
    case 'rest_amend': {
      const orderId = picked(one.pick);
      if (orderId !== null) world.amend(orderId, one);
      return;
    }
    case 'rest_cancel': {
      const orderId = picked(one.pick);
      if (orderId !== null) world.cancel(orderId);
      return;
    }
    case 'fix_cancel_all':
      return session.cancelAll();
    case 'rest_cancel_all':
      world.cancelAll(OWN);
      return;
    case 'hear':
      await session.hear(one.count);
      return copy.hear(one.count);
    case 'lose_feed':
      session.loseFeed();
      return copy.loseFeed();
    case 'kill':
      await session.kill();
      return copy.kill();
    case 'compare':
      await session.compare();
      return copy.compare();
    case 'pass':
      return world.pass(one.time_ms);
  }
}

it('X-01, X-02, X-04: whatever two doors do to its orders, each report of a FIX session and of a drop copy follows from the exchange’s record', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 60, size: 'max' }), async (steps) => {
      const world = new SimulatedExchange(OWN);
      const [session, copy] = [new Session(world, false), new Session(world, true)];
      for (const one of steps) await run(world, session, copy, one);
      for (const each of [session, copy]) {
        await each.hear(Number.POSITIVE_INFINITY);
        for (let times = 0; times < 3; times++) await each.compare();
        expect(each.desk.isBehind).toBe(false);
        expectReports(each, world, each === copy);
      }
      // The drop copy calls an order what its session does.
      for (const { order_id: orderId } of world.ordersOf(OWN)) {
        const [name, copied] = [session, copy].map(({ desk }) => desk.find(orderId)?.clOrdId);
        if (name !== undefined) expect([orderId, copied]).toEqual([orderId, name]);
      }
      // Every request has one answer.
      const answers = session.told.flatMap((one) => (['8', '9', 'r', 'j'].includes(one.type) ? value(one, 11) : []));
      for (const name of session.asked) expect(answers).toContain(name);
    }),
    { numRuns: Number(process.env.TWO_DOORS_RUNS ?? 60), seed: Number(process.env.TWO_DOORS_SEED ?? 35) },
  );
}, 60_000);
