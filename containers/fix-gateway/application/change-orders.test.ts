import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Field, FixMessage } from '../codec/fix-message.ts';
import { SessionFile } from '../store/session-file.ts';
import type { Outgoing } from './application.ts';
import { amendOrder, cancelOrder } from './change-orders.ts';
import type { DeskContext } from './desk-context.ts';
import type { Exchange } from './exchange.ts';
import { massCancel } from './mass-cancel.ts';
import { OrderDesk } from './order-desk.ts';
import { OrderNames } from './order-names.ts';
import { reportStatus } from './report-status.ts';
import { NOTHING_EXECUTED, type TrackedOrder } from './tracked-order.ts';
import type { WireOrder } from './wire.ts';

const ORDER: WireOrder = {
  order_id: 'o1',
  client_order_id: 'c1',
  symbol: 'ACME-USD',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  price: 10,
  stop_price: null,
  size: 5,
  filled_size: 0,
  remaining_size: 5,
  average_price: null,
  status: 'open',
  reason: null,
  expires_at: null,
  updated_at: 1,
};

/** A session that has placed one order as c1, before an exchange that does what it is asked for and keeps the calls. */
function session(order = ORDER) {
  const calls: string[] = [];
  const sent: Outgoing[] = [];
  const exchange: Exchange = {
    async call(method, path, _caller, body) {
      calls.push(`${method} ${path}`);
      const change = { ...order, ...(body as object | undefined), order_ids: [], pending_order_ids: [] };
      const size = change.size ?? order.size;
      return { type: 'ok', body: { ...change, size, remaining_size: size }, next: null };
    },
    feedUrl: new URL('ws://localhost'),
    isHealthy: async () => true,
    close: async () => undefined,
  };
  const store = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-change-')), 'session.jsonl'), 0);
  const port = { store, send: (outgoing: Outgoing) => void sent.push(outgoing), answer: () => undefined };
  const desk = new OrderDesk(port, new OrderNames(store));
  desk.track(order, { clOrdId: 'c1', executed: NOTHING_EXECUTED });
  const context: DeskContext = {
    desk,
    exchange,
    caller: {},
    find: async () => null,
    findById: async () => null,
    refresh: async () => true,
    reconcile: () => undefined,
  };
  return { context, calls, sent };
}

const NAMES: readonly Field[] = [
  [41, 'c1'],
  [11, 'c2'],
  [55, 'ACME-USD'],
  [54, '1'],
];

/** A request with these fields in place of, or beside, those that name the order rightly. */
function request(type: string, ...fields: Field[]): FixMessage {
  const given = new Set(fields.map(([tag]) => tag));
  const names = NAMES.filter(([tag]) => !given.has(tag));
  return { fields: [[8, 'FIX.4.4'], [9, '0'], [35, type], ...names, ...fields], text: '' };
}

const said = (outgoing: Outgoing | undefined, ...tags: number[]) =>
  tags.map((tag) => outgoing?.body.find(([found]) => found === tag)?.[1] ?? '-');

