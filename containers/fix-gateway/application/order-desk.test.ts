import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { SessionFile } from '../store/session-file.ts';
import type { Outgoing } from './application.ts';
import { OrderDesk } from './order-desk.ts';
import { OrderNames } from './order-names.ts';
import { NOTHING_EXECUTED, type StatedTerms, type TrackedOrder } from './tracked-order.ts';
import type { OrderStanding, WireFill, WireListedFill, WireOrder } from './wire.ts';

const ORDER: WireOrder = {
  order_id: 'o1',
  client_order_id: 'c1',
  symbol: 'ACME-USD',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  price: 10,
  stop_price: null,
  size: 0.3,
  filled_size: 0,
  remaining_size: 0.3,
  average_price: null,
  status: 'open',
  reason: null,
  expires_at: null,
  updated_at: 1,
};

const NEW = { clOrdId: 'c1', executed: NOTHING_EXECUTED };
const STOP: WireOrder = { ...ORDER, type: 'stop_loss', price: null, stop_price: 12, status: 'pending_trigger' };

const fill = (trade: string, size: number, price = 10): WireFill => ({
  trade_id: trade,
  order_id: 'o1',
  symbol: 'ACME-USD',
  side: 'buy',
  price,
  size,
  liquidity: 'maker',
  filled_size: null,
  remaining_size: null,
  timestamp: 1_000,
});

const FILLED = { status: 'filled', remaining_size: 0, updated_at: 3 } as const;

/** How the order ends. */
const standing = (status: WireOrder['status'], filled_size: number): OrderStanding => ({
  ...ORDER,
  status,
  filled_size,
  remaining_size: 0,
  updated_at: 2,
});

const adjusted = (dealt: WireFill, price: number | null): WireListedFill => ({
  ...dealt,
  status: price === null ? 'bust' : 'correction',
  corrected_price: price,
  adjusted_at: 5_000,
  adjustment_sequence: 1,
});

class Desk {
  readonly path = join(mkdtempSync(join(tmpdir(), 'fix-desk-')), 'session.jsonl');
  store = new SessionFile(this.path, 0);
  readonly names = new OrderNames(new SessionFile(`${this.path}.names`, 0));
  sent: Outgoing[] = [];
  desk = this.#open();

  /** The process dies, with what it had written. */
  restart(): void {
    this.store.flush();
    this.store = new SessionFile(this.path, 0);
    this.desk = this.#open();
  }

  #open(): OrderDesk {
    const send = (outgoing: Outgoing) => void this.sent.push(outgoing);
    return new OrderDesk({ store: this.store, send, answer: () => undefined }, this.names);
  }

  /** Fields of what was sent since the last call. */
  reports(...tags: number[]): string[] {
    const sent = this.sent.splice(0);
    return sent.map(({ body }) => tags.map((tag) => body.find(([found]) => found === tag)?.[1] ?? '-').join(' '));
  }
}

