import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { PartnerRole } from '../../../../domain/partner/partner-organization.ts';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import { createTestKey, sign, type TestKey } from '../../fixtures/api-key.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { type ConsoleBrowser, OWN_PAGE, signedInAtConsole } from '../../fixtures/console-browser.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { profiles } from '../../fixtures/profiles.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';

let db: Database;
let trader: Trader;
let key: TestKey;
let operator: SignedIn;
let staff: SignedIn;
let browser: ConsoleBrowser;
let partners: Readonly<Record<PartnerRole, Partner>>;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  trader = await createTrader(db);
  key = await createTestKey(trader, { rateLimits: { public: 10_000, private: 10_000, orders: 10_000 } });
  operator = await signIn((await createTrader(db, { roles: ['operator'], owner: 'venue' })).phone);
  staff = await signIn((await createTrader(db, { roles: ['event_admin'] })).phone);
  browser = await signedInAtConsole((await createTrader(db)).phone);
  partners = {
    cross_lister: await createPartner(db, 'cross_lister'),
    transfer_agent: await createPartner(db, 'transfer_agent'),
    bridge_tenant: await createPartner(db, 'bridge_tenant'),
  };
});

const NOBODYS_ID = '01900000-0000-7000-8000-000000000000';

const bodiless = Object.values(profiles).flatMap(({ name, routes }) =>
  routes
    .filter(({ takesBody, path }) => !takesBody && !path.includes('TradingService'))
    .map((route) => [`${route.method.toUpperCase()} /${PROFILE_SEGMENTS[name]}${route.path}`, route] as const),
);

/** What a route asks for, so that it is the body that is refused. */
function headersOf({ access }: (typeof bodiless)[number][1]): Record<string, string> {
  switch (access.credential) {
    case 'key':
      return key.headers;
    case 'tenant':
      return operator.tenant;
    case 'bearer':
      return 'permission' in access ? staff.bearer : operator.bearer;
    case 'agent':
      return operator.bearer;
    case 'partner':
      return partners[access.roles[0] ?? 'cross_lister'].headers;
    case 'console':
      return { ...OWN_PAGE, cookie: browser.cookies() };
    case 'public':
    case 'oauth':
    case 'webhook':
      return {};
  }
}

