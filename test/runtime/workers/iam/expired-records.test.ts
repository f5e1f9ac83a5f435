import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { recordSending } from '../../../../data/identity/one-time-codes.ts';
import { storeRefreshToken } from '../../../../data/identity/refresh-tokens.ts';
import { revokeAccessToken } from '../../../../data/identity/revocations.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { EVERY_FIVE_MINUTES, runCron } from '../../fixtures/run-cron.ts';

it('the run of every five minutes deletes what has expired and keeps what still counts', async () => {
  const db = await migrate();
  const now = Date.now();
  const day = 24 * 3_600_000;
  for (const [name, at] of [
    ['old', now - day - 1_000],
    ['live', now],
  ] as const) {
    await revokeAccessToken(db, name, at + 1_000);
    await storeRefreshToken(db, {
      hash: name,
      family: name,
      userId: 'u',
      clientId: 'c',
      scope: '',
      expiresAt: at + 1_000,
    });
    const sends = { sentAt: at, sends: 1, sendsSince: at };
    await recordSending(db, {
      rows: { phone: name, code: `${name} client`, phoneSubject: '', address: name, addressSubject: '' },
      code: { codeHash: 'h', codeSealed: '', expiresAt: at + 1_000 },
      sends: { phone: sends, address: sends },
      seen: { phone: null, address: null, wrong: { wrongCodes: 0, wrongUntold: 0 } },
    });
  }
  await runCron(EVERY_FIVE_MINUTES);
  const left = async (table: string, column: string) =>
    (await env.DB.prepare(`SELECT ${column} AS name FROM ${table}`).all()).results.map((row) => row.name);
  expect(await left('revoked_tokens', 'jti')).toEqual(['live']);
  expect(await left('refresh_tokens', 'hash')).toEqual(['live']);
  expect(await left('one_time_codes', 'phone')).toEqual(['live client', 'live']);
  expect(await left('one_time_code_addresses', 'address')).toEqual(['live']);
});
