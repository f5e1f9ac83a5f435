import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import worker from '../../../../workers/index.ts';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import { createTestKey, type TestKey } from '../../fixtures/api-key.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { profiles } from '../../fixtures/profiles.ts';

let db: Database;
let key: TestKey;

beforeAll(async () => {
  db = await migrate();
  key = await createTestKey(await createTrader(db), { rateLimits: { orders: 1_000 } });
});

describe('the profile of a request', () => {
  const served = async (url: string, hosts: Record<string, string>) => {
    const ctx = createExecutionContext();
    const request = new Request(url) as Parameters<typeof worker.fetch>[0];
    const response = await worker.fetch(request, { ...env, PROFILE_HOSTS: JSON.stringify(hosts) }, ctx);
    await waitOnExecutionContext(ctx);
    const { profile = null } = await response.json<{ profile?: string }>();
    return [response.status, profile];
  };
  const hosts = { 'api.example': 'exchange', 'book.example': 'book' };

  it('is chosen by the hostname of its URL', async () => {
    expect(await served('https://api.example/healthz', hosts)).toEqual([200, 'exchange']);
    expect(await served('https://book.example:8443/healthz', hosts)).toEqual([200, 'book']);
    expect(await served('https://book.example/book/healthz', hosts)).toEqual([404, null]);
  });

  it('is chosen by the first path segment on any other host', async () => {
    expect(await served('http://localhost:8787/iam/healthz', hosts)).toEqual([200, 'iam']);
    expect(await served('http://other.example/exchange/healthz', hosts)).toEqual([200, 'exchange']);
  });

  it('M-19: is none in production while a setting is missing, and no scheduled work is done', async () => {
    const lacking = {
      ...env,
      ENVIRONMENT: 'production',
      CLIENT_ADDRESS_HEADER: 'x',
      OWN_ZONES: 'x.com',
      VENUE_FIRM_NAME: '',
    };
    const ctx = createExecutionContext();
    const request = new Request('http://localhost:8787/exchange/healthz') as Parameters<typeof worker.fetch>[0];
    expect((await worker.fetch(request, lacking, ctx)).status).toBe(500);
    const run = { cron: '17 * * * *', scheduledTime: 0, noRetry: () => undefined };
    expect(() => worker.scheduled(run, lacking)).toThrow('settings are missing: VENUE_FIRM_NAME');
  });

  it('is not taken from the Host header', async () => {
    const answer = await call('GET /exchange/healthz', { headers: { host: 'book.example' } });
    expect(answer.body).toMatchObject({ profile: 'exchange' });
  });

  it.each(['GET /', 'GET /nowhere', 'GET /constructor/healthz', 'GET /exchange', 'GET /exchangehealthz'])(
    '%s belongs to none: 404 NOT_FOUND',
    async (target) => {
      const answer = await call(target);
      expect([answer.status, codeOf(answer)]).toEqual([404, 'NOT_FOUND']);
    },
  );
});