describe.each([
  ['F', 'OrderCancelRequest', cancelOrder],
  ['G', 'OrderCancelReplaceRequest', amendOrder],
] as const)('%s, an %s', (type, _, change) => {
  const more: Field[] =
    type === 'F'
      ? []
      : [
          [38, '4'],
          [40, '2'],
          [44, '10'],
        ];

  it.each<[string, Field[], string]>([
    ['the other side', [[54, '2']], 'Side(54)=2 is not that of the order'],
    ['another symbol', [[55, 'COIN-USD']], 'Symbol(55)=COIN-USD is not that of the order'],
    ['another OrderID', [[37, 'o2']], 'OrderID(37)=o2 is not that of the order'],
    ['no ClOrdID of it', [[41, 'nobody']], 'unknown order'],
  ])('that names %s is refused as about an unknown order, and changes none', async (_what, fields, text) => {
    const { context, calls } = session();
    const [answer] = await change(context, request(type, ...more, ...fields));
    // CxlRejReason, OrderID, OrdStatus, CxlRejResponseTo
    expect(said(answer, 102, 37, 39, 434, 58)).toEqual(['1', 'NONE', '8', type === 'F' ? '1' : '2', text]);
    expect(calls).toEqual([]);
  });

  it('names the order by the last ClOrdID that a request about it was accepted under', async () => {
    const { context, calls } = session();
    await amendOrder(context, request('G', [38, '4'], [40, '2'], [44, '10']));
    const stale = await change(context, request(type, ...more, [11, 'c3']));
    expect(said(stale[0], 102, 58)).toEqual([
      '1',
      'OrigClOrdID(41)=c1 is not the last ClOrdID of the order, which is c2',
    ]);
    const last = await change(context, request(type, ...more, [41, 'c2'], [11, 'c4']));
    expect(last[0]?.type).not.toBe('9');
    expect(calls).toHaveLength(2);
  });

  it('under a ClOrdID that was used before, or with a field that is not offered, is refused with the order as it is', async () => {
    const { context, calls } = session();
    expect(said((await change(context, request(type, ...more, [11, 'c1'])))[0], 102, 37, 39)).toEqual(['6', 'o1', '0']);
    const unknown = await change(context, request(type, ...more, [586, '20261120-12:00:00']));
    expect(said(unknown[0], 102, 37, 39, 58)).toEqual([
      '99',
      'o1',
      '0',
      'OrigOrdModTime(586)=20261120-12:00:00 is not offered',
    ]);
    expect(calls).toEqual([]);
  });

  it.each(['x'.repeat(65), 'with space', '..', 'é'])(
    'under a ClOrdID that no order may have is refused: %s',
    async (id) => {
      const { context, calls } = session();
      const [answer] = await change(context, request(type, ...more, [11, id]));
      expect([answer?.type, ...said(answer, 102, 37)]).toEqual(['9', '99', 'o1']);
      expect(said(answer, 58)[0]).toContain('ClOrdID must be 1 to 64 visible ASCII');
      expect([calls, context.desk.findByClOrdId(id)]).toEqual([[], null]);
    },
  );
});

describe('an OrderCancelReplaceRequest', () => {
  it.each<[string, Field, string]>([
    ['OrdType', [40, '1'], 'OrdType(40)=1'],
    ['TimeInForce', [59, '3'], 'TimeInForce(59)=3'],
    ['ExecInst', [18, '6'], 'ExecInst(18)=6'],
    ['StopPx', [99, '9'], 'StopPx(99)=9'],
    ['MaxFloor', [111, '1'], 'MaxFloor(111)=1'],
    ['ExpireTime', [126, '20261201-00:00:00'], 'ExpireTime(126)=20261201-00:00:00'],
  ])('that states another %s is refused: it cannot be changed', async (_, field, text) => {
    const { context, calls } = session();
    const [answer] = await amendOrder(
      context,
      request('G', [38, '4'], ...(field[0] === 40 ? [] : [[40, '2'] as const]), field),
    );
    expect(said(answer, 102, 39, 58)).toEqual(['99', '0', `${text} is not that of the order, and cannot be changed`]);
    expect(calls).toEqual([]);
  });

  it('may state another trigger of a stop that awaits it, and of no other', async () => {
    const stop = { ...ORDER, type: 'stop_loss', price: null, stop_price: 12, status: 'pending_trigger' } as const;
    const { context } = session(stop);
    const asked = request('G', [38, '5'], [40, '3'], [99, '13']);
    expect(said((await amendOrder(context, asked))[0], 150, 40, 99, 38)).toEqual(['5', '3', '13', '5']);
    expect(context.desk.find('o1')?.stopPrice).toBe(13);
    const order = context.desk.find('o1');
    if (order !== null) context.desk.trigger(order);
    const late = request('G', [41, 'c2'], [11, 'c3'], [38, '5'], [40, '3'], [99, '14']);
    expect(said((await amendOrder(context, late))[0], 102, 58)).toEqual([
      '99',
      'StopPx(99)=14 is not that of the order, and cannot be changed',
    ]);
  });

  it.each([
    ['change_under_way', '3'],
    ['end_under_way', '3'],
    ['final', '0'],
  ])('is refused while it cannot be carried out: %s', async (reason, cxlRejReason) => {
    const { context } = session();
    const refused = { type: 'refused', status: 400, code: 'ORDER_NOT_MODIFIABLE', remaining: 1 } as const;
    const call = async () => ({ ...refused, message: 'not now', details: { reason } });
    const asked = request('G', [38, '4'], [40, '2'], [44, '10']);
    const [answer] = await amendOrder({ ...context, exchange: { ...context.exchange, call } }, asked);
    expect(said(answer, 102, 58)).toEqual([cxlRejReason, 'ORDER_NOT_MODIFIABLE: not now']);
  });

  it('may state again what stands', async () => {
    const { context } = session();
    const [answer] = await amendOrder(context, request('G', [38, '4'], [40, '2'], [44, '10'], [59, '1'], [15, 'USD']));
    expect(said(answer, 150, 38, 11, 41)).toEqual(['5', '4', 'c2', 'c1']);
  });
});

