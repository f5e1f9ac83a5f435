import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { endExpiredKeys } from '../../../../application/identity/keys/end-expired-keys.ts';
import { revokeKey } from '../../../../application/identity/keys/revoke-key.ts';
import { rotateKey } from '../../../../application/identity/keys/rotate-key.ts';
import { pullKillSwitch } from '../../../../application/identity/pull-kill-switch.ts';
import type { Database } from '../../../../data/database.ts';
import { listApiKeys } from '../../../../data/identity/api-keys.ts';
import type { Principal } from '../../../../domain/identity/principal.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { gateOf } from '../../../../durable-objects/gate/api.ts';
import { loadKey } from '../../../../durable-objects/gate/loaded-key.ts';
import { PROJECTED_WAIT_MS } from '../../../../durable-objects/ledger/api.ts';
import { userGateName } from '../../../../protocol/object-names/gate-name.ts';
import { brokenFor } from '../../fixtures/broken-for.ts';
import { type Answer, call, codeOf } from '../../fixtures/call.ts';
import { createCurrency, USD } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type TraderTerms } from '../../fixtures/create-trader.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { hold } from '../../fixtures/hurry.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';

let db: Database;
/** An asset whose id is a UUID, as those of a venue are. */
const TREE = '01a224cf-8986-7559-8032-78d047c908d8';

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createCurrency(db);
  await createPair(db, 'ACME');
  await createPair(db, 'TREE', { asset: { id: TREE } });
});

/** A stub whose object cannot be reached. */
function lost(): never {
  throw new Error('Network connection lost.');
}

interface Made {
  readonly id: string;
  readonly secret: string;
}

async function makeKey(bearer: Record<string, string>, terms: object = {}): Promise<Made> {
  const { body } = await call('POST /iam/v1/keys', {
    headers: bearer,
    json: { name: 'bot', scopes: ['read', 'trade'], ...terms },
  });
  return (body as { data: Made }).data;
}

const headersOf = ({ id, secret }: Made) => ({ 'x-api-key': id, 'x-api-secret': secret });

const balances = (key: Made) => call('GET /book/v1/account/balances', { headers: headersOf(key) });

