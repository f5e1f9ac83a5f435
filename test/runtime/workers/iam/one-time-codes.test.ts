import { createExecutionContext, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { codeHashOf } from '../../../../application/identity/one-time-code/code-hash.ts';
import type { Database } from '../../../../data/database.ts';
import { createOAuthClient } from '../../../../data/identity/oauth-clients.ts';
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
  call('POST /iam/api/login/oauth/send-code', { form: { phone, client_id: APP }, address });

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

async function lastMessageTo(phone: string): Promise<string> {
  const { body } = await call('GET /iam/dev/outbox');
  return (body as { data: { phone: string; text: string }[] }).data.find((sent) => sent.phone === phone)?.text ?? '';
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
    for (let guesses = 0; guesses < 99; guesses++) expect((await redeem(trader, wrongFor(code))).status).toBe(400);
    await env.DB.prepare('UPDATE one_time_codes SET tries_left = 0 WHERE phone = ?').bind(trader.phone).run();
    expect((await redeem(trader, code)).status, 'a stranger, once strangers have no tries left').toBe(400);
    expect((await redeem(trader, code, own)).status, 'who asked').toBe(200);
  });

  it('I-08: is long after a hundred wrong ones: nobody guesses it, and nobody keeps its owner out', async () => {
    const trader = await createTrader(db);
    const [home, elsewhere] = [freshAddress(), freshAddress()];
    later(0);
    const first = await receiveCode(trader.phone);
    expect((await redeem(trader, first, home)).status).toBe(200);
    await env.DB.prepare('UPDATE one_time_codes SET wrong_codes = 98, wrong_since = ? WHERE phone = ?')
      .bind(Date.now(), trader.phone)
      .run();
    later(150_000);
    await sendTo(trader.phone, home);
    const short = await lastCodeTo(trader.phone, first);
    // Of known addresses and others alike; a right one in between is none.
    expect((await redeem(trader, wrongFor(short), home)).status).toBe(400);
    expect((await redeem(trader, wrongFor(short))).status).toBe(400);
    expect((await redeem(trader, short, home)).status, 'six digits open nothing any more').toBe(400);
    later(40_000);
    await sendTo(trader.phone, home);
    const text = await lastMessageTo(trader.phone);
    const long = /^[0-9A-Z]{5}-[0-9A-Z]{5}-[0-9A-Z]{4}/.exec(text)?.[0] ?? '';
    expect(text).toBe(
      `${long} is your one-time code for Test application. It is valid for 5 minutes. Tell it to nobody. 2 wrong codes were tried for your number.`,
    );
    await env.DB.prepare(
      'UPDATE one_time_codes SET tries_left = 0, askers_tries_left = 0, tries_since = ? WHERE phone = ?',
    )
      .bind(Date.now(), trader.phone)
      .run();
    expect((await redeem(trader, 'AAAAA-AAAAA-AAAA', elsewhere)).status).toBe(400);
    expect((await redeem(trader, long.toLowerCase(), elsewhere)).status, 'from anywhere').toBe(200);
    expect((await redeem(trader, long, elsewhere)).status, 'once').toBe(400);
    // A right code does not forget the wrong ones at once, else who signs in daily is guessed at daily.
    const wrong = async () =>
      (await env.DB.prepare('SELECT wrong_codes AS n FROM one_time_codes WHERE phone = ?').bind(trader.phone).first())
        ?.n;
    expect(await wrong()).toBe(100);
    later(30 * 86_400_000);
    await sendTo(trader.phone, home);
    const next = /^[0-9A-Z-]{16}/.exec(await lastMessageTo(trader.phone))?.[0] ?? '';
    expect(next).not.toBe(long);
    expect((await redeem(trader, next, home)).status).toBe(200);
    expect(await wrong()).toBe(0);
  });

  it('I-08: is good at the client alone that it was asked for at, whose name its message says', async () => {
    const trader = await createTrader(db);
    await createOAuthClient(db, {
      id: 'other-app',
      owner: 'org-test',
      name: 'Another application',
      secretHash: null,
      grants: ['password'],
      userId: null,
      createdAt: Date.now(),
    });
    const code = await receiveCode(trader.phone);
    expect(await lastMessageTo(trader.phone)).toContain(' for Test application.');
    const form = { grant_type: 'password', client_id: 'other-app', username: trader.phone, password: code };
    expect((await call('POST /iam/api/login/oauth/access_token', { form, address: freshAddress() })).status).toBe(400);
    // Who asks at another client keeps nobody from a code at this one.
    const asked = { phone: trader.phone, client_id: 'other-app' };
    expect((await call('POST /iam/api/login/oauth/send-code', { form: asked })).status).toBe(200);
    expect((await redeem(trader, code)).status).toBe(200);
    // Asked for at no client, it is good at each, once.
    later(60_000);
    expect((await call('POST /iam/api/login/oauth/send-code', { form: { phone: trader.phone } })).status).toBe(200);
    const ofNoClient = await vi.waitFor(async () => {
      const { body } = await call('GET /iam/dev/outbox');
      const sent = (body as { data: { phone: string; text: string }[] }).data;
      const found = sent.find(({ phone, text }) => phone === trader.phone && text.includes('is your one-time code. '));
      if (found === undefined) throw new Error('no message that names no client');
      return found.text.slice(0, 6);
    });
    const there = { ...form, password: ofNoClient };
    expect(
      (await call('POST /iam/api/login/oauth/access_token', { form: there, address: freshAddress() })).status,
    ).toBe(200);
    expect((await redeem(trader, ofNoClient)).status).toBe(400);
    const unknown = { phone: trader.phone, client_id: 'nobody' };
    expect(codeOf(await call('POST /iam/api/login/oauth/send-code', { form: unknown }))).toBe('VALIDATION_ERROR');
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
    const { results } = await env.DB.prepare('SELECT * FROM one_time_codes WHERE phone = ?')
      .bind(`${trader.phone} ${APP}`)
      .all();
    const addresses = await env.DB.prepare('SELECT * FROM one_time_code_addresses').all();
    expect(JSON.stringify(addresses.results)).not.toMatch(/10\.\d+\.|\+1555/);
    // A phone and a time may have the same six digits by chance.
    const { phone: _, ...others } = results[0] as Record<string, unknown>;
    const texts = Object.values(others).filter((value) => typeof value === 'string');
    expect(texts.filter((text) => text.includes(code))).toEqual([]);
    expect(results[0]!.code_hash).toBe(await codeHashOf(trader.phone, code, env, APP));
    expect(results[0]!.code_hash).not.toBe(await codeHashOf(trader.phone, code, env));
    expect(results[0]!.code_hash).not.toBe(await codeHashOf('+15550000000', code, env, APP));
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
    const response = await elsewhere(gateway, 'POST /iam/api/login/oauth/send-code', {
      phone: trader.phone,
      client_id: APP,
    });
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
        client_id: APP,
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
