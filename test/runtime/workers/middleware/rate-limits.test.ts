import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { userGateName } from '../../../../protocol/object-names/gate-name.ts';
import { createTestKey } from '../../fixtures/api-key.ts';
import { type Answer, call, codeOf } from '../../fixtures/call.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { OrderSocket } from '../../fixtures/order-socket.ts';
import { createPartner } from '../../fixtures/partner-client.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

/** All at one moment, which lasts to the end of the test. */
const times = <T>(count: number, run: () => Promise<T>) => {
  stopClock();
  return Promise.all(Array.from({ length: count }, run));
};
const passed = (answers: Answer[]) => answers.filter((answer) => answer.status !== 429).length;

/** Fails validation, but has drawn on the bucket by then. */
const place = (headers: Record<string, string>) => call('POST /book/v1/orders', { headers, json: {} });

describe('limits of the specification', () => {
  it('let exactly 10 of 50 concurrent order placements of one key pass', async () => {
    const key = await createTestKey(await createTrader(db));
    const answers = await times(50, () => place(key.headers));
    expect(passed(answers)).toBe(10);
    const refused = answers.find((answer) => answer.status === 429)!;
    expect(codeOf(refused)).toBe('RATE_LIMIT_EXCEEDED');
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(refused.headers.get('x-ratelimit-remaining')).toBe('0');
  });

  it('let exactly 100 of 120 concurrent public requests of one address pass in a minute', async () => {
    const address = freshAddress();
    const answers = await times(120, () => call('GET /book/v1/time', { address }));
    expect(passed(answers)).toBe(100);
    expect((await call('GET /book/v1/time')).status).toBe(200);
  });

  it('let exactly 100 public requests of one address pass over the market data of both profiles together', async () => {
    const { symbol, baseAsset: asset } = await createPair(db, 'LIMITED');
    const routes = [
      `/book/v1/orderbook/${symbol}`,
      `/book/v1/trades/${symbol}`,
      `/book/v1/ticker/${symbol}`,
      `/book/v1/candles/${symbol}?interval=1h`,
      '/book/v1/markets',
      '/exchange/v1/assets',
      `/exchange/v1/assets/${asset}/quote`,
      `/exchange/v1/assets/${asset}/chart?interval=1h`,
      `/exchange/v1/assets/${asset}/book`,
    ];
    const address = freshAddress();
    const answers: Answer[] = [];
    stopClock();
    for (let at = 0; at < 108; at++) answers.push(await call(`GET ${routes[at % routes.length]}`, { address }));
    expect(answers.slice(0, routes.length).map(({ status }) => status)).toEqual(routes.map(() => 200));
    expect(answers.map(({ status }) => status === 429)).toEqual(answers.map((_, at) => at >= 100));
  });

  it('let exactly 300 of 310 concurrent private requests of one user pass in a minute, from whatever address', async () => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const already = 1; // The tenant token.
    const answers = await times(310, () => call('GET /iam/api/userinfo', { headers: bearer }));
    expect(passed(answers)).toBe(300 - already);
  });

  it('count placements on their own bucket alone', async () => {
    const key = await createTestKey(await createTrader(db));
    await times(11, () => place(key.headers));
    const read = await call('GET /book/v1/account/balances', { headers: key.headers });
    expect([read.headers.get('x-ratelimit-limit'), read.headers.get('x-ratelimit-remaining')]).toEqual(['300', '299']);
  });

  it('are the numbers that an operator raised them to', async () => {
    const key = await createTestKey(await createTrader(db), { rateLimits: { orders: 25 } });
    const answers = await times(40, () => place(key.headers));
    expect(passed(answers)).toBe(25);
    expect(answers[0]!.headers.get('x-ratelimit-limit')).toBe('25');
  });
});