describe('the order desk', () => {
  it('reports each fill once, with exact sums and the average price, over a restart', () => {
    const desk = new Desk();
    desk.desk.track(ORDER, NEW);
    desk.desk.fill(fill('t1', 0.1, 10));
    desk.desk.fill(fill('t1', 0.1, 10));
    desk.restart();
    desk.desk.fill(fill('t1', 0.1, 10));
    desk.desk.fill(fill('t2', 0.2, 9.7));
    // ExecID, OrdStatus, LeavesQty, CumQty, AvgPx
    expect(desk.reports(17, 39, 151, 14, 6)).toEqual(['t1-B 1 0.2 0.1 10', 't2-B 2 0 0.3 9.8']);
    expect(desk.desk.open).toEqual([]);
  });

  it('reports a cancellation after the fills that came before it, whichever is told of first', () => {
    const desk = new Desk();
    const order = desk.desk.track(ORDER, NEW);
    desk.desk.end(order, standing('cancelled', 0.1), 'c2');
    expect(desk.sent).toEqual([]);
    expect(desk.desk.isBehind).toBe(true);
    desk.restart();
    desk.desk.fill(fill('t1', 0.1));
    // ExecType, OrdStatus, ClOrdID, OrigClOrdID, LeavesQty
    expect(desk.reports(150, 39, 11, 41, 151)).toEqual(['F 1 c1 - 0.2', '4 4 c2 c1 0']);
    expect(desk.desk.isBehind).toBe(false);
  });

  it('reports an ending once, however often it is told of', () => {
    const desk = new Desk();
    desk.desk.track(ORDER, NEW);
    for (const reason of ['first', 'second']) desk.desk.update({ ...standing('expired', 0), reason });
    expect(desk.reports(150, 39, 58)).toEqual(['C C first']);
  });

  it('reports what another door has amended, once, and not what is older than a request of the peer', async () => {
    const desk = new Desk();
    desk.desk.track(STOP, NEW);
    const standing = (size: number, updated_at: number, more: Partial<OrderStanding> = {}): OrderStanding => ({
      ...STOP,
      size,
      remaining_size: size,
      updated_at,
      ...more,
    });
    await desk.desk.changing('o1', async () => desk.desk.update(standing(1, 2)));
    desk.desk.change(desk.desk.find('o1') as TrackedOrder, { standing: standing(2, 3) });
    desk.desk.settle();
    for (let times = 0; times < 2; times++) desk.desk.update(standing(0.5, 4, { stop_price: 13 }));
    const { stop_price: _, ...ofTheFeed } = standing(0.5, 5);
    desk.desk.update(ofTheFeed);
    desk.desk.update(standing(7, 3));
    // ExecType, ExecRestatementReason, OrderQty, StopPx, ClOrdID, ExecID
    expect(desk.reports(150, 378, 38, 99, 11, 17)).toEqual(['D 99 0.5 13 c1 o1-D-1']);
  });

  it('X-01: reports the terms under which a fill was made before the fill, and ends no order that the exchange has open', () => {
    const desk = new Desk();
    desk.desk.track({ ...ORDER, size: 10, remaining_size: 10, price: 90 }, NEW);
    desk.desk.fill({ ...fill('t1', 12, 100), filled_size: 12, remaining_size: 4 });
    expect(desk.sent, 'the feed tells the terms behind the fill').toEqual([]);
    desk.desk.update({ ...ORDER, size: 16, price: 100, filled_size: 12, remaining_size: 4, updated_at: 2 });
    // ExecType, OrdStatus, OrderQty, Price, CumQty, LeavesQty
    expect(desk.reports(150, 39, 38, 44, 14, 151)).toEqual(['D 0 16 100 0 16', 'F 1 16 100 12 4']);
    desk.desk.fill({ ...fill('t2', 4, 100), filled_size: 16, remaining_size: 0 });
    desk.desk.update({ ...ORDER, size: 16, price: 100, ...FILLED, filled_size: 16 });
    expect(desk.reports(150, 39, 14, 151)).toEqual(['F 2 16 0']);
    expect([desk.desk.open, desk.desk.isBehind]).toEqual([[], false]);
  });

  it('X-01: reports fills under the old terms, then the terms, then fills under these', () => {
    const desk = new Desk();
    desk.desk.track({ ...ORDER, size: 10, remaining_size: 10 }, NEW);
    desk.desk.update({ ...ORDER, size: 16, filled_size: 5, remaining_size: 11, updated_at: 2 });
    desk.desk.fill({ ...fill('t2', 2), filled_size: 5, remaining_size: 11 });
    expect([desk.sent.length, desk.desk.isBehind], 'a fill is missing').toEqual([0, true]);
    desk.desk.fill({ ...fill('t1', 3), filled_size: 3, remaining_size: 7 });
    expect(desk.reports(150, 38, 14, 151)).toEqual(['F 10 3 7', 'D 16 3 13', 'F 16 5 11']);
  });

  it('X-01: reports a price that another door has changed before the fill at it, where nothing else has changed', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10 };
    desk.desk.track(order, NEW);
    desk.desk.fill({ ...fill('t1', 10, 12), filled_size: 10, remaining_size: 0 });
    desk.desk.update({ ...order, ...FILLED, price: 12, filled_size: 10 });
    expect(desk.reports(150, 378, 39, 44, 14, 151)).toEqual(['D 99 0 12 0 10', 'F - 2 12 10 0']);
  });

  it('X-01: reports a price that another door has changed before the first of several fills that need it', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10, price: 90 };
    desk.desk.track(order, NEW);
    for (const [at, price] of [95, 96, 97].entries())
      desk.desk.fill({ ...fill(`t${at}`, 2, price), filled_size: 2 * at + 2, remaining_size: 8 - 2 * at });
    const standing = { ...order, status: 'partially_filled', filled_size: 6, remaining_size: 4 } as const;
    desk.desk.update({ ...standing, price: 100, updated_at: 2 });
    // ExecType, Price, LastPx, CumQty
    expect(desk.reports(150, 44, 31, 14)).toEqual(['D 100 - 0', 'F 100 95 2', 'F 100 96 4', 'F 100 97 6']);
  });

  it('X-01: reports a sell under a price that allows its fill, also where that was changed twice', () => {
    const desk = new Desk();
    const order = { ...ORDER, side: 'sell', size: 10, remaining_size: 10, price: 90 } as const;
    desk.desk.track(order, NEW);
    desk.desk.fill({ ...fill('t1', 2, 80), side: 'sell', filled_size: 2, remaining_size: 8 });
    desk.desk.update({ ...order, price: 85, filled_size: 2, remaining_size: 8, updated_at: 2 });
    expect(desk.reports(150, 44, 31)).toEqual(['D 80 -', 'F 80 80', 'D 85 -']);
  });

  it('X-04: reports fills behind a gap in their sequence, and the last of them as the end', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10 };
    desk.desk.track(order, NEW);
    const fills = [2, 3, 5].map((size, at) => {
      const filled_size = [2, 5, 10][at] as number;
      return { ...fill(`t${at}`, size), filled_size, remaining_size: 10 - filled_size };
    });
    desk.desk.fill(fills[2] as WireFill);
    desk.desk.update({ ...order, ...FILLED, filled_size: 10 });
    expect(desk.sent).toEqual([]);
    for (const listed of fills) desk.desk.fill(listed, true);
    // OrdStatus, LastQty, CumQty, LeavesQty
    expect(desk.reports(39, 32, 14, 151)).toEqual(['1 2 2 8', '1 3 5 5', '2 5 10 0']);
    expect([desk.desk.open, desk.desk.isBehind]).toEqual([[], false]);
  });

  it('X-01: reports fills under the known terms while a request is under way, and other terms and ends behind its answer', async () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10 };
    desk.desk.track(order, NEW);
    await desk.desk.changing('o1', async () => {
      desk.desk.fill({ ...fill('t2', 3), filled_size: 5, remaining_size: 5 });
      expect(desk.sent, 'one before it is missing').toEqual([]);
      desk.desk.fill({ ...fill('t1', 2), filled_size: 2, remaining_size: 8 });
      expect(desk.reports(150, 14, 151)).toEqual(['F 2 8', 'F 5 5']);
      desk.desk.fill({ ...fill('t3', 1, 11), filled_size: 6, remaining_size: 4 });
      desk.desk.fill({ ...fill('t4', 4), filled_size: 10, remaining_size: 6 });
      desk.desk.update({ ...order, size: 16, price: 11, filled_size: 10, remaining_size: 6, updated_at: 2 });
      expect(desk.sent).toEqual([]);
    });
    desk.desk.settle();
    expect(desk.reports(150, 38, 44, 14, 151)).toEqual(['D 10 11 5 5', 'F 10 11 6 4', 'D 16 11 6 10', 'F 16 11 10 6']);
  });

  it('X-01: takes no last fill for the end of an order while a request is under way, until the exchange says that it is', async () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10 };
    desk.desk.track(order, NEW);
    await desk.desk.changing('o1', async () => {
      desk.desk.fill({ ...fill('t1', 10), filled_size: 10, remaining_size: 0 });
      expect(desk.sent).toEqual([]);
      desk.desk.update({ ...order, ...FILLED, filled_size: 10 });
      expect(desk.reports(150, 39, 151)).toEqual(['F 2 0']);
    });
  });

  it('X-01: remembers an order that it has taken up again, however many have ended since', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10 };
    desk.desk.take({ ...desk.desk.track(order, NEW), ended: true });
    desk.desk.update({ ...order, updated_at: 2 });
    const [tracked, store] = [desk.desk.find('o1') as TrackedOrder, vi.spyOn(desk.store, 'putState')];
    store.mockReturnValue(undefined);
    for (let at = 0; at <= 10_000; at++)
      desk.desk.take({ ...tracked, orderId: `e${at}`, clOrdId: `e${at}`, ended: true });
    expect([desk.desk.find('o1')?.ended, desk.desk.find('e0'), desk.desk.findByClOrdId('e1')?.ended]).toEqual([
      false,
      null,
      true,
    ]);
  });

  it('X-02: reports what self-trade prevention takes off as a decline of OrderQty, and ends with the exchange', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 20, remaining_size: 20 };
    desk.desk.track(order, NEW);
    desk.desk.update({ ...order, remaining_size: 18, updated_at: 2 });
    desk.desk.fill({ ...fill('t1', 18), filled_size: 18, remaining_size: 0 });
    desk.desk.update({ ...order, filled_size: 18, remaining_size: 0, status: 'filled', updated_at: 3 });
    // ExecType, ExecRestatementReason, OrdStatus, OrderQty, CumQty, LeavesQty
    expect(desk.reports(150, 378, 39, 38, 14, 151)).toEqual(['D 5 0 18 0 18', 'F - 2 18 18 0']);
    expect(desk.desk.open).toEqual([]);
  });

  it('X-02: reports a decrement between two fills of one cycle where it was', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 20, remaining_size: 20 };
    desk.desk.track(order, { ...NEW, isPlaced: true });
    desk.desk.fill({ ...fill('t1', 5), filled_size: 5, remaining_size: 15 });
    desk.desk.fill({ ...fill('t2', 5), filled_size: 10, remaining_size: 7 });
    desk.desk.update({ ...order, filled_size: 10, remaining_size: 4, status: 'partially_filled', updated_at: 2 });
    expect(desk.reports(150, 378, 38, 14, 151)).toEqual(['F - 20 5 15', 'D 5 17 5 12', 'F - 17 10 7', 'D 5 14 10 4']);
  });

  it('X-02: calls no other change of OrderQty a decline: what an amendment has made less, or what is held for one', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 16, remaining_size: 16 };
    desk.desk.track(order, NEW);
    desk.desk.update({ ...order, size: 10, remaining_size: 16, updated_at: 2 });
    // More before the fill, less behind it.
    desk.desk.fill({ ...fill('t1', 2), filled_size: 2, remaining_size: 12 });
    desk.desk.update({ ...order, size: 10, filled_size: 2, remaining_size: 8, updated_at: 3 });
    expect(desk.reports(150, 378, 38, 14, 151)).toEqual(['D 99 10 0 10', 'D 99 14 0 14', 'F - 14 2 12', 'D 99 10 2 8']);
  });

  it('X-02: ends an order whose rest was taken off behind its fills, once', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10 };
    desk.desk.track(order, NEW);
    desk.desk.fill({ ...fill('t1', 4), filled_size: 4, remaining_size: 6 });
    expect(desk.sent, 'the order stands as its cycle has left it').toEqual([]);
    for (let times = 0; times < 2; times++)
      desk.desk.update({ ...order, filled_size: 4, remaining_size: 0, status: 'filled', updated_at: 2 });
    expect(desk.reports(150, 39, 38, 14, 151)).toEqual(['F 1 10 4 6', 'D 2 4 4 0']);
    expect(desk.desk.open).toEqual([]);
  });

  it('X-01: takes an order up again that the exchange has open, and an end back that was another', () => {
    const desk = new Desk();
    const order = { ...ORDER, size: 10, remaining_size: 10 };
    desk.desk.take({ ...desk.desk.track(order, NEW), ended: true });
    desk.desk.update({ ...order, updated_at: 2 });
    desk.desk.take({ ...(desk.desk.find('o1') as TrackedOrder), ended: true });
    desk.desk.update({ ...order, remaining_size: 0, status: 'cancelled', reason: 'user', updated_at: 3 });
    expect(desk.reports(150, 39, 151)).toEqual(['D 0 10', '4 4 0']);
  });

  it('knows an order by every ClOrdID that a request about it had', () => {
    const desk = new Desk();
    const order = desk.desk.track(ORDER, NEW);
    desk.desk.change(order, { clOrdId: 'c2', size: 5 });
    desk.restart();
    expect(['c1', 'c2', 'c3'].map((id) => desk.desk.findByClOrdId(id)?.size ?? null)).toEqual([5, 5, null]);
  });

  it('reports the trigger of a stop once, before its fills, over a restart', () => {
    const desk = new Desk();
    desk.desk.track(STOP, NEW);
    desk.restart();
    desk.desk.fill(fill('t1', 0.1, 12));
    desk.desk.trigger(desk.desk.find('o1') as TrackedOrder);
    // ExecType, OrdStatus, ExecID, OrdType, Price, StopPx
    expect(desk.reports(150, 39, 17, 40, 44, 99)).toEqual(['L 0 o1-L 3 - 12', 'F 1 t1-B 3 - 12']);
  });

  it.each([
    ['unfilled', ['L 0', '4 4']],
    ['halt', ['4 4']],
  ])('reports of a stop that was cancelled by %s whether it had triggered', (reason, reports) => {
    const desk = new Desk();
    desk.desk.track(STOP, NEW);
    desk.desk.update({ ...standing('cancelled', 0), price: null, reason });
    expect(desk.reports(150, 39)).toEqual(reports);
  });

  it('says of an order what its peer has stated of it: a day order, what is shown, post-only', () => {
    const desk = new Desk();
    const gtd = { ...ORDER, time_in_force: 'GTD', expires_at: 86_400_000 };
    const reportOf = (order: WireOrder, stated?: StatedTerms) => {
      const tracked = desk.desk.track(order, { ...NEW, ...(stated === undefined ? {} : { stated }) });
      desk.desk.end(tracked, standing('cancelled', 0), null);
      return desk.reports(59, 126, 18, 111)[0];
    };
    expect(reportOf(gtd, { timeInForce: '0', maxFloor: 2 })).toBe('0 - - 2');
    expect(reportOf(gtd)).toBe('6 19700102-00:00:00.000 - -');
    expect(reportOf({ ...ORDER, time_in_force: 'POST_ONLY' })).toBe('1 - 6 -');
  });

  it('reports a fill that was taken back with what stands, and takes its price out of the average', () => {
    const desk = new Desk();
    desk.desk.track(ORDER, NEW);
    desk.desk.fill(fill('t1', 0.1, 10));
    desk.desk.fill(fill('t2', 0.1, 16));
    desk.sent = [];
    desk.desk.adjust(adjusted(fill('t2', 0.1, 16), null));
    desk.restart();
    desk.desk.fill(fill('t3', 0.1, 14));
    // ExecType, OrdStatus, ExecID, ExecRefID, LastQty, LastPx, LeavesQty, CumQty, AvgPx, TransactTime
    expect(desk.reports(150, 39, 17, 19, 32, 31, 151, 14, 6, 60)).toEqual([
      'H 1 t2-B-H t2-B 0 0 0.1 0.1 10 19700101-00:00:05.000',
      'F 4 t3-B - 0.1 14 0 0.2 12 19700101-00:00:01.000',
    ]);
  });

  it('reports a fill that was corrected with its price of now', () => {
    const desk = new Desk();
    desk.desk.track(ORDER, NEW);
    desk.desk.fill(fill('t1', 0.1, 10));
    desk.desk.fill(fill('t2', 0.2, 16));
    desk.sent = [];
    desk.desk.adjust(adjusted(fill('t2', 0.2, 16), 13));
    expect(desk.reports(150, 39, 17, 19, 32, 31, 151, 14, 6)).toEqual(['G 2 t2-B-G t2-B 0.2 13 0 0.3 12']);
  });

  it('ends an order once all is reported that the exchange counts as filled, taken back or not; an end stays what it was', () => {
    const desk = new Desk();
    desk.desk.track(ORDER, NEW);
    desk.desk.fill(fill('t1', 0.1));
    desk.desk.adjust(adjusted(fill('t1', 0.1), null));
    desk.desk.update(standing('cancelled', 0.2));
    expect(desk.desk.isBehind).toBe(true);
    desk.desk.fill(fill('t2', 0.1));
    desk.desk.adjust(adjusted(fill('t2', 0.1), null));
    // ExecType, OrdStatus, LeavesQty, CumQty, AvgPx
    expect(desk.reports(150, 39, 151, 14, 6)).toEqual([
      'F 1 0.2 0.1 10',
      'H 0 0.2 0 0',
      'F 1 0.1 0.1 10',
      '4 4 0 0.1 10',
      'H 4 0 0 0',
    ]);
  });

  it('says of a filled order all of which was taken back that nothing of it is left', () => {
    const desk = new Desk();
    desk.desk.track(ORDER, NEW);
    desk.desk.fill(fill('t1', 0.3));
    desk.desk.adjust(adjusted(fill('t1', 0.3), null));
    expect(desk.reports(150, 39, 151, 14)).toEqual(['F 2 0 0.3', 'H 4 0 0']);
    expect(desk.desk.open).toEqual([]);
  });

  it('reads orders that an earlier release has stored', () => {
    const desk = new Desk();
    const tracked = desk.desk.track(ORDER, NEW);
    const { stopPrice: _, expiresAt, postOnly, maxFloor, awaitsTrigger, takenBack, ...before } = tracked;
    desk.store.putState('order:o1', before);
    desk.restart();
    const added = { stopPrice: null, expiresAt, postOnly, maxFloor, awaitsTrigger, takenBack };
    expect(desk.desk.find('o1')).toEqual({ ...before, ...added });
  });
});
