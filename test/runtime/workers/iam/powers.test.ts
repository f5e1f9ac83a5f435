import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { createTestKey } from '../../fixtures/api-key.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';

let db: Database;
let venue: SignedIn;
let venueOperator: Trader;

beforeAll(async () => {
  db = await migrate();
  await createApp();
  await createCurrency(db);
  venueOperator = await createTrader(db, { roles: ['operator'], owner: VENUE_OWNER });
  venue = await signIn(venueOperator.phone);
});

const as = async (roles: ('operator' | 'access_manager' | 'auditor')[], owner?: string) =>
  signIn((await createTrader(db, { roles, ...(owner === undefined ? {} : { owner }) })).phone);

interface Action {
  readonly type: string;
  readonly subject: string;
  readonly actor: string;
  readonly requestId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly timestamp: string;
}

/** Newest first. */
async function trailOf(reader: SignedIn, subject: string): Promise<Action[]> {
  const { body } = await call(`GET /exchange/v1/operator/audit-trail?subject=${subject}`, { headers: reader.tenant });
  return (body as { data: Action[] }).data;
}

describe('an operator of an organization', () => {
  it('sees, and neither sets rate limits, nor revokes keys, nor pulls the kill switch of its users', async () => {
    const trader = await createTrader(db);
    const key = await createTestKey(trader);
    const { bearer, tenant } = await as(['operator']);
    const account = await call(`GET /exchange/v1/operator/accounts/${trader.accountId}`, { headers: tenant });
    expect(account.status).toBe(200);
    const limits = await call(`PUT /iam/v1/keys/${key.id}/rate-limits`, { headers: bearer, json: { orders: 1_000 } });
    expect([limits.status, codeOf(limits)]).toEqual([403, 'FORBIDDEN']);
    expect((await call(`DELETE /iam/v1/keys/${key.id}`, { headers: bearer })).status).toBe(404);
    expect((await call(`POST /iam/v1/users/${trader.userId}/kill-switch`, { headers: bearer })).status).toBe(404);
    expect((await call('GET /book/v1/account/balances', { headers: key.headers })).status).toBe(200);
    expect(await trailOf(venue, trader.userId)).toEqual([]);
  });
});

describe('a use of a power that is refused', () => {
  it('stands in the audit trail once a person, power and hour, with what was asked for first', async () => {
    const trader = await createTrader(db);
    const key = await createTestKey(trader);
    const caller = await createTrader(db, { roles: ['operator'] });
    const { bearer, tenant } = await signIn(caller.phone);
    const json = { accountId: trader.accountId, assetId: 'usd', amount: 1 };
    for (let times = 0; times < 3; times++)
      expect((await call('POST /exchange/v1/operator/deposits', { headers: tenant, json })).status).toBe(403);
    expect((await call('POST /exchange/v1/operator/venue/halt', { headers: tenant })).status).toBe(403);
    expect((await call(`DELETE /iam/v1/keys/${key.id}`, { headers: bearer })).status).toBe(404);
    expect((await call(`POST /iam/v1/users/${trader.userId}/kill-switch`, { headers: bearer })).status).toBe(404);
    const entries = await trailOf(venue, caller.userId);
    // Two of each at most, where an hour ends in between.
    const ofMoney = entries.filter(({ details }) => details.power === 'run_venue');
    expect([1, 2]).toContain(ofMoney.length);
    const refused = { type: 'operator.power_refused', actor: caller.userId };
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...refused,
        details: { power: 'run_venue', attempt: 'POST /v1/operator/deposits' },
      }),
    );
    expect(entries).toContainEqual(
      expect.objectContaining({
        ...refused,
        details: { power: 'manage_credentials', attempt: `revoke key ${key.id}` },
      }),
    );
  });

  it('is none of one’s own, nor where nothing is there', async () => {
    const trader = await createTrader(db);
    const { bearer } = await signIn(trader.phone);
    expect((await call(`DELETE /iam/v1/keys/${uuidv7()}`, { headers: bearer })).status).toBe(404);
    expect((await call(`POST /iam/v1/users/${uuidv7()}/kill-switch`, { headers: bearer })).status).toBe(404);
    expect(await trailOf(venue, trader.userId)).toEqual([]);
  });
});

