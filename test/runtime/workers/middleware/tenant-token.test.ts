import { env } from 'cloudflare:workers';
import { decodeJwt } from 'jose';
import { beforeAll, describe, expect, it } from 'vitest';
import { issueTenantToken, tenantTokenFits } from '../../../../application/identity/tenant-token.ts';
import type { Database } from '../../../../data/database.ts';
import type { VerifiedToken } from '../../../../durable-objects/credentials/access-token.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';
import { skipTime } from '../../fixtures/skip-time.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
  await createApp();
});

describe('POST /v1/auth/tenant-token', () => {
  it('answers a tenant token that is bound to the subject and owner of the access token', async () => {
    const trader = await createTrader(db);
    const { bearer, accessToken } = await signIn(trader.phone);
    const answer = await call('POST /exchange/v1/auth/tenant-token', { headers: bearer });
    expect(answer.status).toBe(200);
    expect(Object.keys(answer.body as object)).toEqual(['token']);
    const tenant = decodeJwt((answer.body as { token: string }).token);
    const access = decodeJwt(accessToken);
    expect(tenant).toMatchObject({ aud: 'tenant', sub: access.sub, owner: access.owner });
    expect(tenant.exp).toBeLessThanOrEqual(access.exp ?? 0);
  });

  it('a tenant token opens profile A only together with the access token it was made for', async () => {
    const [one, two] = [await signIn((await createTrader(db)).phone), await signIn((await createTrader(db)).phone)];
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await call('GET /exchange/v1/account', { headers })).status;
    expect(await status({ ...one.tenant })).toBe(200);
    expect(await status({ ...one.bearer })).toBe(401);
    expect(await status({ ...one.bearer, 'tenant-authorization': two.tenant['tenant-authorization'] })).toBe(401);
  });

  it('a tenant token that has been seen in date fits nobody beyond its end', async () => {
    const { accessToken } = await signIn((await createTrader(db)).phone);
    const { sub = '', owner } = decodeJwt<{ owner: string }>(accessToken);
    const bearer = { subject: sub, owner, expiresAt: Math.floor(Date.now() / 1_000) + 60 } as VerifiedToken;
    const token = await issueTenantToken(bearer, env);
    expect(await tenantTokenFits(token, bearer, env)).toBe(true);
    skipTime(61_000);
    expect(await tenantTokenFits(token, bearer, env)).toBe(false);
  });
});