describe('I-18: the end and the last use of a key', () => {
  afterEach(() => vi.useRealTimers());

  it('are shown; the Gate refuses it from its end on, and its orders are cancelled', async () => {
    const { bearer, ...trader } = await (async () => {
      const person = await createTrader(db);
      return { ...person, ...(await signIn(person.phone)) };
    })();
    const now = Date.now();
    const ends = new Date(now + 60_000).toISOString();
    const key = await makeKey(bearer, { expiresAt: ends });
    const lasting = await makeKey(bearer);
    const shown = async () =>
      (await listApiKeys(db, trader.userId)).map(({ id, status, expiresAt, usedOn }) => ({
        id,
        status,
        expiresAt,
        usedOn,
      }));
    expect(await shown()).toContainEqual({ id: key.id, status: 'active', expiresAt: now + 60_000, usedOn: null });
    expect((await balances(key)).status).toBe(200);
    const today = new Date(now).toISOString().slice(0, 10);
    await vi.waitFor(async () => {
      const { body } = await call('GET /iam/v1/keys', { headers: bearer });
      expect((body as { data: unknown[] }).data).toEqual([
        expect.objectContaining({ id: lasting.id, expiresAt: null, lastUsedOn: null }),
        expect.objectContaining({ id: key.id, expiresAt: ends, lastUsedOn: today }),
      ]);
    });
    vi.useFakeTimers({ toFake: ['Date'], now: now + 60_000 });
    expect((await balances(key)).status).toBe(401);
    const gate = gateOf(env, userGateName('org-test', trader.userId));
    expect(await gate.watchKey(key.id, { kind: 'feed', name: 'of nobody' })).toBeNull();
    expect(await gate.openSession(key.id)).toBeNull();
    expect((await balances(lasting)).status).toBe(200);
    await endExpiredKeys(env, now + 59_999);
    expect((await shown()).map(({ status }) => status)).toEqual(['active', 'active']);
    await endExpiredKeys(env, now + 60_000);
    expect((await shown()).map(({ status }) => status)).toEqual(['active', 'revoked']);
  });

  it('ends each alone: one that cannot be ended keeps back no other', async () => {
    const { phone } = await createTrader(db);
    const { bearer } = await signIn(phone);
    const keys = [await makeKey(bearer), await makeKey(bearer), await makeKey(bearer)];
    const ids = keys.map(({ id }) => id);
    for (const id of ids) await env.DB.prepare('UPDATE api_keys SET expires_at = 1 WHERE id = ?').bind(id).run();
    const statusOf = async () => {
      const rows = await Promise.all(
        ids.map((id) =>
          env.DB.prepare('SELECT status FROM api_keys WHERE id = ?').bind(id).first<{ status: string }>(),
        ),
      );
      return rows.map((row) => row?.status);
    };
    const failure = await endExpiredKeys(brokenFor(ids.slice(0, 2)), Date.now()).catch((error: unknown) => error);
    expect(failure).toMatchObject({ message: 'a key whose end has come was not ended: 2 failed' });
    expect((await statusOf()).at(-1), 'the one behind them').toBe('revoked');
    await endExpiredKeys(env, Date.now());
    expect(await statusOf()).toEqual(['revoked', 'revoked', 'revoked']);
  });

  it('is one of the venue, too: secrets that are older end, and nobody makes a key that lives longer', async () => {
    const person = await createTrader(db);
    const { bearer } = await signIn(person.phone);
    const key = await makeKey(bearer);
    const old = Date.now() - 31 * 86_400_000;
    await env.DB.prepare('UPDATE api_keys SET created_at = ? WHERE id = ?').bind(old, key.id).run();
    const venue = { ...env, API_KEY_DAYS_MAX: '30' };
    expect((await loadKey(venue, key.id))?.endsAt).toBe(old + 30 * 86_400_000);
    expect((await loadKey(env, key.id))?.endsAt).toBeNull();
    await endExpiredKeys(env, Date.now());
    expect((await balances(key)).status).toBe(200);
    await endExpiredKeys(venue, Date.now());
    expect((await balances(key)).status).toBe(401);
    for (const [expiresAt, reason] of [
      ['2020-01-01T00:00:00Z', 'past'],
      ['2020-01-01', undefined],
    ]) {
      const answer = await call('POST /iam/v1/keys', {
        headers: bearer,
        json: { name: 'k', scopes: ['read'], expiresAt },
      });
      expect(answer.status).toBe(400);
      if (reason !== undefined) expect(answer.body).toMatchObject({ error: { details: { reason } } });
    }
  });
});

