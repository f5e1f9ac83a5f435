import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { WebSocket } from 'ws';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import {
  type Field,
  FixClient,
  type FixClientOptions,
  type Received,
  type Sequences,
  timestamp,
} from '../../clients/fix/fix-client.ts';
import { freePort } from '../../scripts/local/port.ts';
import { signIn } from '../../scripts/local/session.ts';
import { localSystem } from './local-system.ts';
import { until } from './until.ts';

const SYMBOL = 'ACME-USD';
const system = await localSystem({ SERVICES: 'fix' });
const gateway = { port: await freePort(), healthPort: await freePort(), folder: mkdtempSync(join(tmpdir(), 'fix-')) };
let running: ChildProcess;
let ids = 0;
const clients: FixClient[] = [];

async function startGateway(): Promise<void> {
  running = spawn(process.execPath, ['containers/fix-gateway/main.ts'], {
    env: {
      ...process.env,
      EXCHANGE_URL: `${system.origin}/book`,
      FIX_HOST: '127.0.0.1',
      FIX_PORT: String(gateway.port),
      FIX_HEALTH_PORT: String(gateway.healthPort),
      FIX_STORE: gateway.folder,
      GATEWAY_SECRET: 'local-only-gateway-secret-0123456789',
    },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  await until(
    'the gateway is healthy',
    async () => {
      const response = await fetch(`http://127.0.0.1:${gateway.healthPort}/healthz`);
      return { status: response.status, body: await response.text() };
    },
    ({ status }) => status === 200,
    { every_ms: 100 },
  );
}

async function killGateway(): Promise<void> {
  running.kill('SIGKILL');
  await once(running, 'exit');
}

beforeAll(async () => {
  await system.start();
  await startGateway();
});

afterEach(() => {
  for (const client of clients.splice(0)) client.drop();
});

afterAll(async () => {
  running.kill('SIGTERM');
  await once(running, 'exit');
  await system.stop('SIGTERM');
});

function optionsOf(person: string): FixClientOptions {
  const { id, secret } = demoKeyOf(person);
  return {
    host: '127.0.0.1',
    port: gateway.port,
    senderCompId: person.toUpperCase(),
    targetCompId: 'EXCHANGE',
    username: id,
    password: secret,
    logon: [[141, 'Y']],
  };
}

/** Logs on with sequence numbers beginning at 1, or going on where `sequences` says. */
async function logOn(person: string, options: Partial<FixClientOptions> = {}): Promise<FixClient> {
  const reset: Field[] = options.sequences === undefined || options.sequences.nextSender === 1 ? [[141, 'Y']] : [];
  const logon = [...reset, ...(options.logon ?? [])];
  const client = new FixClient({ ...optionsOf(person), ...options, logon });
  clients.push(client);
  await client.next(({ type }) => type === 'A');
  return client;
}

function order(
  side: 'buy' | 'sell',
  size: number,
  price: number,
  more: readonly Field[] = [],
): { id: string; body: Field[] } {
  ids += 1;
  const id = `t-${process.pid}-${ids}`;
  return {
    id,
    body: [
      [11, id],
      [55, SYMBOL],
      [54, side === 'buy' ? 1 : 2],
      [60, timestamp(Date.now())],
      [38, size],
      [40, 2],
      [44, price],
      ...more,
    ],
  };
}

const report = (id: string, execType: string) => (message: Received) =>
  message.type === '8' && message.get(11) === id && message.get(150) === execType;

describe('a FIX session', () => {
  it('places, amends, asks for and cancels an order', async () => {
    const client = await logOn('bob');
    const { id, body } = order('buy', 10, 20);
    client.send('D', body);
    const placed = await client.next(report(id, '0'));
    expect([placed.get(39), placed.get(151), placed.get(14)]).toEqual(['0', '10', '0']);
    client.send('G', [[41, id], [11, `${id}-r`], ...terms(), [38, 6], [40, 2], [44, 20]]);
    const replaced = await client.next(report(`${id}-r`, '5'));
    expect([replaced.get(41), replaced.get(38), replaced.get(151)]).toEqual([id, '6', '6']);
    client.send('H', [
      [11, `${id}-r`],
      [55, SYMBOL],
      [54, 1],
    ]);
    expect((await client.next(report(`${id}-r`, 'I'))).get(39)).toBe('0');
    client.send('F', [[41, `${id}-r`], [11, `${id}-c`], ...terms()]);
    const cancelled = await client.next(report(`${id}-c`, '4'));
    expect([cancelled.get(41), cancelled.get(39), cancelled.get(151)]).toEqual([`${id}-r`, '4', '0']);
    client.send('F', [[41, 'nobody'], [11, `${id}-d`], ...terms()]);
    const refused = await client.next(({ type }) => type === '9');
    expect([refused.get(11), refused.get(434), refused.get(102)]).toEqual([`${id}-d`, '1', '1']);
    await client.logout();
  });

  it('refuses a second order with a ClOrdID, and an order that the exchange refuses, with the reason', async () => {
    const client = await logOn('bob');
    const first = order('buy', 1, 20);
    client.send('D', first.body);
    await client.next(report(first.id, '0'));
    client.send('D', first.body);
    expect((await client.next(report(first.id, '8'))).get(103)).toBe('6');
    const dear = order('buy', 1_000_000_000, 24);
    client.send('D', dear.body);
    const refused = await client.next(report(dear.id, '8'));
    expect([refused.get(39), refused.get(58)]).toEqual(['8', expect.stringMatching(/^[A-Z_]+: /)]);
    client.send('q', [
      [11, `${first.id}-m`],
      [530, 7],
      [60, timestamp(Date.now())],
    ]);
    const mass = await client.next(({ type }) => type === 'r');
    expect([mass.get(531), Number(mass.get(533))]).toEqual(['7', expect.any(Number)]);
    await client.next(report(first.id, '4'));
    await client.logout();
  });

  it('rejects what an order says and the exchange does not do, and places nothing of it', async () => {
    const client = await logOn('bob');
    const asked: [Field, string][] = [
      [[110, 5], 'MinQty(110)=5 is not offered'],
      [[18, 'G'], 'ExecInst(18)=G is not offered'],
      [[386, 1], 'NoTradingSessions(386)=1 is not offered'],
    ];
    for (const [field, text] of asked) {
      const { id, body } = order('buy', 10, 20, field[0] === 386 ? [field, [336, 'DAY']] : [field]);
      client.send('D', body);
      const refused = await client.next(report(id, '8'));
      expect([refused.get(39), refused.get(103), refused.get(58)]).toEqual(['8', '11', text]);
      expect((await get('bob', `/v1/orders?client_order_id=${id}`)).orders).toEqual([]);
    }
    await client.logout();
  });

  it('reports stops with StopPx, and when they trigger, before their fills', async () => {
    const client = await logOn('bob');
    const seller = await logOn('alice');
    const stop = (clOrdId: string, ...more: Field[]): Field[] => [
      [11, clOrdId],
      [55, SYMBOL],
      [54, 1],
      [60, timestamp(Date.now())],
      [38, 1],
      [40, 3],
      ...more,
    ];
    const id = `stop-${process.pid}`;
    client.send('D', stop(`${id}-day`, [99, 25.2], [59, 0]));
    const day = await client.next(report(`${id}-day`, '8'));
    expect([day.get(103), day.get(58)]).toEqual(['11', expect.stringContaining('TimeInForce(59)=0')]);
    client.send('D', stop(`${id}-far`, [99, 25.5], [59, 1]));
    const placed = await client.next(report(`${id}-far`, '0'));
    expect([placed.get(40), placed.get(99), placed.get(44), placed.get(59)]).toEqual(['3', '25.5', undefined, '1']);
    client.send('G', stop(id, [41, `${id}-far`], [99, 25.2]));
    const moved = await client.next(({ type, get: field }) => (type === '8' || type === '9') && field(11) === id);
    expect([moved.get(150), moved.get(99), moved.get(58)]).toEqual(['5', '25.2', undefined]);
    // A trade at the stop price, and an offer that the stop then takes.
    const [first, second] = [order('sell', 1, 25.2), order('sell', 1, 25.25)];
    seller.sendAll([
      ['D', first.body],
      ['D', second.body],
    ]);
    await seller.next(report(second.id, '0'));
    const taker = order('buy', 1, 25.2);
    client.send('D', taker.body);
    await client.next(report(taker.id, 'F'));
    const after = await client.next(({ type, get: field }) => type === '8' && field(11) === id);
    expect([after.get(150), after.get(39), after.get(99)]).toEqual(['L', '0', '25.2']);
    const filled = await client.next(report(id, 'F'));
    expect([filled.get(39), filled.get(31)]).toEqual(['2', '25.25']);
    await Promise.all([client.logout(), seller.logout()]);
  });

  it('cancels what Side, Symbol and the last ClOrdID name, and nothing else', async () => {
    const client = await logOn('bob');
    const { id, body } = order('buy', 10, 20);
    client.send('D', body);
    await client.next(report(id, '0'));
    client.send('G', [[41, id], [11, `${id}-r`], ...terms(), [38, 6], [40, 2], [44, 20]]);
    await client.next(report(`${id}-r`, '5'));
    const wrong: [string, Field[]][] = [
      [`${id}-1`, [[41, id], ...terms()]],
      [`${id}-2`, [[41, `${id}-r`], ...terms().filter(([tag]) => tag !== 54), [54, 2]]],
      [`${id}-3`, [[41, `${id}-r`], ...terms().filter(([tag]) => tag !== 55), [55, 'COIN-USD']]],
    ];
    for (const [clOrdId, fields] of wrong) {
      client.send('F', [[11, clOrdId], ...fields]);
      const refused = await client.next(({ type, get: field }) => type === '9' && field(11) === clOrdId);
      expect([refused.get(102), refused.get(434)]).toEqual(['1', '1']);
    }
    client.send('q', [
      [11, `${id}-m`],
      [530, 7],
      [54, 5],
      [60, timestamp(Date.now())],
    ]);
    const mass = await client.next(({ type }) => type === 'r');
    expect([mass.get(531), mass.get(58)]).toEqual(['0', 'Side(54)=5 is not offered']);
    client.send('F', [[41, `${id}-r`], [11, `${id}-c`], ...terms()]);
    await client.next(report(`${id}-c`, '4'));
    await client.logout();
  });

  it('reports each fill to both sides, and a copy to a drop copy session', async () => {
    const [buyer, seller] = await Promise.all([logOn('bob'), logOn('alice')]);
    const copy = await logOn('bob', { senderCompId: 'BOB-COPY', logon: [[9406, 'Y']] });
    const [ask, bid] = [order('sell', 2, 24.75), order('buy', 2, 24.75)];
    seller.send('D', ask.body);
    await seller.next(report(ask.id, '0'));
    buyer.send('D', bid.body);
    const filled = await buyer.next(report(bid.id, 'F'));
    expect([filled.get(39), filled.get(31), filled.get(32), filled.get(14), filled.get(6)]).toEqual([
      '2',
      '24.75',
      '2',
      '2',
      '24.75',
    ]);
    expect((await seller.next(report(ask.id, 'F'))).get(39)).toBe('2');
    expect((await copy.next(report(bid.id, 'F'))).get(17)).toBe(filled.get(17));
    copy.send('D', order('buy', 1, 1).body);
    expect((await copy.next(({ type }) => type === 'j')).get(380)).toBe('6');
    await Promise.all([buyer.logout(), seller.logout(), copy.logout()]);
  });

  it('tells both sides and a drop copy of trades that were taken back or corrected, once each, also who was away', async () => {
    const operator = await signIn(system.origin, '+15550100001', 'demo-app');
    const away = { senderCompId: 'ALICE-AWAY' };
    const copies = { senderCompId: 'BOB-COPY-2', logon: [[9406, 'Y'] as const] };
    const [buyer, seller, copy] = await Promise.all([logOn('bob'), logOn('alice', away), logOn('bob', copies)]);
    const trade = async (size: number) => {
      const [ask, bid] = [order('sell', size, 24.7), order('buy', size, 24.7)];
      seller.send('D', ask.body);
      await seller.next(report(ask.id, '0'));
      buyer.send('D', bid.body);
      const fill = (await buyer.next(report(bid.id, 'F'))).get(17) ?? '';
      expect((await seller.next(report(ask.id, 'F'))).get(14)).toBe(String(size));
      await copy.next(report(bid.id, 'F'));
      return { ask: ask.id, bid: bid.id, fill, id: fill.slice(0, -2) };
    };
    const [first, second] = [await trade(2), await trade(3)];
    await copy.logout();
    await operator.call(`POST /v1/operator/trades/${first.id}/bust`, { reason: 'a comma' });
    // ExecRefID, ExecID, OrdStatus, LastQty, LastPx, CumQty, LeavesQty, AvgPx
    const said = (of: Received) => [19, 17, 39, 32, 31, 14, 151, 6].map((tag) => of.get(tag));
    const busted = [first.fill, `${first.fill}-H`, '4', '0', '0', '0', '0', '0'];
    expect(said(await buyer.next(report(first.bid, 'H')))).toEqual(busted);
    const soldAs = `${first.id}-S`;
    expect(said(await seller.next(report(first.ask, 'H'))).slice(0, 3)).toEqual([soldAs, `${soldAs}-H`, '4']);
    await seller.logout();
    await operator.call(`POST /v1/operator/trades/${second.id}/correction`, { reason: 'a comma', price: 24.5 });
    const corrected = [second.fill, `${second.fill}-G`, '2', '3', '24.5', '3', '0', '24.5'];
    expect(said(await buyer.next(report(second.bid, 'G')))).toEqual(corrected);
    await killGateway();
    await startGateway();
    const [sellerBack, copyBack] = await Promise.all([
      logOn('alice', { ...away, sequences: seller.sequences }),
      logOn('bob', { ...copies, sequences: copy.sequences }),
    ]);
    const adjustments: (string | undefined)[] = [];
    copyBack.listen((message) => {
      if (['G', 'H'].includes(message.get(150) ?? '')) adjustments.push(message.get(17));
    });
    expect((await sellerBack.next(report(second.ask, 'G'))).get(6)).toBe('24.5');
    await until(
      'two adjustments',
      () => adjustments,
      ({ length }) => length >= 2,
    );
    expect(adjustments).toEqual([`${first.fill}-H`, `${second.fill}-G`]);
    await Promise.all([sellerBack.logout(), copyBack.logout()]);
    expect((await system.run('audit')).code).toBe(0);
  });

  it('lists securities, and streams the book as a snapshot and incremental refreshes', async () => {
    const client = await logOn('bob');
    client.send('x', [
      [320, 'list'],
      [559, 4],
    ]);
    const list = await client.next(({ type }) => type === 'y');
    expect(list.fields).toContainEqual([55, SYMBOL]);
    const request: Field[] = [
      [264, 5],
      [265, 1],
      [267, 2],
      [269, 0],
      [269, 1],
      [146, 1],
    ];
    client.send('V', [[262, 'md'], [263, 1], ...request, [55, SYMBOL]]);
    await client.next(({ type, get }) => type === 'W' && get(262) === 'md');
    const { id, body } = order('buy', 3, 24.01);
    client.send('D', body);
    const change = await client.next(({ type, get }) => type === 'X' && get(270) === '24.01');
    expect([change.get(279), change.get(269), change.get(271)]).toEqual(['0', '0', '3']);
    client.send('F', [[41, id], [11, `${id}-c`], ...terms()]);
    const gone = await client.next(({ type, get }) => type === 'X' && get(270) === '24.01');
    expect(gone.get(279)).toBe('2');
    client.send('V', [[262, 'none'], [263, 0], ...request, [55, 'NOPE-USD']]);
    expect((await client.next(({ type }) => type === 'Y')).get(281)).toBe('0');
    await client.logout();
  });

  it('places hidden and iceberg orders by MaxFloor, and answers a snapshot request with what is shown', async () => {
    const client = await logOn('bob');
    const [iceberg, hidden] = [order('buy', 9, 20.11, [[111, 2]]), order('buy', 9, 20.12, [[111, 0]])];
    client.sendAll([
      ['D', iceberg.body],
      ['D', hidden.body],
    ]);
    await client.next(report(iceberg.id, '0'));
    await client.next(report(hidden.id, '0'));
    client.send('V', [
      [262, 'once'],
      [263, 0],
      [264, 0],
      [267, 1],
      [269, 0],
      [146, 1],
      [55, SYMBOL],
    ]);
    const { fields } = await client.next(({ type, get }) => type === 'W' && get(262) === 'once');
    const prices = fields.flatMap(([tag, value]) => (tag === 270 ? value : []));
    const sizes = fields.flatMap(([tag, value]) => (tag === 271 ? value : []));
    expect(prices).not.toContain('20.12');
    expect(sizes[prices.indexOf('20.11')]).toBe('2');
    await client.logout();
  });

  it('places no more orders than the limit of its key allows, and says so of each other', async () => {
    const client = await logOn('carol');
    // On a busy machine orders may come so slowly that all fit: then more are sent.
    for (let limited = 0; limited === 0; ) {
      const begun = Date.now();
      const orders = Array.from({ length: 25 }, () => order('buy', 1, 20));
      client.sendAll(orders.map(({ body }) => ['D', body]));
      const answers = await Promise.all(
        orders.map(({ id }) => client.next(({ type, get }) => type === '8' && get(11) === id)),
      );
      const seconds = Math.ceil((Date.now() - begun) / 1_000);
      const placed = answers.filter((answer) => answer.get(150) === '0').length;
      expect(placed).toBeLessThanOrEqual(10 * (seconds + 1));
      const refused = answers.filter((answer) => answer.get(58)?.startsWith('RATE_LIMIT_EXCEEDED') === true);
      expect(refused.every((answer) => answer.get(39) === '8')).toBe(true);
      limited = refused.length;
      expect(placed + limited).toBe(25);
    }
    await client.logout();
  });

  it('cancels the orders of a session on disconnection when its logon asks for it', async () => {
    const client = await logOn('bob', { senderCompId: 'BOB-COD', logon: [[8013, 'Y']] });
    const { id, body } = order('buy', 4, 20.5);
    client.send('D', body);
    const { orderId } = await client.next(report(id, '0')).then((placed) => ({ orderId: placed.get(37) }));
    client.drop();
    const { sequences: again } = await until(
      'the order is cancelled',
      async () => ({ sequences: client.sequences, order: await get('bob', `/v1/orders/${orderId}`) }),
      (seen) => seen.order.status === 'cancelled',
    );
    const back = await logOn('bob', { senderCompId: 'BOB-COD', sequences: again });
    expect((await back.next(report(id, '4'))).get(39)).toBe('4');
    await back.logout();
  });

  it('cancels them at the next logon when the gateway was killed', async () => {
    const options = { senderCompId: 'BOB-COD-2', logon: [[8013, 'Y'] as const] };
    const client = await logOn('bob', options);
    const { id, body } = order('buy', 4, 20.6);
    client.send('D', body);
    const orderId = (await client.next(report(id, '0'))).get(37);
    await killGateway();
    await startGateway();
    expect((await get('bob', `/v1/orders/${orderId}`)).status).toBe('open');
    const back = await logOn('bob', { ...options, sequences: client.sequences });
    expect((await back.next(report(id, '4'))).get(151)).toBe('0');
    expect((await get('bob', `/v1/orders/${orderId}`)).status).toBe('cancelled');
    await back.logout();
  });

  it('gives the feed connections of its sessions back when they log out, whatever they leave open', async () => {
    for (let at = 0; at < 6; at++) {
      const client = await logOn('maker', { senderCompId: `MAKER-${at}`, logon: at === 5 ? [[9406, 'Y']] : [] });
      if (at < 5) {
        const { id, body } = order('buy', 1, 20);
        client.send('D', body);
        await client.next(report(id, '0'));
      }
      await client.logout();
    }
    // A user has five connections: all of them are free again.
    await until(
      'five feeds are open at once',
      async () => {
        const opened = await Promise.all(Array.from({ length: 5 }, () => openFeed('maker')));
        for (const socket of opened) socket?.terminate();
        return opened.filter((socket) => socket !== null).length;
      },
      (open) => open === 5,
    );
    const back = await logOn('maker', { senderCompId: 'MAKER-BACK' });
    back.send('q', [
      [11, `maker-${process.pid}`],
      [530, 7],
      [60, timestamp(Date.now())],
    ]);
    await back.next(({ type }) => type === 'r');
    await back.logout();
  });

  it('tells a session what became of its orders while it was logged out', async () => {
    const options = { senderCompId: 'BOB-AWAY' };
    const client = await logOn('bob', options);
    const [filled, cancelled, amended] = [order('buy', 1, 24.85), order('buy', 1, 20.1), order('buy', 5, 20.2)];
    client.send('D', filled.body);
    client.send('D', cancelled.body);
    client.send('D', amended.body);
    await client.next(report(filled.id, '0'));
    const orderId = (await client.next(report(cancelled.id, '0'))).get(37);
    const amendedId = (await client.next(report(amended.id, '0'))).get(37);
    await client.logout();
    await fetch(`${system.origin}/book/v1/orders/${amendedId}`, {
      method: 'PATCH',
      headers: { ...headersOf('bob'), 'content-type': 'application/json' },
      body: JSON.stringify({ size: 3 }),
    });
    await sell(1, 24.85);
    await fetch(`${system.origin}/book/v1/orders/${orderId}`, { method: 'DELETE', headers: headersOf('bob') });
    const back = await logOn('bob', { ...options, sequences: client.sequences });
    // Asked for before anything that depends on it is answered.
    back.send('H', [
      [11, filled.id],
      [55, SYMBOL],
      [54, 1],
    ]);
    expect((await back.next(report(filled.id, 'F'))).get(39)).toBe('2');
    expect((await back.next(report(filled.id, 'I'))).get(39)).toBe('2');
    expect((await back.next(report(cancelled.id, '4'))).get(39)).toBe('4');
    expect((await back.next(report(amended.id, 'D'))).get(38)).toBe('3');
    back.send('F', [[41, amended.id], [11, `${amended.id}-c`], ...terms()]);
    await back.next(report(`${amended.id}-c`, '4'));
    await back.logout();
  });

  it('refuses a logon with a wrong secret', async () => {
    const client = new FixClient({ ...optionsOf('bob'), password: 'x'.repeat(40) });
    const logout = await client.next(({ type }) => type === '5');
    expect(logout.get(58)).toContain('UNAUTHORIZED');
  });

  it('logs on by a signature in place of the secret, which is good for one logon', async () => {
    const signedPath = '/book/v1/key-sessions';
    const client = await logOn('bob', { signedPath });
    const { id, body } = order('buy', 10, 20);
    client.send('D', body);
    expect((await client.next(report(id, '0'))).get(39)).toBe('0');
    client.send('F', [[41, id], [11, `${id}-c`], ...terms()]);
    await client.next(report(`${id}-c`, '4'));
    await client.logout();
    const wrong = new FixClient({ ...optionsOf('bob'), password: 'x'.repeat(40), signedPath });
    expect((await wrong.next(({ type }) => type === '5')).get(58)).toContain('UNAUTHORIZED');
  });
});

describe('no trade is lost or doubled', () => {
  it('when the connection drops and the gateway is killed, again and again, under trading', async () => {
    const seen = new Map<string, number>();
    const named = new Map<string, string>();
    let sequences: Sequences = { nextSender: 1, nextTarget: 1 };
    let placed = 0;
    const note = (message: Received) => {
      if (message.type !== '8') return;
      named.set(message.get(11) ?? '', message.get(39) ?? '');
      if (message.get(150) !== 'F') return;
      const execId = message.get(17) ?? '';
      seen.set(execId, (seen.get(execId) ?? 0) + 1);
    };
    const before = new Set((await fillsOf('bob')).map(({ trade_id }) => trade_id));
    for (let round = 0; round < 6; round++) {
      const client = await logOn('bob', { senderCompId: 'BOB-KILL', sequences });
      client.listen(note);
      for (let at = 0; at < 6; at++) {
        const { id, body } = order('buy', 1, 24.9);
        named.set(id, 'pending');
        client.send('D', body);
        placed += 1;
        if (at % 2 === 0) await sell(1, 24.9);
      }
      await new Promise((resolve) => setTimeout(resolve, 40 * round));
      if (round % 2 === 0) {
        await killGateway();
        await startGateway();
      } else client.drop();
      await sell(1, 24.9);
      sequences = client.sequences;
      await new Promise((resolve) => setTimeout(resolve, 600));
    }
    const client = await logOn('bob', { senderCompId: 'BOB-KILL', sequences });
    client.listen(note);
    const { fills } = await until(
      'each order is answered, and each fill told',
      async () => {
        const made = (await fillsOf('bob')).filter(({ trade_id }) => !before.has(trade_id));
        const pending = [...named].filter(([, status]) => status === 'pending').map(([id]) => id);
        return { fills: made, told: seen.size, pending };
      },
      (now) => now.told >= now.fills.length && now.pending.length === 0,
    );
    expect([...seen.values()].every((times) => times === 1)).toBe(true);
    expect([...seen.keys()].sort()).toEqual(fills.map(({ trade_id }) => `${trade_id}-B`).sort());
    expect(fills.length).toBeGreaterThan(10);
    expect(named.size).toBe(placed);
    await client.logout();
    expect((await system.run('audit')).code).toBe(0);
  });
});

describe('an order that a killed gateway never read', () => {
  it('is asked for at the next logon, and placed once', async () => {
    const client = await logOn('bob', { senderCompId: 'BOB-UNREAD' });
    running.kill('SIGSTOP');
    const { id, body } = order('buy', 1, 20.8);
    client.send('D', body);
    await killGateway();
    await startGateway();
    const back = await logOn('bob', { senderCompId: 'BOB-UNREAD', sequences: client.sequences });
    const placed = await back.next(report(id, '0'));
    const { orders } = await get('bob', `/v1/orders?client_order_id=${id}`);
    expect(orders).toMatchObject([{ order_id: placed.get(37) }]);
    back.send('F', [[41, id], [11, `${id}-c`], ...terms()]);
    await back.next(report(`${id}-c`, '4'));
    await back.logout();
  });
});

describe('an order that is sent while the exchange is down', () => {
  it('is answered when it is back, in accord with what the exchange has', async () => {
    const client = await logOn('bob', { senderCompId: 'BOB-DOWN' });
    const orders = Array.from({ length: 6 }, () => order('buy', 1, 20.7));
    client.sendAll(orders.slice(0, 3).map(({ body }) => ['D', body]));
    await system.kill();
    client.sendAll(orders.slice(3).map(({ body }) => ['D', body]));
    await system.start();
    for (const { id } of orders) {
      const answer = await client.next(({ type, get: field }) => type === '8' && field(11) === id, 60_000);
      const { orders: found } = await get('bob', `/v1/orders?client_order_id=${id}`);
      expect((found as unknown[]).length).toBe(answer.get(150) === '0' ? 1 : 0);
    }
    client.send('q', [
      [11, `${orders[0]?.id}-m`],
      [530, 7],
      [60, timestamp(Date.now())],
    ]);
    await client.next(({ type }) => type === 'r');
    await client.logout();
  });
});

/** Fields that every request about an order of these tests has. */
function terms(): Field[] {
  return [
    [55, SYMBOL],
    [54, 1],
    [60, timestamp(Date.now())],
  ];
}

async function get(person: string, path: string): Promise<Record<string, unknown>> {
  const response = await fetch(`${system.origin}/book${path}`, { headers: headersOf(person) });
  return (await response.json()) as Record<string, unknown>;
}

async function fillsOf(person: string): Promise<{ trade_id: string }[]> {
  return (await get(person, '/v1/fills')).fills as { trade_id: string }[];
}

/** A feed connection of somebody's; null when it is refused. */
function openFeed(person: string): Promise<WebSocket | null> {
  const socket = new WebSocket(`${system.origin.replace('http', 'ws')}/book/v1/ws`, { headers: headersOf(person) });
  return new Promise((resolve) => {
    socket.once('open', () => resolve(socket));
    socket.once('error', () => resolve(null));
  });
}

/** Alice sells by REST, at once or not at all. */
async function sell(size: number, price: number): Promise<void> {
  const body = { symbol: SYMBOL, side: 'sell', type: 'limit', size, price, time_in_force: 'IOC' };
  const headers = { ...headersOf('alice'), 'content-type': 'application/json' };
  await fetch(`${system.origin}/book/v1/orders`, { method: 'POST', headers, body: JSON.stringify(body) });
}

function headersOf(person: string): Record<string, string> {
  const { id, secret } = demoKeyOf(person);
  return { 'x-api-key': id, 'x-api-secret': secret };
}