describe('C-10: 10 orders a second', () => {
  const someOrder = { symbol: 'NOBODYS-USD', side: 'buy', type: 'limit', price: 1, size: 1 };

  /** Each way in, as a request of a user that is new. Their bodies are refused after they were counted. */
  const WAYS: Readonly<Record<string, () => Promise<() => Promise<Answer>>>> = {
    'profile A': async () => {
      const { tenant: headers } = await signIn((await createTrader(db)).phone);
      return () => call('POST /exchange/v1/orders', { headers, json: {} });
    },
    'profile B with a token': async () => {
      const { bearer: headers } = await signIn((await createTrader(db)).phone);
      return () => call('POST /book/v1/orders', { headers, json: {} });
    },
    'Connect and gRPC': async () => {
      const { headers } = await createTestKey(await createTrader(db));
      return () => call('POST /book/TradingService/PlaceOrder', { headers, json: someOrder });
    },
    'a partner': async () => {
      const { headers } = await createPartner(db, 'cross_lister');
      return () => call('POST /partner/v1/orders', { headers, json: {} });
    },
  };

  it.each(Object.keys(WAYS))('are let through by %s', async (way) => {
    const ask = await WAYS[way]!();
    const answers = await times(20, ask);
    expect(passed(answers)).toBe(10);
    const refused = answers.find(({ status }) => status === 429)!;
    expect(refused.headers.get('x-ratelimit-limit')).toBe('10');
    expect(refused.headers.get('retry-after')).toBe('1');
  });

  it('are let through by the order socket', async () => {
    const { headers } = await createTestKey(await createTrader(db));
    const socket = await OrderSocket.open(headers);
    stopClock();
    const answers = await Promise.all(Array.from({ length: 20 }, () => socket.ask('place', { order: someOrder })));
    expect(answers.filter(({ error }) => error?.code === 'RATE_LIMIT_EXCEEDED')).toHaveLength(10);
    socket.close();
  });

  it('are one limit for all ways of a user together', async () => {
    const trader = await createTrader(db);
    const [{ bearer, tenant }, key] = [await signIn(trader.phone), await createTestKey(trader)];
    const answers = await Promise.all(
      [
        () => call('POST /exchange/v1/orders', { headers: tenant, json: {} }),
        () => call('POST /book/v1/orders', { headers: bearer, json: {} }),
        () => call('POST /book/v1/orders', { headers: key.headers, json: {} }),
        () => call('POST /book/TradingService/PlaceOrder', { headers: key.headers, json: someOrder }),
      ].map((ask) => times(4, ask)),
    );
    expect(passed(answers.flat())).toBe(10);
  });
});

describe('private requests', () => {
  it('of profile A, profile B and the identity provider draw on one limit of 300 a minute', async () => {
    const { bearer, tenant } = await signIn((await createTrader(db)).phone);
    const already = 1; // The tenant token.
    await times(297 - already, () => call('GET /iam/api/userinfo', { headers: bearer }));
    const ask = (target: string, headers: Record<string, string>) => call(`GET ${target}`, { headers });
    for (const [target, headers] of [
      ['/exchange/v1/account', tenant],
      ['/book/v1/account/balances', bearer],
      ['/exchange/v1/orders', tenant],
    ] as const) {
      const answer = await ask(target, headers);
      expect([answer.status, answer.headers.get('x-ratelimit-limit')]).toEqual([200, '300']);
    }
    expect((await ask('/exchange/v1/account', tenant)).status).toBe(429);
    expect((await ask('/book/v1/account/balances', bearer)).status).toBe(429);
  });

  it('of a partner are 300 a minute', async () => {
    const { headers } = await createPartner(db, 'cross_lister');
    const answers = await times(305, () => call('GET /partner/v1/securities?limit=1', { headers }));
    expect(passed(answers)).toBe(300);
  });
});

describe('the limits of an account', () => {
  const read = (headers: Record<string, string>) => call('GET /book/v1/account/balances', { headers });

  it('hold for all its keys together: ten keys place no more than one', async () => {
    const trader = await createTrader(db);
    const keys = await Promise.all(Array.from({ length: 10 }, () => createTestKey(trader)));
    stopClock();
    const answers = await Promise.all(keys.flatMap((key) => Array.from({ length: 5 }, () => place(key.headers))));
    expect(passed(answers)).toBe(10);
  });

  it('count its tokens and keys together, whichever isolate asks first', async () => {
    const trader = await createTrader(db);
    const { bearer } = await signIn(trader.phone);
    const [one, other] = [await createTestKey(trader), await createTestKey(trader)];
    stopClock();
    const left = async (headers: Record<string, string>) =>
      Number((await read(headers)).headers.get('x-ratelimit-remaining'));
    const first = await left(bearer);
    expect(await left(one.headers)).toBe(first - 1);
    expect(await left(other.headers)).toBe(first - 2);
    expect(await left({ ...bearer, 'x-api-key': one.id })).toBe(first - 3);
    expect(await left(bearer)).toBe(first - 4);
  });

  it('are not drawn on by a key that an operator has given more', async () => {
    const trader = await createTrader(db);
    const [raised, plain] = [await createTestKey(trader, { rateLimits: { orders: 25 } }), await createTestKey(trader)];
    expect(passed(await times(30, () => place(raised.headers)))).toBe(25);
    expect(passed(await times(20, () => place(plain.headers)))).toBe(10);
  });

  it('hold besides those of a key that an operator has given less', async () => {
    const trader = await createTrader(db);
    const [lowered, plain] = [await createTestKey(trader, { rateLimits: { orders: 4 } }), await createTestKey(trader)];
    expect(passed(await times(20, () => place(lowered.headers)))).toBe(4);
    expect(passed(await times(20, () => place(plain.headers)))).toBe(6);
  });

  it('are nobody else’s', async () => {
    const [one, other] = [await createTestKey(await createTrader(db)), await createTestKey(await createTrader(db))];
    expect(passed(await times(11, () => place(one.headers)))).toBe(10);
    expect(passed(await times(11, () => place(other.headers)))).toBe(10);
  });
});