describe('API keys of a user', () => {
  it('are made with scopes, name, allowlist and limits, the secret shown once', async () => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const terms = {
      name: 'bot',
      scopes: ['read', 'trade'],
      ipAllowlist: ['198.51.100.0/24'],
      positionLimits: { [USD]: 12.5, acme: 100 },
      dailyLossMax: 1_000.5,
      orderSizeLimits: { [USD]: 0.5, acme: 10 },
      dailyNotionalMax: 25_000.25,
      symbols: ['ACME-USD'],
    };
    const made = await call('POST /iam/v1/keys', { headers: bearer, json: terms });
    expect(made).toMatchObject({ status: 201, body: { message: 'ok', data: { ...terms, status: 'active' } } });
    const { id, secret } = (made.body as { data: Made }).data;
    expect(secret).toMatch(/^[\w-]{43}$/);
    const listed = await call('GET /iam/v1/keys', { headers: bearer });
    expect(listed).toMatchObject({
      status: 200,
      body: { data: [{ id, ...terms, status: 'active', revokedAt: null }] },
    });
    expect(JSON.stringify(listed.body)).not.toContain(secret);
  });

  it('name assets by their ids in any case', async () => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const limits = { positionLimits: { [TREE.toUpperCase()]: 7 }, orderSizeLimits: { [TREE.toUpperCase()]: 3 } };
    const made = await call('POST /iam/v1/keys', {
      headers: bearer,
      json: { name: 'bot', scopes: ['read', 'trade'], ...limits },
    });
    const kept = { positionLimits: { [TREE]: 7 }, orderSizeLimits: { [TREE]: 3 } };
    expect(made).toMatchObject({ status: 201, body: { data: kept } });
  });

  it.each([
    [{ name: '' }],
    [{ scopes: [] }],
    [{ scopes: ['withdraw'] }],
    [{ positionLimits: { [TREE]: 1, [TREE.toUpperCase()]: 2 } }],
    [{ ipAllowlist: ['not an address'] }],
    [{ positionLimits: { acme: 0.5 } }],
    [{ positionLimits: { acme: 2 ** 51 + 1 } }],
    [{ orderSizeLimits: { acme: 2 ** 51 + 1 } }],
    [{ dailyLossMax: 0.001 }],
    [{ orderSizeLimits: { acme: 0.5 } }],
    [{ dailyNotionalMax: 0.001 }],
    [{ dailyNotionalMax: -1 }],
    [{ symbols: [] }],
  ])('are refused with %j', async (terms) => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const answer = await call('POST /iam/v1/keys', {
      headers: bearer,
      json: { name: 'bot', scopes: ['read'], ...terms },
    });
    expect([answer.status, codeOf(answer)]).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('are refused with a symbol that is no market to their account, be it that it may not see the offering', async () => {
    await createPair(db, 'QUIET', { asset: { accreditationType: '506b' } });
    await createPair(db, 'NOTYET', { asset: { status: 'PENDING' } });
    const make = async (symbols: readonly string[], terms: TraderTerms = {}, shares = 0) => {
      const trader = await createTrader(db, terms);
      if (shares > 0) await giveHolding({ accountId: trader.accountId, asset: 'quiet', lots: [{ quantity: shares }] });
      const { bearer } = await signIn(trader.phone);
      const json = { name: 'bot', scopes: ['trade'], symbols };
      const { status, body } = await call('POST /iam/v1/keys', { headers: bearer, json });
      return [status, (body as { error?: object }).error];
    };
    const unknown = (symbol: string) => [
      400,
      { code: 'INVALID_SYMBOL', message: expect.any(String), details: { symbol } },
    ];
    expect(await make(['ACME-USD', 'ACNE-USD'])).toEqual(unknown('ACNE-USD'));
    expect(await make(['NOTYET-USD'])).toEqual(unknown('NOTYET-USD'));
    expect(await make(['ACME-USD', 'QUIET-USD'])).toEqual(unknown('QUIET-USD'));
    expect(await make(['QUIET-USD'], {}, 5)).toEqual([201, undefined]);
    expect(
      await make(['ACME-USD', 'QUIET-USD'], { accreditationStatus: 'completed', accreditationType: '506b' }),
    ).toEqual([201, undefined]);
  });

  it('rotate: the last secret ends at once', async () => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const key = await makeKey(bearer);
    expect((await balances(key)).status).toBe(200);
    const { body } = await call(`POST /iam/v1/keys/${key.id}/rotate`, { headers: bearer });
    expect((await balances(key)).status).toBe(401);
    expect((await balances((body as { data: Made }).data)).status).toBe(200);
  });

  it('act for the account of their owner alone', async () => {
    const [owner, other] = [await createTrader(db, { cash: 500 }), await createTrader(db, { cash: 900 })];
    const key = await makeKey((await signIn(owner.phone)).bearer);
    const answer = await balances(key);
    expect(JSON.stringify(answer.body)).toContain('5');
    const elsewhere = (await signIn(other.phone)).bearer;
    for (const target of [`DELETE /iam/v1/keys/${key.id}`, `POST /iam/v1/keys/${key.id}/rotate`]) {
      const refused = await call(target, { headers: elsewhere });
      expect([refused.status, codeOf(refused)]).toEqual([404, 'NOT_FOUND']);
    }
  });

  it('have their secret replaced by their owner alone, not by an operator who may revoke them', async () => {
    const key = await makeKey((await signIn((await createTrader(db)).phone)).bearer);
    for (const owner of ['org-test', VENUE_OWNER]) {
      const { bearer } = await signIn((await createTrader(db, { roles: ['operator'], owner })).phone);
      const refused = await call(`POST /iam/v1/keys/${key.id}/rotate`, { headers: bearer });
      expect([refused.status, codeOf(refused)]).toEqual([404, 'NOT_FOUND']);
    }
    expect((await balances(key)).status).toBe(200);
  });

  it('are at most 50 that are active', async () => {
    const { bearer } = await signIn((await createTrader(db)).phone);
    const [first] = await Promise.all(Array.from({ length: 50 }, () => makeKey(bearer)));
    const make = () => call('POST /iam/v1/keys', { headers: bearer, json: { name: 'bot', scopes: ['read'] } });
    const refused = await make();
    expect([refused.status, codeOf(refused)]).toEqual([409, 'CONFLICT']);
    await call(`DELETE /iam/v1/keys/${first?.id}`, { headers: bearer });
    expect((await make()).status).toBe(201);
  });

  it('have their limits raised by an operator of the venue, and nobody else', async () => {
    const trader = await createTrader(db);
    const operator = await createTrader(db, { roles: ['operator'], owner: VENUE_OWNER });
    const theirs = await createTrader(db, { roles: ['operator', 'access_manager'] });
    const { bearer } = await signIn(trader.phone);
    const key = await makeKey(bearer);
    expect((await balances(key)).headers.get('x-ratelimit-limit')).toBe('300');
    const raise = async (headers: Record<string, string>) =>
      (await call(`PUT /iam/v1/keys/${key.id}/rate-limits`, { headers, json: { private: 5_000 } })).status;
    expect(await raise(bearer)).toBe(403);
    expect(await raise((await signIn(theirs.phone)).bearer)).toBe(403);
    const { bearer: headers } = await signIn(operator.phone);
    expect(await raise(headers)).toBe(200);
    expect((await balances(key)).headers.get('x-ratelimit-limit')).toBe('5000');
    const misspelt = await call(`PUT /iam/v1/keys/${key.id}/rate-limits`, { headers, json: { privat: 10 } });
    expect([misspelt.status, codeOf(misspelt)]).toEqual([400, 'VALIDATION_ERROR']);
    expect((await balances(key)).headers.get('x-ratelimit-limit')).toBe('5000');
  });
});

