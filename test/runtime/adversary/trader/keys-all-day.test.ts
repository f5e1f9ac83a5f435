import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import {
  ACTIVE_KEYS_MAX,
  createApiKeyOfBearer,
  KEYS_PER_DAY_MAX,
  listApiKeys,
} from '../../../../data/identity/api-keys.ts';
import { NO_TOKEN } from '../../../../data/identity/bearer.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { type Answer, call, codeOf } from '../../fixtures/call.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

const rowsOf = ({ accountId }: Trader) =>
  db.$client.prepare('SELECT count(*) AS total FROM api_keys WHERE account = ?').bind(accountId).first<number>('total');

const revokeAll = ({ accountId }: Trader) =>
  db.$client.prepare("UPDATE api_keys SET status = 'revoked' WHERE account = ?").bind(accountId).run();

const make = ({ accountId: account, userId, owner }: Trader, createdAt: number) => {
  const none = { ipAllowlist: null, rateLimits: null, positionLimits: null, dailyLossMax: null };
  const key = { id: uuidv7(), account, userId, owner, name: 'all day', scopes: ['read'] as const, createdAt, ...none };
  return createApiKeyOfBearer(db, key, 'sealed', NO_TOKEN);
};

describe('T-04: API keys of an account', () => {
  it('are no more than it may have, however many are made at once', async () => {
    const trader = await createTrader(db);
    const { bearer } = await signIn(trader.phone);
    const ask = (): Promise<Answer> =>
      call('POST /iam/v1/keys', { headers: bearer, json: { name: 'at once', scopes: ['read'] } });
    const answers = await Promise.all(Array.from({ length: ACTIVE_KEYS_MAX + 5 }, ask));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map((answer) => [answer.status, codeOf(answer)])).toEqual(Array(5).fill([409, 'CONFLICT']));
    expect(refused[0]?.body).toMatchObject({ error: { details: { activeKeysMax: ACTIVE_KEYS_MAX } } });
    expect(await rowsOf(trader)).toBe(ACTIVE_KEYS_MAX);
  });

  it('leave a stated number of rows a day, however many are made and revoked', async () => {
    const trader = await createTrader(db);
    const now = Date.now();
    const makings: string[] = [];
    for (let at = 0; at < KEYS_PER_DAY_MAX + 3; at++) {
      makings.push(await make(trader, now + at));
      await revokeAll(trader);
    }
    expect(makings.filter((making) => making === 'made')).toHaveLength(KEYS_PER_DAY_MAX);
    expect(makings.at(-1)).toBe('too_many');
    expect(await rowsOf(trader)).toBe(KEYS_PER_DAY_MAX);
    expect(await make(await createTrader(db), now)).toBe('made');
    expect([await make(trader, now + DAY_MS - 1), await make(trader, now + DAY_MS)]).toEqual(['too_many', 'made']);
  });

  it('are shown where they are active, whatever was made and revoked since', async () => {
    const trader = await createTrader(db);
    expect(await make(trader, 1)).toBe('made');
    const [first] = await listApiKeys(db, trader.userId);
    await db.$client
      .prepare(
        `INSERT INTO api_keys (id, account, user_id, owner, name, secret_ciphertext, scopes, status, created_at)
         WITH RECURSIVE later(at) AS (SELECT 1 UNION ALL SELECT at + 1 FROM later WHERE at < 1100)
         SELECT 'z' || printf('%05d', at), account, user_id, owner, name, secret_ciphertext, scopes, 'revoked', at FROM later, api_keys WHERE id = ?`,
      )
      .bind(first?.id)
      .run();
    const listed = await listApiKeys(db, trader.userId);
    expect([listed.length, listed[0]?.id, listed.at(-1)?.id]).toEqual([1_001, 'z01100', first?.id]);
  });
});