describe('a request about an order that its session was told wrong of', () => {
  const told = (context: DeskContext, wrong: Partial<TrackedOrder>) =>
    context.desk.take({ ...(context.desk.find('o1') as TrackedOrder), ...wrong });

  it('X-01: is carried out where the exchange has the order open, and answered', async () => {
    const { context, sent } = session();
    told(context, { ended: true, filled: 5 });
    expect(await cancelOrder(context, request('F'))).toEqual([]);
    // ExecType, OrdStatus, ClOrdID, OrigClOrdID, LeavesQty
    expect(sent.map((report) => said(report, 150, 39, 11, 41, 151))).toEqual([['4', '4', 'c2', 'c1', '0']]);
    told(context, { ended: true, ending: null, filled: 0, clOrdId: 'c2' });
    const [replaced] = await amendOrder(context, request('G', [41, 'c2'], [11, 'c3'], [38, '7'], [40, '2']));
    expect(said(replaced, 150, 39, 38, 151)).toEqual(['5', '0', '7', '7']);
    expect(context.desk.open).toHaveLength(1);
  });

  it('X-01: is answered by the refusal of the exchange where that has ended the order', async () => {
    const { context } = session();
    const refused = { type: 'refused', status: 400, code: 'ORDER_NOT_CANCELLABLE', remaining: 1 } as const;
    const call = async () => ({ ...refused, message: 'the order is final', details: {} });
    const [answer] = await cancelOrder({ ...context, exchange: { ...context.exchange, call } }, request('F'));
    expect([answer?.type, ...said(answer, 102)]).toEqual(['9', '0']);
  });

  it('X-01: is answered with the order as the exchange has it: a status', async () => {
    const { context } = session();
    const { fields, text } = request('H', [11, 'c1']);
    const asked = { fields: fields.filter(([tag]) => tag !== 41), text };
    const refresh = async () => {
      context.desk.update({ ...ORDER, size: 9, filled_size: 0, remaining_size: 9, price: 8, updated_at: 2 });
      return true;
    };
    const [answer] = await reportStatus({ ...context, refresh }, asked);
    expect(said(answer, 150, 38, 44, 151)).toEqual(['I', '9', '8', '9']);
  });
});