describe('x-request-id', () => {
  it('comes back as it was sent', async () => {
    const answer = await call('GET /book/healthz', { headers: { 'x-request-id': 'client-chosen-0001' } });
    expect(answer.headers.get('x-request-id')).toBe('client-chosen-0001');
  });

  it.each(['short', 'with space inside', 'x'.repeat(65), '{"json":true}'])(
    'is made anew in place of "%s"',
    async (sent) => {
      const answer = await call('GET /book/healthz', { headers: { 'x-request-id': sent } });
      expect(answer.headers.get('x-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7/);
    },
  );

  it('stands on errors too', async () => {
    expect((await call('GET /nowhere')).headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
  });
});

describe('a body', () => {
  const post = (body: string | ReadableStream, contentType: string | null = 'application/json') =>
    call('POST /book/v1/orders', {
      headers: { ...key.headers, ...(contentType === null ? {} : { 'content-type': contentType }) },
      body,
    });

  it('longer than 64 KiB is 413 PAYLOAD_TOO_LARGE, whether its length is declared or not', async () => {
    const long = JSON.stringify({ symbol: 'x'.repeat(64 * 1_024) });
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(long));
        controller.close();
      },
    });
    for (const body of [long, stream]) {
      const answer = await post(body);
      expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    }
  });

  it('sent in chunks is as long as it is, whatever length it declares beside them', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode(JSON.stringify({ symbol: 'x'.repeat(64 * 1_024) })));
        controller.close();
      },
    });
    const framing = { 'transfer-encoding': 'chunked', 'content-length': '2' };
    const headers = { ...key.headers, ...framing, 'content-type': 'application/json' };
    const answer = await call('POST /book/v1/orders', { headers, body: stream });
    expect([answer.status, codeOf(answer)]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('sent without a declared length is read', async () => {
    const stream = new ReadableStream({
      start(controller) {
        controller.enqueue(new TextEncoder().encode('{"symbol":'));
        controller.enqueue(new TextEncoder().encode('"ACME-USD"}'));
        controller.close();
      },
    });
    const answer = await post(stream);
    expect(codeOf(answer)).toBe('VALIDATION_ERROR');
    expect(JSON.stringify(answer.body)).not.toContain('"symbol"');
  });

  it.each(['text/plain', 'application/xml', null])('of type %s is 415 UNSUPPORTED_MEDIA_TYPE', async (contentType) => {
    const answer = await post(new Blob(['{}']).stream(), contentType);
    expect([answer.status, codeOf(answer)]).toEqual([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('that is no JSON is 400 VALIDATION_ERROR', async () => {
    const answer = await post('{"symbol":');
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('that the schema refuses is 400 VALIDATION_ERROR with the issues', async () => {
    const answer = await post('{"symbol":7}');
    expect(answer).toMatchObject({
      status: 400,
      body: {
        error: {
          code: 'VALIDATION_ERROR',
          message: expect.any(String),
          details: { issues: expect.arrayContaining([expect.objectContaining({ path: ['symbol'] })]) },
        },
      },
    });
  });
});

describe('security headers', () => {
  it('stand on answers and errors', async () => {
    for (const target of ['GET /book/healthz', 'GET /nowhere']) {
      const { headers } = await call(target);
      expect(headers.get('x-content-type-options')).toBe('nosniff');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'");
      expect(headers.get('cache-control')).toBe('no-store');
    }
  });

  it('open public market data to any origin, and nothing else', async () => {
    const publicData = await call('GET /book/v1/markets', { headers: { origin: 'https://app.example' } });
    expect(publicData.headers.get('access-control-allow-origin')).toBe('*');
    const exposed = publicData.headers.get('access-control-expose-headers')?.split(', ');
    const told = ['etag', 'age', 'link', 'retry-after', 'x-request-id', 'x-ratelimit-remaining', 'idempotent-replayed'];
    expect(exposed).toEqual(expect.arrayContaining(told));
    const own = await call('GET /book/v1/account/balances', {
      headers: { ...key.headers, origin: 'https://app.example' },
    });
    expect(own.headers.get('access-control-allow-origin')).toBeNull();
    expect((await call('GET /iam/dev/outbox')).headers.get('access-control-allow-origin')).toBeNull();
  });
});

describe('a preflight of another origin', () => {
  it('allows GET without a credential, and no more', async () => {
    const origin = { origin: 'https://app.example', 'access-control-request-method': 'POST' };
    const { status, headers } = await call('OPTIONS /book/v1/orders', { headers: origin });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-methods')).toBe('GET');
    expect(headers.get('access-control-allow-headers')).toBe('x-request-id');
    expect(headers.get('x-ratelimit-remaining')).toBe('99');
  });
});

describe('the reference', () => {
  it.each(['exchange', 'book', 'iam'])(
    'of %s is an OpenAPI 3.1 document with the declared credentials',
    async (profile) => {
      const { status, body } = await call(`GET /${profile}/openapi.json`);
      expect(status).toBe(200);
      const document = body as {
        openapi: string;
        servers: { url: string }[];
        paths: Record<string, Record<string, { security: object[]; responses: Record<string, unknown> }>>;
        components: { securitySchemes: object };
      };
      expect(document.openapi).toBe('3.1.0');
      expect(document.servers).toEqual([{ url: `/${profile}` }]);
      expect(Object.keys(document.components.securitySchemes)).toContain('tenantToken');
      const operations = Object.values(document.paths).flatMap((path) => Object.values(path));
      expect(operations.length).toBeGreaterThan(5);
      for (const { security, responses } of operations) {
        expect(security).toBeInstanceOf(Array);
        expect(Object.keys(responses)).toContain('429');
      }
    },
  );

  it.each(['exchange', 'book', 'events'] as const)(
    'of %s names Idempotency-Key where it counts, and nowhere else',
    async (name) => {
      const { body } = await call(`GET /${PROFILE_SEGMENTS[name]}/openapi.json`);
      type Operation = { readonly parameters?: readonly { readonly name: string; readonly in: string }[] };
      const { paths } = body as { readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>> };
      const naming = Object.entries(paths).flatMap(([path, operations]) =>
        Object.entries(operations)
          .filter(([, { parameters = [] }]) => parameters.some((one) => one.name === 'Idempotency-Key'))
          .map(([method]) => `${method} ${path}`),
      );
      const heeding = profiles[name].routes.filter(({ idempotent }) => idempotent);
      expect(naming.sort()).toEqual(heeding.map(({ method, path }) => `${method} ${path}`).sort());
      if (name === 'book')
        expect(naming).toEqual(
          expect.arrayContaining(['delete /v1/orders/{order_id}', 'patch /v1/orders/{order_id}', 'post /v1/orders']),
        );
    },
  );

  it('has every path of profile A under /v1, but what is well known', () => {
    const paths = profiles.exchange.routes.map(({ path }) => path);
    expect(paths.length).toBeGreaterThan(50);
    expect(paths.filter((path) => !path.startsWith('/v1/'))).toEqual(['/.well-known/committee']);
  });

  it('page loads no script from another host', async () => {
    const { status, body, headers } = await call('GET /exchange/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('text/html');
    const sources = [...String(body).matchAll(/(?:src|href)="([^"]+)"/g)].map((match) => match[1]!);
    expect(sources.length).toBeGreaterThan(0);
    // A file beside the Worker, at every host.
    expect((await env.ASSETS.fetch(`http://localhost${sources[0]}`)).status).toBe(200);
    expect(sources.filter((source) => /^(https?:)?\/\//.test(source))).toEqual([]);
    expect(headers.get('content-security-policy')).toContain("default-src 'self'");
  });

  it('M-24: page runs the scripts that it was answered with, and no other: each has the nonce of its answer', async () => {
    const answers = [await call('GET /exchange/docs'), await call('GET /exchange/docs')];
    const nonces = answers.map(({ body, headers }) => {
      const scripts = /script-src ([^;]*)/.exec(headers.get('content-security-policy') ?? '')?.[1] ?? '';
      expect(scripts).toMatch(/^'nonce-[0-9a-f-]{36}'$/);
      const nonce = scripts.slice("'nonce-".length, -1);
      const tags = String(body).match(/<script[^>]*>/g) ?? [];
      expect(tags.length).toBeGreaterThan(0);
      for (const tag of tags) expect(tag).toContain(`nonce="${nonce}"`);
      return nonce;
    });
    expect(nonces[0]).not.toBe(nonces[1]);
  });
});