describe('a route that declares no body', () => {
  it.each(bodiless)('refuses one: %s', async (target, route) => {
    // A request with a body is none of these methods to `fetch`.
    if (route.method === 'get' || route.method === 'head') return;
    const answer = await call(target.replaceAll(/\{\w+\}/g, NOBODYS_ID), {
      headers: headersOf(route),
      body: '/anything',
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(answer.body).toMatchObject({ error: { details: { reason: 'no_body' } } });
  });

  it('refuses one that is signed, and does nothing', async () => {
    const [path, body] = ['/book/v1/orders/some-id', 'more'];
    const headers = await sign(key, { method: 'DELETE', path, body });
    const answer = await call(`DELETE ${path}`, { headers, body });
    expect(answer).toMatchObject({ status: 400, body: { error: { details: { reason: 'no_body' } } } });
  });

  it('refuses one that comes in chunks, and takes chunks of nothing', async () => {
    const chunked = (text: string) =>
      new ReadableStream({
        start(controller) {
          controller.enqueue(new TextEncoder().encode(text));
          controller.close();
        },
      });
    const cancel = (text: string) =>
      call('DELETE /book/v1/orders/some-id', { headers: key.headers, body: chunked(text) });
    expect((await cancel('x')).body).toMatchObject({ error: { details: { reason: 'no_body' } } });
    expect(codeOf(await cancel(''))).toBe('ORDER_NOT_FOUND');
  });
});

describe('a body that does not end', () => {
  const lines: string[] = [];

  beforeEach(() => {
    lines.length = 0;
    for (const level of ['log', 'error'] as const)
      vi.spyOn(console, level).mockImplementation((line: string) => void lines.push(line));
  });

  afterEach(() => {
    vi.restoreAllMocks();
  });

  const order = (pull: (controller: ReadableStreamDefaultController) => Promise<void>) =>
    call('POST /book/v1/orders', {
      headers: { ...key.headers, 'content-type': 'application/json' },
      body: new ReadableStream({ pull }),
    });

  it('is 408 REQUEST_TIMEOUT after 10 s, however steadily it trickles', async () => {
    hurry(10_000);
    const answer = await order(async (controller) => {
      await scheduler.wait(5);
      controller.enqueue(new TextEncoder().encode(' '));
    });
    expect([answer.status, codeOf(answer)]).toEqual([408, 'REQUEST_TIMEOUT']);
  });

  it('because its client has gone is no bug', async () => {
    const answer = await order(async (controller) => {
      controller.enqueue(new TextEncoder().encode('{"symbol":'));
      controller.error(new Error('connection lost'));
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(lines.filter((line) => line.includes('"bug"'))).toEqual([]);
  });
});

describe('M-11: a body of many small values', () => {
  const path = `/partner/v1/captable/${NOBODYS_ID}/import`;
  const rows = `{"holders":[${'{},'.repeat(500_000)}{}]}`;

  it.each(['application/json', 'application/vnd.holders+json', 'APPLICATION/LD+JSON; charset=utf-8'])(
    'is refused before it is parsed, as %s',
    async (type) => {
      const headers = { ...partners.transfer_agent.headers, 'content-type': type };
      expect(await call(`POST ${path}`, { headers, body: rows })).toMatchObject({
        status: 413,
        body: { error: { code: 'PAYLOAD_TOO_LARGE', details: { values_max: 1_000_000 } } },
      });
    },
  );

  it('is refused by every route that takes JSON, and one below the bound is answered in short', async () => {
    const order = (count: number) => ({
      ...Object.fromEntries(Array.from({ length: count }, (_, at) => [`x${at}`, at])),
    });
    const many = await call('POST /book/v1/orders', { headers: key.headers, json: order(4_096) });
    expect([many.status, codeOf(many)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    const fewer = await call('POST /book/v1/orders', { headers: key.headers, json: order(4_000) });
    expect([fewer.status, codeOf(fewer)]).toEqual([400, 'VALIDATION_ERROR']);
    expect(JSON.stringify(fewer.body).length).toBeLessThan(8_000);
  });

  it('is refused where they are parts of a form', async () => {
    const part = '--b\r\ncontent-disposition: form-data; name="captured_at"\r\n\r\n\r\n';
    const headers = { ...staff.bearer, 'content-type': 'multipart/form-data; boundary=b' };
    const send = (parts: number) =>
      call(`POST /${PROFILE_SEGMENTS.events}/cameras/${NOBODYS_ID}/frames/batch`, {
        headers,
        body: `${part.repeat(parts)}--b--\r\n`,
      });
    const many = await send(257);
    expect(many).toMatchObject({
      status: 413,
      body: { error: { code: 'PAYLOAD_TOO_LARGE', details: { parts_max: 256 } } },
    });
    const fewer = await send(200);
    expect([fewer.status, codeOf(fewer)]).toEqual([400, 'VALIDATION_ERROR']);
  });
});

describe('a body that is no UTF-8', () => {
  /** ü as Windows-1252 has it. */
  const bytes = (before: string, after: string) =>
    new Uint8Array([...new TextEncoder().encode(before), 0xfc, ...new TextEncoder().encode(after)]).buffer;
  const rows = bytes('holder_reference,holder_name,shares\nH-1,M', 'ller,5\n');

  it.each([
    ['application/json', '/partner/v1/corporate-actions', bytes('{"description":"M', 'ller"}')],
    ['application/merge-patch+json', '/partner/v1/corporate-actions', bytes('{"description":"M', 'ller"}')],
    ['text/csv', `/partner/v1/captable/${NOBODYS_ID}/import`, rows],
    ['Text/CSV; charset=windows-1252', `/partner/v1/captable/${NOBODYS_ID}/import`, rows],
  ])('is refused, and nothing is replaced in it: %s', async (type, path, body) => {
    const headers = { ...partners.transfer_agent.headers, 'content-type': type };
    expect(await call(`POST ${path}`, { headers, body })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'no_utf8' } } },
    });
  });
});

describe('a body in which a field stands twice', () => {
  it.each([
    ['{"symbol":"ACME-USD","side":"buy","type":"limit","size":1,"size":100,"price":10}', 'size'],
    ['{"symbol":"ACME-USD","side":"buy","s\\u0069de":"sell","type":"limit","size":1,"price":10}', 'side'],
  ])('is refused, and nothing is done: %s', async (body, field) => {
    const headers = { ...key.headers, 'content-type': 'application/json' };
    const answer = await call('POST /book/v1/orders', { headers, body });
    expect(answer).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'repeated_field', field } } },
    });
  });
});