describe.each([
  ['F', cancelOrder],
  ['G', amendOrder],
  ['H', reportStatus],
] as const)('%s about an order that the session does not know', (type, act) => {
  const about = (): FixMessage => {
    const { fields, text } = request(
      type,
      [41, 'of-rest'],
      [11, type === 'H' ? 'of-rest' : 'c2'],
      [40, '2'],
      [38, '5'],
    );
    const isOfStatus = ([tag]: Field) => type !== 'H' || ![41, 40, 38].includes(tag);
    return { fields: fields.filter(isOfStatus), text };
  };

  it.each([['RATE_LIMIT_EXCEEDED: too many requests: ask again in 12 s'], ['the exchange is out of reach: ask again']])(
    'is not answered as about an unknown one where it cannot be looked for: %s',
    async (unanswered) => {
      const { context, calls } = session();
      const [answer] = await act({ ...context, find: async () => ({ unanswered }) }, about());
      // BusinessRejectReason, RefMsgType, BusinessRejectRefID
      expect([answer?.type, ...said(answer, 380, 372, 379, 58)]).toEqual([
        'j',
        '4',
        type,
        type === 'H' ? 'of-rest' : 'c2',
        unanswered,
      ]);
      expect(calls).toEqual([]);
    },
  );
});

it('A status of an order that cannot be read says that it is the last one told', async () => {
  const { context } = session();
  const { fields, text } = request('H', [11, 'c1']);
  const asked = { fields: fields.filter(([tag]) => tag !== 41), text };
  const [answer] = await reportStatus({ ...context, refresh: async () => false }, asked);
  expect(said(answer, 150, 39, 58)).toEqual(['I', '0', 'as it was last told: the exchange could not be asked']);
  expect(said((await reportStatus(context, asked))[0], 150, 58)).toEqual(['I', '-']);
});

describe('a request whose first answer was lost', () => {
  const refused = (code: string) =>
    ({ type: 'refused', status: 400, code, message: 'the order is final', details: {}, remaining: 1 }) as const;

  const losing = (code: string, found: object) => {
    const { context, sent } = session();
    let asked = 0;
    const call = async (method: string) => {
      if (method === 'GET') return { type: 'ok', body: { ...ORDER, updated_at: 2, ...found }, next: null } as const;
      asked += 1;
      return asked === 1 ? ({ type: 'unknown' } as const) : refused(code);
    };
    return { context: { ...context, exchange: { ...context.exchange, call } }, sent };
  };

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['setTimeout'] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const settled = async <T>(asked: Promise<T>) => {
    await vi.runAllTimersAsync();
    return asked;
  };

  it('has cancelled the order: it is reported as cancelled', async () => {
    const ended = { status: 'cancelled', reason: 'user', remaining_size: 0 };
    const { context, sent } = losing('ORDER_NOT_CANCELLABLE', ended);
    expect(await settled(cancelOrder(context, request('F')))).toEqual([]);
    expect(sent.map((report) => said(report, 150, 39, 11, 41, 151))).toEqual([['4', '4', 'c2', 'c1', '0']]);
  });

  it.each([
    ['that filled', { status: 'filled', filled_size: 5, remaining_size: 0 }],
    ['that something else has ended', { status: 'cancelled', reason: 'halt', remaining_size: 0 }],
  ])('has cancelled nothing of an order %s: it is refused', async (_, found) => {
    const { context } = losing('ORDER_NOT_CANCELLABLE', found);
    const [answer] = await settled(cancelOrder(context, request('F')));
    expect([answer?.type, ...said(answer, 102)]).toEqual(['9', '0']);
  });

  it('has amended the order, which has filled since: it is reported as replaced', async () => {
    const found = { size: 4, price: 10, status: 'filled', filled_size: 4, remaining_size: 0 };
    const { context } = losing('ORDER_NOT_MODIFIABLE', found);
    const [answer] = await settled(amendOrder(context, request('G', [38, '4'], [40, '2'], [44, '10'])));
    expect(said(answer, 150, 38, 11, 41)).toEqual(['5', '4', 'c2', 'c1']);
  });

  it('has amended nothing: it is refused', async () => {
    const { context } = losing('ORDER_NOT_MODIFIABLE', { status: 'filled', filled_size: 5, remaining_size: 0 });
    const [answer] = await settled(amendOrder(context, request('G', [38, '4'], [40, '2'], [44, '10'])));
    expect([answer?.type, ...said(answer, 102)]).toEqual(['9', '0']);
  });
});