describe('a failed credential', () => {
  it('counts against the address it came from, never against the key that it names', async () => {
    const key = await createTestKey(await createTrader(db));
    const address = freshAddress();
    const wrong = { ...key.headers, 'x-api-secret': 'not-the-secret-of-this-key' };
    const attempts = await times(30, () => call('POST /book/v1/orders', { headers: wrong, json: {}, address }));
    expect(attempts.every((answer) => answer.status === 401)).toBe(true);
    expect(attempts.map((answer) => Number(answer.headers.get('x-ratelimit-remaining'))).sort((a, b) => a - b)[0]).toBe(
      70,
    );
    expect(passed(await times(20, () => place(key.headers)))).toBe(10);
  });

  it('is 429 once its address has used up its requests', async () => {
    const address = freshAddress();
    const headers = { authorization: 'Bearer aaaa.bbbb.cccc' };
    const answers = await times(101, () => call('GET /iam/api/userinfo', { headers, address }));
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(100);
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(1);
  });
});

describe('health', () => {
  it.each(Object.keys(profiles).filter((profile) => profile !== 'events'))(
    'X-15: of %s is well for an address that has used up its limit, and draws nothing on it',
    async (profile) => {
      stopClock();
      const address = freshAddress();
      for (const health of await times(3, () => call(`GET /${profile}/healthz`, { address }))) {
        expect(health.status).toBe(200);
        expect(health.headers.get('x-ratelimit-remaining')).toBe('100');
      }
      expect(passed(await times(101, () => call('GET /book/v1/time', { address })))).toBe(100);
      expect((await call(`GET /${profile}/healthz`, { address })).status).toBe(200);
      const headers = { 'x-api-key': 'nobody', 'x-api-secret': 'x' };
      expect((await call(`GET /${profile}/healthz`, { address, headers })).status).toBe(200);
    },
  );
});

describe('every response of every profile', () => {
  it.each(Object.keys(profiles))(
    '%s carries integer X-RateLimit headers, errors included, Reset in Unix seconds',
    async (profile) => {
      stopClock();
      const answers = await Promise.all([
        call(`GET /${profile}/healthz`),
        call(`GET /${profile}/openapi.json`),
        call(`GET /${profile}/docs`),
        call(`GET /${profile}/v1/nothing-here`),
        call(`POST /${profile}/healthz`),
        call(`GET /${profile}/healthz`, { headers: { authorization: 'Basic x' } }),
      ]);
      for (const { headers } of [...answers, await call('GET /nowhere')]) {
        for (const name of ['limit', 'remaining', 'reset']) expect(headers.get(`x-ratelimit-${name}`)).toMatch(/^\d+$/);
        const reset = Number(headers.get('x-ratelimit-reset'));
        expect(reset).toBeGreaterThanOrEqual(Math.floor(Date.now() / 1_000));
        expect(reset).toBeLessThanOrEqual(Math.ceil(Date.now() / 1_000) + 60);
      }
    },
  );
});

describe('concurrent connections', () => {
  it('are at most 5 per user, and one that ends makes room', async () => {
    const gate = () => env.GATE.getByName(userGateName('org-test', 'connected'));
    const taken = await Promise.all(['1', '2', '3', '4', '5', '6'].map((id) => gate().acquireConnection(id)));
    expect(taken.filter((ok) => ok)).toHaveLength(5);
    await gate().releaseConnection('1');
    expect(await gate().acquireConnection('7')).toBe(true);
  });
});
