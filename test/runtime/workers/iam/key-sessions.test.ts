import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { invalidateKey } from '../../../../application/identity/invalidate-gates.ts';
import type { Database } from '../../../../data/database.ts';
import { createTestKey, sign, type TestKey } from '../../fixtures/api-key.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { endKey } from '../../fixtures/operate.ts';

const SESSIONS = '/book/v1/key-sessions';
const BALANCES = '/book/v1/account/balances';

let db: Database;
let trader: Trader;

beforeAll(async () => {
  db = await migrate();
  trader = await createTrader(db);
});

async function openSession(key: TestKey): Promise<Record<string, string>> {
  const { status, body } = await call(`POST ${SESSIONS}`, {
    headers: await sign(key, { method: 'POST', path: SESSIONS }),
  });
  expect(status).toBe(200);
  return { 'x-api-key': key.id, 'x-api-session': (body as { token: string }).token };
}

const statusWith = async (headers: Record<string, string>) => (await call(`GET ${BALANCES}`, { headers })).status;

describe('a session of an API key', () => {
  it('opened by a signature, stands for the key without its secret', async () => {
    const session = await openSession(await createTestKey(trader));
    expect(await statusWith(session)).toBe(200);
    expect(await statusWith(session)).toBe(200);
  });

  it('is good for its own key alone, as it was given', async () => {
    const [mine, other] = [await createTestKey(trader), await createTestKey(trader)];
    const session = await openSession(mine);
    const token = session['x-api-session'] ?? '';
    expect(await statusWith({ ...session, 'x-api-key': other.id })).toBe(401);
    expect(
      await statusWith({ ...session, 'x-api-session': `${Number(token.slice(0, 13)) + 1}${token.slice(13)}` }),
    ).toBe(401);
    expect(await statusWith({ ...session, 'x-api-secret': mine.secret })).toBe(401);
  });

  it('ends after a day', async () => {
    const session = await openSession(await createTestKey(trader));
    vi.useFakeTimers({ now: Date.now() + 24 * 60 * 60_000 + 1_000, toFake: ['Date'] });
    expect(await statusWith(session)).toBe(401);
    vi.useRealTimers();
  });

  it('ends with its key', async () => {
    const key = await createTestKey(trader);
    const session = await openSession(key);
    await endKey({ id: key.id, account: trader.accountId });
    await invalidateKey(env, key.id);
    expect(await statusWith(session)).toBe(401);
  });

  it('opens no other', async () => {
    const session = await openSession(await createTestKey(trader));
    expect((await call(`POST ${SESSIONS}`, { headers: session })).status).toBe(403);
  });
});