describe('each use of a power over others', () => {
  it('stands in the audit trail: who, what, on whom, when, and what came of it', async () => {
    const trader = await createTrader(db);
    const key = await createTestKey(trader);
    const manager = await createTrader(db, { roles: ['access_manager'] });
    const theirs = await signIn(manager.phone);
    const request = (id: string, headers: SignedIn['bearer']) => ({ headers: { ...headers, 'x-request-id': id } });
    const limits = { ...request('request-limits', venue.bearer), json: { orders: 20 } };
    expect((await call(`PUT /iam/v1/keys/${key.id}/rate-limits`, limits)).status).toBe(200);
    expect((await call(`DELETE /iam/v1/keys/${key.id}`, request('request-revoke', theirs.bearer))).status).toBe(200);
    const kill = `POST /iam/v1/users/${trader.userId}/kill-switch`;
    expect((await call(kill, request('request-killed', theirs.bearer))).status).toBe(200);
    const trail = await trailOf(await as(['operator']), trader.userId);
    expect(trail.map(({ type, actor, requestId, details }) => [type, actor, requestId, details.result])).toEqual([
      ['operator.kill_switch_pulled', manager.userId, 'request-killed', 'done'],
      ['operator.kill_switch_pulled', manager.userId, 'request-killed', 'begun'],
      ['operator.key_revoked', manager.userId, 'request-revoke', 'done'],
      ['operator.key_revoked', manager.userId, 'request-revoke', 'begun'],
      ['operator.rate_limits_set', venueOperator.userId, 'request-limits', 'done'],
      ['operator.rate_limits_set', venueOperator.userId, 'request-limits', 'begun'],
    ]);
    expect(trail.at(-1)?.details).toMatchObject({ keyId: key.id, before: null, after: { orders: 20 } });
    expect(Math.abs(Date.parse(trail[0]!.timestamp) - Date.now())).toBeLessThan(60_000);
    expect(await trailOf(await as(['operator'], 'org-other'), trader.userId)).toEqual([]);
  });

  it('is none where somebody ends what is their own', async () => {
    const trader = await createTrader(db);
    const key = await createTestKey(trader);
    const { bearer } = await signIn(trader.phone);
    expect((await call(`DELETE /iam/v1/keys/${key.id}`, { headers: bearer })).status).toBe(200);
    expect((await call(`POST /iam/v1/users/${trader.userId}/kill-switch`, { headers: bearer })).status).toBe(200);
    expect(await trailOf(venue, trader.userId)).toEqual([]);
  });

  it('is recorded of signing keys, too', async () => {
    expect((await call('POST /iam/v1/signing-keys/rotate', { headers: venue.bearer })).status).toBe(200);
    const [last] = await trailOf(venue, 'venue');
    expect(last).toMatchObject({
      type: 'operator.signing_key_rotated',
      actor: venueOperator.userId,
      details: { result: 'done', retire: 'unused' },
    });
  });
});

describe('an auditor of the venue', () => {
  it('reads the audit and moves nothing', async () => {
    const trader = await createTrader(db);
    const { tenant, bearer } = await as(['auditor'], VENUE_OWNER);
    expect((await call('GET /exchange/v1/operator/audit', { headers: tenant })).status).toBe(200);
    expect((await call('GET /exchange/v1/operator/ledger', { headers: tenant })).status).toBe(200);
    const json = { accountId: trader.accountId, assetId: 'usd', amount: 1 };
    const deposit = await call('POST /exchange/v1/operator/deposits', { headers: tenant, json });
    expect([deposit.status, codeOf(deposit)]).toEqual([403, 'FORBIDDEN']);
    const halt = await call('POST /exchange/v1/operator/halt', { headers: tenant, json: { reason: 'none' } });
    expect([403, 404]).toContain(halt.status);
    expect((await call('POST /iam/v1/signing-keys/rotate', { headers: bearer })).status).toBe(403);
  });

  it('of another organization audits nothing of the venue', async () => {
    const { tenant } = await as(['auditor']);
    expect((await call('GET /exchange/v1/operator/audit', { headers: tenant })).status).toBe(403);
  });
});