describe('a body with a number that a double does not keep', () => {
  it.each([
    [
      'POST /book/v1/orders',
      '{"symbol":"ACME-USD","side":"buy","type":"limit","size":1,"price":10.00000000000000001}',
      'price',
    ],
    ['POST /iam/v1/organizations', '{"name":"Northwind","of":[1,{"quantity":9007199254740993}]}', 'quantity'],
  ])('is refused, and nothing is rounded: %s', async (route, body, field) => {
    const headers = { ...key.headers, 'content-type': 'application/json' };
    expect(await call(route, { headers, body })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { reason: 'too_many_digits', field } } },
    });
  });
});

describe('a body that is encoded', () => {
  const takers = Object.values(profiles).flatMap(({ name, routes }) =>
    routes
      .filter(({ takesBody, path }) => takesBody && !path.includes('TradingService'))
      .map(({ method, path }) => `${method.toUpperCase()} /${PROFILE_SEGMENTS[name]}${path}`),
  );

  it.each(Object.keys(profiles).filter((profile) => takers.some((target) => target.includes(` /${profile}/`))))(
    'X-11: is 415 at every route of %s, with what may be sent',
    async (profile) => {
      for (const target of takers.filter((taker) => taker.includes(` /${profile}/`))) {
        const [answer] = await Promise.all(
          ['gzip', 'br', 'deflate', 'nothing-known', 'identity, GZIP'].map(async (coding) => {
            const headers = { 'content-type': 'application/json', 'content-encoding': coding };
            const each = await call(target.replaceAll(/\{\w+\}/g, NOBODYS_ID), { headers, body: '{}' });
            expect([target, coding, each.status]).toEqual([target, coding, 415]);
            return each;
          }),
        );
        expect(answer!.headers.get('accept-encoding')).toBe('identity');
      }
    },
  );

  it('X-11: is taken as identity', async () => {
    for (const coding of ['identity', 'Identity', '']) {
      const headers = { ...key.headers, 'content-type': 'application/json', 'content-encoding': coding };
      expect(codeOf(await call('POST /book/v1/orders', { headers, body: '{}' }))).toBe('VALIDATION_ERROR');
    }
  });
});

describe('a body of somebody who has shown nothing', () => {
  const takers = Object.values(profiles).flatMap(({ name, routes }) =>
    routes
      .filter(({ takesBody, method }) => takesBody && method !== 'get')
      .map(({ method, path }) => `${method.toUpperCase()} /${PROFILE_SEGMENTS[name]}${path}`),
  );

  it.each(takers)('is read to 64 KiB at most: %s', async (target) => {
    const [chunk, end] = [8_192, 1_048_576];
    let bytes = 0;
    const body = new ReadableStream({
      pull(controller) {
        bytes += chunk;
        if (bytes > end) controller.close();
        else controller.enqueue(new Uint8Array(chunk));
      },
    });
    const headers = { 'content-type': 'multipart/form-data; boundary=b' };
    const answer = await call(target.replaceAll(/\{\w+\}/g, NOBODYS_ID), { headers, body });
    expect(answer.status).toBeGreaterThanOrEqual(400);
    // What lies in streams between is counted, too.
    expect(bytes).toBeLessThanOrEqual(2 * 65_536);
  });
});

describe('a body that comes with a signature', () => {
  const JUNK = { 'x-api-signature': '0'.repeat(64), 'x-api-timestamp': '1700000000000' };
  const presented = [
    ['alone', JUNK],
    ['of a key', { ...JUNK, 'x-api-key': 'somebody' }],
  ] as const;
  const targets = ['POST /events-service/cameras/some-id/frames/batch', 'POST /agent/mcp'];

  it.each(targets.flatMap((target) => presented.map(([how, headers]) => [target, how, headers] as const)))(
    'is not read where no key is taken: %s, %s',
    async (target, _, headers) => {
      let bytes = 0;
      const body = new ReadableStream({
        pull(controller) {
          bytes += 65_536;
          if (bytes > 4 * 1_048_576) controller.close();
          else controller.enqueue(new Uint8Array(65_536));
        },
      });
      const answer = await call(target, { headers: { ...headers, 'content-type': 'multipart/form-data' }, body });
      expect(answer.status).toBe(401);
      expect(bytes).toBeLessThan(1_048_576);
    },
  );

  it('is never a large one where a key is taken', () => {
    const large = Object.values(profiles).flatMap(({ routes }) =>
      routes.filter(({ access, bodyBytesMax }) => bodyBytesMax !== undefined && /key|public/.test(access.credential)),
    );
    expect(large).toEqual([]);
  });
});