describe('the kill switch', () => {
  /** A user with two resting sell orders, one by each of two keys. */
  async function restingSeller(owner = 'org-test') {
    const seller = await createTrader(db, { owner });
    await giveHolding({ accountId: seller.accountId, asset: 'acme', lots: [{ quantity: 10 }] });
    const session = await signIn(seller.phone);
    const keys = [await makeKey(session.bearer), await makeKey(session.bearer)];
    const orderIds: string[] = [];
    for (const key of keys) {
      const order = { symbol: 'ACME-USD', side: 'sell', type: 'limit', price: 900, size: 1, time_in_force: 'GTC' };
      const placed = await call('POST /book/v1/orders', { headers: headersOf(key), json: order });
      expect(placed.status).toBe(200);
      orderIds.push((placed.body as { order_id: string }).order_id);
    }
    return { seller, session, keys: keys as [Made, Made], orderIds: orderIds as [string, string] };
  }

  const orderState = async (answer: Promise<Answer>) => ((await answer).body as { status?: string }).status;

  it('of a key revokes it at once and cancels its open orders, not those of another key', async () => {
    const { session, keys, orderIds } = await restingSeller();
    const killed = await call(`DELETE /iam/v1/keys/${keys[0].id}`, { headers: session.bearer });
    expect(killed).toMatchObject({ status: 200, body: { data: { id: keys[0].id, cancelledOrderIds: [orderIds[0]] } } });
    expect((await balances(keys[0])).status).toBe(401);
    const view = (id: string) => call(`GET /book/v1/orders/${id}`, { headers: headersOf(keys[1]) });
    expect(await orderState(view(orderIds[0]))).toBe('cancelled');
    expect(await orderState(view(orderIds[1]))).toBe('open');
    const { body } = await call('GET /iam/v1/keys', { headers: session.bearer });
    expect(body).toMatchObject({ data: [{ status: 'active' }, { status: 'revoked', revokedAt: expect.any(String) }] });
    expect((await call(`POST /iam/v1/keys/${keys[0].id}/rotate`, { headers: session.bearer })).status).toBe(409);
  });

  it('of a user ends every token and key at once and cancels every open order; signing in again works', async () => {
    const { seller, session, keys, orderIds } = await restingSeller();
    const killed = await call(`POST /iam/v1/users/${seller.userId}/kill-switch`, { headers: session.bearer });
    expect(killed.status).toBe(200);
    const { revokedKeyIds, cancelledOrderIds } = (killed.body as { data: Record<string, string[]> }).data;
    expect(revokedKeyIds!.sort()).toEqual(keys.map((key) => key.id).sort());
    expect(cancelledOrderIds!.sort()).toEqual([...orderIds].sort());
    expect((await call('GET /iam/api/userinfo', { headers: session.bearer })).status).toBe(401);
    expect((await balances(keys[1])).status).toBe(401);
  });

  it('of a user ends the keys that are being made meanwhile', async () => {
    for (let round = 0; round < 5; round++) {
      const trader = await createTrader(db);
      const { bearer } = await signIn(trader.phone);
      const making = Array.from({ length: 10 }, () =>
        call('POST /iam/v1/keys', { headers: bearer, json: { name: 'bot', scopes: ['read'] } }),
      );
      expect((await call(`POST /iam/v1/users/${trader.userId}/kill-switch`, { headers: bearer })).status).toBe(200);
      for (const { status } of await Promise.all(making)) expect([201, 401]).toContain(status);
      expect((await listApiKeys(db, trader.userId)).filter(({ status }) => status === 'active')).toEqual([]);
    }
  });

  it('of a user leaves no order open that a token was placing meanwhile, however slow the ledger is', async () => {
    faults.plan = { kills: () => false, ledger: () => 'slow' };
    for (let round = 0; round < 5; round++) {
      const trader = await createTrader(db, { cash: 1_000_00 });
      const { bearer } = await signIn(trader.phone);
      const order = { symbol: 'ACME-USD', side: 'buy', type: 'limit', price: 1, size: 1 };
      const placing = Array.from({ length: 9 }, async (_, i) => {
        await scheduler.wait(i);
        return call('POST /book/v1/orders', { headers: bearer, json: order });
      });
      await scheduler.wait(2 * round);
      expect((await call(`POST /iam/v1/users/${trader.userId}/kill-switch`, { headers: bearer })).status).toBe(200);
      await Promise.all(placing);
      await settle('ACME-USD');
      const held = await env.DB.prepare('SELECT id, status FROM orders WHERE account = ?1 AND open = 1')
        .bind(trader.accountId)
        .all();
      expect(held.results).toEqual([]);
    }
    clearFaults();
  });

  it('of a user ends its tokens before it waits for the ledger or for D1', async () => {
    const trader = await createTrader(db, { cash: 1_000_00 });
    const { bearer } = await signIn(trader.phone);
    const userinfo = async () => (await call('GET /iam/api/userinfo', { headers: bearer })).status;
    expect(await userinfo()).toBe(200);
    planLedgerFaults({ d1: () => 'away' });
    const letGo = hold(PROJECTED_WAIT_MS);
    const killing = call(`POST /iam/v1/users/${trader.userId}/kill-switch`, { headers: bearer });
    const ended = expect.poll(userinfo).toBe(401);
    expect(await Promise.race([ended.then(() => 'tokens'), killing.then(() => 'answer')])).toBe('tokens');
    letGo();
    expect((await killing).status).toBe(503);
    clearLedgerFaults();
  });

  it('claims nothing ended while the ledger is away, and nothing cancelled while a book is', async () => {
    const { seller, keys } = await restingSeller();
    const lost = () => Promise.reject(new Error('connection lost'));
    const away = { getByName: () => new Proxy({}, { get: () => lost }) };
    const withoutLedger = { ...env, LEDGER: away } as unknown as Env;
    const withoutBooks = { ...env, ORDER_BOOK: away } as unknown as Env;
    const { userId, owner } = seller;
    const actor = {
      principal: { userId, owner, roles: ['trader'] } as unknown as Principal,
      requestId: 'request-0001',
    };
    const unavailable = { ok: false, error: { code: 'SERVICE_UNAVAILABLE' } };
    const unreached = { ok: false, error: { code: 'SERVICE_UNAVAILABLE', details: { unreachable: ['ACME-USD'] } } };
    expect(await revokeKey(withoutLedger, actor, keys[0].id)).toMatchObject(unavailable);
    expect((await balances(keys[0])).status).toBe(200);
    expect(await pullKillSwitch(withoutLedger, actor, seller.userId)).toMatchObject(unavailable);
    expect((await balances(keys[0])).status).toBe(200);
    expect(await revokeKey(withoutBooks, actor, keys[0].id)).toMatchObject(unreached);
    expect(await pullKillSwitch(withoutBooks, actor, seller.userId)).toMatchObject(unreached);
    expect(await pullKillSwitch(env, actor, seller.userId)).toMatchObject({ ok: true });
  });

  it('answers what was done although the Gate of the key itself is away, and so does another secret', async () => {
    const { phone, userId, owner } = await createTrader(db);
    const made = await makeKey((await signIn(phone)).bearer);
    const away = { getByName: (name: string) => (name.startsWith('key:') ? lost() : env.GATE.getByName(name)) };
    const withoutKeyGates = { ...env, GATE: away } as unknown as Env;
    const principal = { userId, owner, roles: ['trader'] } as unknown as Principal;
    const admit = async (secret: string) => {
      const attempt = { keyId: made.id, proof: { type: 'secret', secret } } as const;
      const draw = { bucket: 'private', cost: 1, clientAddress: '192.0.2.1' } as const;
      return (await gateOf(env, userGateName(owner, userId)).admitKey(attempt, draw)).type;
    };
    expect(await admit(made.secret)).toBe('admitted');
    const rotated = await rotateKey(withoutKeyGates, { principal }, made.id);
    expect(rotated).toMatchObject({ ok: true });
    expect(await admit(made.secret)).toBe('refused');
    const secret = rotated.ok ? rotated.value : '';
    expect(await admit(secret)).toBe('admitted');
    const actor = { principal, requestId: 'request-0002' };
    expect(await revokeKey(withoutKeyGates, actor, made.id)).toMatchObject({ ok: true });
    expect(await admit(secret)).toBe('refused');
  });

  it('of another user is pulled by an access manager of their organization, or from the venue', async () => {
    const operators = [
      await createTrader(db, { roles: ['access_manager'] }),
      await createTrader(db, { roles: ['access_manager'], owner: VENUE_OWNER }),
      await createTrader(db, { roles: ['operator'], owner: VENUE_OWNER }),
    ];
    for (const operator of operators) {
      const { seller, keys, orderIds } = await restingSeller();
      const { bearer } = await signIn(operator.phone);
      const killed = await call(`DELETE /iam/v1/keys/${keys[0].id}`, { headers: bearer });
      expect(killed).toMatchObject({ status: 200, body: { data: { cancelledOrderIds: [orderIds[0]] } } });
      const all = await call(`POST /iam/v1/users/${seller.userId}/kill-switch`, { headers: bearer });
      expect(all).toMatchObject({ status: 200, body: { data: { cancelledOrderIds: [orderIds[1]] } } });
    }
  });

  it('of another user is 404 for anyone else', async () => {
    const target = await createTrader(db);
    const strangers = [
      await createTrader(db),
      await createTrader(db, { roles: ['operator'] }),
      await createTrader(db, { roles: ['access_manager'], owner: 'org-other' }),
      await createTrader(db, { roles: ['auditor'], owner: VENUE_OWNER }),
    ];
    for (const stranger of strangers) {
      const { bearer } = await signIn(stranger.phone);
      const refused = await call(`POST /iam/v1/users/${target.userId}/kill-switch`, { headers: bearer });
      expect([refused.status, codeOf(refused)]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
