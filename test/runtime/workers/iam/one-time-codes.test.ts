import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeHashOf } from '../../../../application/identity/one-time-code/code-hash.ts';
import type { Database } from '../../../../data/database.ts';
import worker from '../../../../workers/index.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode } from '../../fixtures/sign-in.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function redeem(trader: Trader, password: string, address = freshAddress()) {
  const form = { grant_type: 'password', client_id: APP, username: trader.phone, password };
  return call('POST /iam/api/login/oauth/access_token', { form, address });
}

const sendTo = (phone: string, address = freshAddress()) =>
  call('POST /iam/api/login/oauth/send-code', { form: { phone }, address });

const wrongFor = (code: string) => String((Number(code) + 1) % 1_000_000).padStart(6, '0');

const later = (ms: number) => vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });

/** The code of the last message to a phone, another one than `before`. */
async function lastCodeTo(phone: string, before?: string): Promise<string> {
  for (;;) {
    const { body } = await call('GET /iam/dev/outbox');
    const message = (body as { data: { phone: string; text: string }[] }).data.find((sent) => sent.phone === phone);
    const code = message && /\d{6}/.exec(message.text)?.[0];
    if (code !== undefined && code !== before) return code;
    await scheduler.wait(5);
  }
}

describe('a one-time code', () => {
  it('has 6 digits and is spent by its first right use', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    expect(code).toMatch(/^\d{6}$/);
    expect((await redeem(trader, code)).status).toBe(200);
    expect((await redeem(trader, code)).status).toBe(400);
  });

  it('takes five wrong tries from one address, even at the same time, and then none from there', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    const [address, another] = [freshAddress(), freshAddress()];
    const tries = await Promise.all(Array.from({ length: 5 }, () => redeem(trader, wrongFor(code), address)));
    expect(tries.map((answer) => answer.status)).toEqual([400, 400, 400, 400, 400]);
    expect(await redeem(trader, code, address)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    expect((await redeem(trader, code, another)).status).toBe(200);
  });

  it('still works on the fifth try, and an address has five more after a quarter of an hour', async () => {
    const trader = await createTrader(db);
    const address = freshAddress();
    const code = await receiveCode(trader.phone);
    for (let tries = 0; tries < 4; tries++) await redeem(trader, wrongFor(code), address);
    expect((await redeem(trader, code, address)).status).toBe(200);
    for (let tries = 0; tries < 5; tries++) await redeem(trader, code, address);
    later(15 * 60_000);
    await sendTo(trader.phone);
    expect((await redeem(trader, await lastCodeTo(trader.phone, code), address)).status).toBe(200);
  });

  it('is not spent by wrong guesses from as many addresses as there are', async () => {
    const trader = await createTrader(db);
    const own = freshAddress();
    await sendTo(trader.phone, own);
    const code = await lastCodeTo(trader.phone);
    for (let guesses = 0; guesses < 120; guesses++) expect((await redeem(trader, wrongFor(code))).status).toBe(400);
    expect((await redeem(trader, code)).status, 'a stranger, once strangers have no tries left').toBe(400);
    expect((await redeem(trader, code, own)).status, 'who asked').toBe(200);
  });

  it('is tried beside attackers who ask for codes, too, by whoever has signed in from there before', async () => {
    const trader = await createTrader(db);
    const home = freshAddress();
    const spent = await receiveCode(trader.phone);
    expect((await redeem(trader, spent, home)).status).toBe(200);
    await env.DB.prepare(
      'UPDATE one_time_codes SET tries_left = 0, askers_tries_left = 0, tries_since = ? WHERE phone = ?',
    )
      .bind(Date.now(), trader.phone)
      .run();
    later(60_000);
    const attacker = freshAddress();
    await sendTo(trader.phone, attacker);
    const code = await lastCodeTo(trader.phone, spent);
    expect((await redeem(trader, code, attacker)).status).toBe(400);
    expect((await redeem(trader, code, home)).status).toBe(200);
  });

  it('is out of date after 5 minutes', async () => {
    const trader = await createTrader(db);
    const before = Date.now();
    const code = await receiveCode(trader.phone);
    later(5 * 60_000);
    expect((await redeem(trader, code)).status).toBe(400);
    vi.setSystemTime(before + 4.9 * 60_000);
    expect((await redeem(trader, code)).status).toBe(200);
  });

  it('is sent again only after a pause, and is the same code while it has half its time left', async () => {
    const trader = await createTrader(db);
    later(0);
    const first = await receiveCode(trader.phone);
    const again = await sendTo(trader.phone);
    expect([again.status, codeOf(again), again.headers.get('retry-after')]).toEqual([429, 'RATE_LIMIT_EXCEEDED', '30']);
    later(31_000);
    expect((await sendTo(trader.phone)).status).toBe(200);
    expect(await lastCodeTo(trader.phone)).toBe(first);
    later(4 * 60_000);
    expect((await sendTo(trader.phone)).status).toBe(200);
    expect((await redeem(trader, first)).status, 'the one before, in its last minute').toBe(200);
  });

  it('reaches its owner however often others have one sent', async () => {
    const trader = await createTrader(db);
    for (let call = 0; call < 10; call++) {
      await sendTo(trader.phone);
      later(30_000);
    }
    const own = freshAddress();
    const asked = await sendTo(trader.phone, own);
    expect([200, 429]).toContain(asked.status);
    expect(Number(asked.headers.get('retry-after') ?? 0)).toBeLessThanOrEqual(150);
    expect((await redeem(trader, await lastCodeTo(trader.phone), own)).status).toBe(200);
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

  it('stands in the database sealed and as a keyed hash, and nobody’s address does', async () => {
    const trader = await createTrader(db);
    const code = await receiveCode(trader.phone);
    const { results } = await env.DB.prepare('SELECT * FROM one_time_codes WHERE phone = ?').bind(trader.phone).all();
    const addresses = await env.DB.prepare('SELECT * FROM one_time_code_addresses').all();
    expect(JSON.stringify(addresses.results)).not.toMatch(/10\.\d+\.|\+1555/);
    // A phone and a time may have the same six digits by chance.
    const { phone: _, ...others } = results[0] as Record<string, unknown>;
    const texts = Object.values(others).filter((value) => typeof value === 'string');
    expect(texts.filter((text) => text.includes(code))).toEqual([]);
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
      OWN_ZONES: 'venue.example',
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
    const response = await elsewhere(
      { ENVIRONMENT: 'production', OWN_ZONES: 'venue.example' },
      'POST /iam/api/login/oauth/send-code',
      {
        phone: trader.phone,
      },
    );
    expect(response.status).toBe(503);
  });

  it('shows /iam/dev/outbox only when ENVIRONMENT is local', async () => {
    expect((await elsewhere({}, 'GET /iam/dev/outbox')).status).toBe(200);
    for (const ENVIRONMENT of ['staging', 'production', '']) {
      const response = await elsewhere({ ENVIRONMENT, OWN_ZONES: 'venue.example' }, 'GET /iam/dev/outbox');
      expect([response.status, await response.json()]).toMatchObject([404, { error: { code: 'NOT_FOUND' } }]);
    }
  });
});
