import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeHashOf } from '../../../../application/identity/one-time-code/code-hash.ts';
import type { Database } from '../../../../data/database.ts';
import { putOneTimeCode } from '../../../../data/identity/one-time-codes.ts';
import worker from '../../../../workers/index.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode, tokenRequest } from '../../fixtures/sign-in.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function redeem(trader: Trader, password: string) {
  return tokenRequest({ grant_type: 'password', client_id: APP, username: trader.phone, password });
}

const sendTo = (phone: string) => call('POST /iam/api/login/oauth/send-code', { form: { phone } });

describe('a one-time code', () => {
  it('has 6 digits and is spent by its first right use', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    expect(code).toMatch(/^\d{6}$/);
    expect((await redeem(trader, code)).status).toBe(200);
    expect((await redeem(trader, code)).status).toBe(400);
  });

  it('dies with its fifth wrong try, even for tries at the same time', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    const tries = await Promise.all(Array.from({ length: 5 }, () => redeem(trader, wrong)));
    expect(tries.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400]);
    expect(await redeem(trader, code)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
  });

  it('still works on its fifth try', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
    for (let tries = 0; tries < 4; tries++) await redeem(trader, wrong);
    expect((await redeem(trader, code)).status).toBe(200);
  });

  it('is out of date after 5 minutes', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    const now = Date.now();
    vi.useFakeTimers({ toFake: ['Date'], now: now + 5 * 60_000 });
    expect((await redeem(trader, code)).status).toBe(400);
    vi.setSystemTime(now + 4.9 * 60_000);
    expect((await redeem(trader, code)).status).toBe(200);
  });

  it('is sent again only after a pause, and then replaces the last one', async () => {
    const trader = await createTrader(db);
    const first = await receiveCode(trader.phone);
    const again = await sendTo(trader.phone);
    expect([again.status, codeOf(again), again.headers.get('retry-after')]).toEqual([429, 'RATE_LIMIT_EXCEEDED', '30']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    expect((await sendTo(trader.phone)).status).toBe(200);
    expect((await redeem(trader, first)).status).toBe(400);
  });

  it('is sent at most ten times an hour, so that resending buys no tries', async () => {
    const limits = { pauseMs: 30_000, periodMs: 3_600_000, sendsMax: 10 };
    const put = (now: number) =>
      putOneTimeCode(db, { phone: '+15550199', codeHash: 'h', expiresAt: now, tries: 5, now }, limits);
    const start = Date.now();
    const minutes = Array.from({ length: 62 }, (_, minute) => minute);
    const sent: number[] = [];
    for (const minute of minutes) if (await put(start + minute * 60_000)) sent.push(minute);
    expect(sent).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 60, 61]);
  });

  it('is answered alike for a number that nobody has, and nothing is sent there', async () => {
    const known = await sendTo((await createTrader(db)).phone);
    const unknown = await sendTo('+15550123456');
    expect([unknown.status, unknown.body]).toEqual([known.status, known.body]);
    const again = await sendTo('+15550123456');
    expect(codeOf(again)).toBe('RATE_LIMIT_EXCEEDED');
    const { body } = await call('GET /iam/dev/outbox');
    expect(JSON.stringify(body)).not.toContain('+15550123456');
  });

  it('stands in the database as a keyed hash alone', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    const { results } = await env.DB.prepare('SELECT * FROM one_time_codes WHERE phone = ?').bind(trader.phone).all();
    expect(JSON.stringify(results)).not.toContain(code);
    expect(results[0]!.code_hash).toBe(await codeHashOf(trader.phone, code, env));
    expect(results[0]!.code_hash).not.toBe(await codeHashOf('+15550000000', code, env));
  });
});

describe('sending', () => {
  const elsewhere = async (bindings: Partial<Env>, target: string, form?: Record<string, string>) => {
    const [method = '', path = ''] = target.split(' ');
    const ctx = createExecutionContext();
    const request = new Request(`http://localhost${path}`, {
      method,
      ...(form ? { body: new URLSearchParams(form) } : {}),
    });
    const response = await worker.fetch(request as Parameters<typeof worker.fetch>[0], { ...env, ...bindings }, ctx);
    await waitOnExecutionContext(ctx);
    return response;
  };

  it('goes to the SMS gateway where one is configured, with its token', async () => {
    const trader = await createTrader(db);
    const sent: Request[] = [];
    vi.stubGlobal('fetch', async (url: string, init: RequestInit) => {
      sent.push(new Request(url, init));
      return new Response('{}');
    });
    const gateway = {
      ENVIRONMENT: 'production',
      OTP_GATEWAY_URL: 'https://sms.example/send',
      OTP_GATEWAY_TOKEN: 'gateway-token',
    };
    const response = await elsewhere(gateway, 'POST /iam/api/login/oauth/send-code', { phone: trader.phone });
    expect(response.status).toBe(200);
    expect(sent.map((request) => request.url)).toEqual(['https://sms.example/send']);
    expect(sent[0]!.headers.get('authorization')).toBe('Bearer gateway-token');
    const message = await sent[0]!.json<{ to: string; text: string }>();
    expect(message.to).toBe(trader.phone);
    const code = /\d{6}/.exec(message.text)![0];
    expect((await redeem(trader, code)).status).toBe(200);
  });

  it('is refused outside local without a gateway, rather than printed', async () => {
    const trader = await createTrader(db);
    const response = await elsewhere({ ENVIRONMENT: 'production' }, 'POST /iam/api/login/oauth/send-code', {
      phone: trader.phone,
    });
    expect(response.status).toBe(503);
  });

  it('shows /iam/dev/outbox only when ENVIRONMENT is local', async () => {
    expect((await elsewhere({}, 'GET /iam/dev/outbox')).status).toBe(200);
    for (const ENVIRONMENT of ['staging', 'production', '']) {
      const response = await elsewhere({ ENVIRONMENT }, 'GET /iam/dev/outbox');
      expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
    }
  });
});