describe('an order from which the exchange has taken', () => {
  it('X-02: is replaced by a total of what its peer knows, and LeavesQty is what the book has', async () => {
    const { context } = session({ ...ORDER, size: 8, remaining_size: 5 });
    const bodies: unknown[] = [];
    const call = async (_method: string, _path: string, _caller: unknown, body?: unknown) => {
      bodies.push(body);
      const { size } = body as { size: number };
      return { type: 'ok', body: { ...ORDER, size, remaining_size: size - 3, updated_at: 2 }, next: null } as const;
    };
    const asked = request('G', [38, '6'], [40, '2'], [44, '10']);
    const [answer] = await amendOrder({ ...context, exchange: { ...context.exchange, call } }, asked);
    expect(bodies).toEqual([{ size: 9, price: null }]);
    expect(said(answer, 150, 38, 151, 14)).toEqual(['5', '6', '6', '0']);
  });
});

describe('an OrderMassCancelRequest', () => {
  it('names the orders whose end the broker was asked for last, and says how many they are', async () => {
    const { context } = session();
    const answered = { order_ids: ['a'], pending_order_ids: [ORDER.order_id, 'b'] };
    const exchange = { ...context.exchange, call: async () => ({ type: 'ok', body: answered, next: null }) as const };
    const fields: Field[] = [
      [8, 'FIX.4.4'],
      [9, '0'],
      [35, 'q'],
      [11, 'm'],
      [530, '7'],
    ];
    const [answer] = await massCancel({ ...context, exchange }, { fields, text: '' });
    expect(answer?.body.filter(([tag]) => tag === 41 || tag === 535).map(([, value]) => value)).toEqual([
      'a',
      'a',
      'c1',
      ORDER.order_id,
      'b',
      'b',
    ]);
    expect(said(answer, 531, 533, 58)).toEqual(['7', '3', 'the last 2 end once their broker has confirmed it']);
  });

  const ask = async (...fields: Field[]) => {
    const { context, calls } = session();
    const [answer] = await massCancel(context, {
      fields: [[8, 'FIX.4.4'], [9, '0'], [35, 'q'], [11, 'm'], ...fields],
      text: '',
    });
    // MassCancelResponse, MassCancelRejectReason
    return { calls, answer: said(answer, 531, 532, 58) };
  };

  it.each<[string, Field[], string]>([
    ['everything', [[530, '7']], 'DELETE /v1/orders?'],
    [
      'one side',
      [
        [530, '7'],
        [54, '2'],
      ],
      'DELETE /v1/orders?side=sell',
    ],
    [
      'one side of a symbol',
      [
        [530, '1'],
        [55, 'ACME-USD'],
        [54, '1'],
      ],
      'DELETE /v1/orders?symbol=ACME-USD&side=buy',
    ],
  ])('cancels %s', async (_, fields, call) => {
    expect(await ask(...fields)).toMatchObject({ calls: [call], answer: [fields[0]?.[1], '-', '-'] });
  });

  it.each<[string, Field[], string, string]>([
    [
      'a side that is none of both',
      [
        [530, '7'],
        [54, '5'],
      ],
      '99',
      'Side(54)=5 is not offered',
    ],
    [
      'a trading session',
      [
        [530, '7'],
        [336, 'DAY'],
      ],
      '99',
      'TradingSessionID(336)=DAY is not offered',
    ],
    [
      'everything, and a symbol',
      [
        [530, '7'],
        [55, 'ACME-USD'],
      ],
      '0',
      expect.stringContaining('7 without'),
    ],
    ['a symbol that it does not name', [[530, '1']], '0', expect.stringContaining('1 with a Symbol')],
    ['another kind of instruments', [[530, '4']], '0', expect.any(String)],
  ])('of %s is refused, and cancels nothing', async (_, fields, reason, text) => {
    expect(await ask(...fields)).toEqual({ calls: [], answer: ['0', reason, text] });
  });
});

describe('an OrderStatusRequest', () => {
  const ask = async (...fields: Field[]) => {
    const { fields: all, text } = request('H', [11, 'c1'], ...fields);
    return (await reportStatus(session().context, { fields: all.filter(([tag]) => tag !== 41), text }))[0];
  };

  it('is answered with its OrdStatusReqID', async () => {
    expect(said(await ask([790, 'r1']), 150, 39, 37, 790)).toEqual(['I', '0', 'o1', 'r1']);
  });

  it('that names another side or symbol is about an unknown order', async () => {
    for (const field of [
      [54, '2'],
      [55, 'COIN-USD'],
    ] as const)
      expect(said(await ask(field), 39, 103, 37)).toEqual(['8', '5', 'NONE']);
  });

  it('that names one order by ClOrdID and another by OrderID is about an unknown order', async () => {
    const { context } = session();
    context.desk.track({ ...ORDER, order_id: 'o2' }, { clOrdId: 'c9', executed: NOTHING_EXECUTED });
    const ask = async (orderId: string) => {
      const fields: Field[] = [
        [8, 'FIX.4.4'],
        [9, '0'],
        [35, 'H'],
        [11, 'c1'],
        [37, orderId],
        [55, 'ACME-USD'],
        [54, '1'],
      ];
      return said((await reportStatus(context, { fields, text: '' }))[0], 39, 37);
    };
    expect([await ask('o1'), await ask('o2')]).toEqual([
      ['0', 'o1'],
      ['8', 'NONE'],
    ]);
  });

  const PLACED_BY_REST = { ...ORDER, order_id: '01a224cf-8986-7559-8032-78d047c908d8', client_order_id: null };
  const inUpperCase: Field = [37, PLACED_BY_REST.order_id.toUpperCase()];

  const statusOf = (orderId: Field): FixMessage => {
    const { fields, text } = request('H', [11, 'other'], orderId);
    return { fields: fields.filter(([tag]) => tag !== 41), text };
  };

  it('finds an order by its OrderID in any case', async () => {
    const { context } = session(PLACED_BY_REST);
    const [answer] = await reportStatus(context, statusOf(inUpperCase));
    expect(said(answer, 39, 37, 11)).toEqual(['0', PLACED_BY_REST.order_id, 'c1']);
    expect((await cancelOrder(context, request('F', inUpperCase)))[0]).toBeUndefined();
  });

  it('by OrderID finds an order that another door has placed', async () => {
    const { context } = session();
    const findById = async (orderId: string) =>
      orderId === inUpperCase[1]
        ? context.desk.track(PLACED_BY_REST, { clOrdId: PLACED_BY_REST.order_id, executed: NOTHING_EXECUTED })
        : null;
    const asked = statusOf(inUpperCase);
    const [answer] = await reportStatus({ ...context, findById }, asked);
    expect(said(answer, 39, 37, 11)).toEqual(['0', PLACED_BY_REST.order_id, PLACED_BY_REST.order_id]);
    const [unanswered] = await reportStatus(
      { ...context, findById: async () => ({ unanswered: 'away' }) },
      statusOf([37, 'x']),
    );
    expect([unanswered?.type, ...said(unanswered, 380, 58)]).toEqual(['j', '4', 'away']);
  });

  it('with a field that is not offered is rejected by its name', async () => {
    const answer = await ask([711, '1']);
    expect([answer?.type, ...said(answer, 380, 58)]).toEqual(['j', '0', 'NoUnderlyings(711)=1 is not offered']);
  });
});
