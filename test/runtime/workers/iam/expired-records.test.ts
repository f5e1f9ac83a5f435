import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import { recordSending } from '../../../../data/identity/one-time-codes.ts';
import { storeRefreshToken } from '../../../../data/identity/refresh-tokens.ts';
import { registerClient } from '../../../../data/identity/registered-clients.ts';
import { revokeAccessToken } from '../../../../data/identity/revocations.ts';
import { addSignIn, firstId } from '../../../../data/identity/sign-ins.ts';
import { authorizations, browserSessions, consents, sessions } from '../../../../data/schema/identity.ts';
import { CONSENT_MS_MAX, SESSION_MS_MAX } from '../../../../domain/identity/browser-session.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { EVERY_FIVE_MINUTES, runCron } from '../../fixtures/run-cron.ts';

it('the run of every five minutes deletes what has expired and keeps what still counts', async () => {
  const db = await migrate();
  const now = Date.now();
  const day = 24 * 3_600_000;
  for (const [name, at] of [
    ['old', now - day - 1_000],
    ['live', now + 60_000],
  ] as const) {
    await revokeAccessToken(db, name, at + 1_000);
    await storeRefreshToken(db, {
      hash: name,
      family: `grant ${name}`,
      userId: 'u',
      clientId: 'c',
      scope: '',
      expiresAt: at + 1_000,
    });
    const sends = { sentAt: at, sends: 1, sendsSince: at };
    await recordSending(db, {
      rows: {
        phone: name,
        code: `${name} client`,
        anyCode: `${name} `,
        phoneSubject: '',
        address: name,
        addressSubject: '',
      },
      code: { codeHash: 'h', codeSealed: '', expiresAt: at + 1_000 },
      sends: { phone: sends, address: sends },
      seen: { phone: null, address: null, wrong: { wrongCodes: 0, wrongUntold: 0 } },
    });
  }
  // Wrong codes count until a right one, however long that takes.
  await env.DB.prepare(
    "INSERT INTO one_time_codes (phone, code_hash, expires_at, tries_left, sent_at, wrong_codes) VALUES ('guessed', '', 1, 0, 1, 99)",
  ).run();
  for (const [name, at] of [
    ['old', now - 181 * 86_400_000],
    ['live', now - 179 * 86_400_000],
  ] as const) {
    const endsAt = name === 'old' ? now - 1 : now + 60_000;
    const session = { id: name, userId: name, clientId: 'c', device: null, place: null, begunAt: now - 1_000, endsAt };
    await db.insert(sessions).values({ ...session, lastUsedAt: now });
    await addSignIn(db, { id: `${firstId(at)}7000-8000-000000000000`, userId: name, type: 'signed_in', at });
  }
  const client = { name: 'C', redirectUris: [], postLogoutRedirectUris: [], address: 'a', createdAt: now };
  await registerClient(db, { ...client, id: 'old', expiresAt: now - 1 }, now);
  await registerClient(db, { ...client, id: 'live', expiresAt: now + day }, now);
  for (const [hash, at] of [
    ['old', now - SESSION_MS_MAX - 1],
    ['live', now - SESSION_MS_MAX + day / 24],
  ] as const)
    await db.insert(browserSessions).values({ hash, userId: 'u', createdAt: at, seenAt: at });
  for (const [id, at] of [
    ['old', now - CONSENT_MS_MAX - 1],
    ['live', now - CONSENT_MS_MAX + day],
  ] as const) {
    const consent = { id, userId: 'u', clientId: id, clientName: 'C', resource: '', scope: 'openid', keyId: null };
    await db.insert(consents).values({ ...consent, agreedAt: at });
  }
  const grant = {
    consentId: 'live',
    userId: 'u',
    clientId: 'c',
    redirectUri: '',
    challenge: '',
    scope: '',
    resource: '',
  };
  const times = { authTime: now, createdAt: now, expiresAt: now };
  for (const [codeHash, keptUntil] of [
    ['old', now - 1],
    ['live', now + day],
  ] as const)
    await db.insert(authorizations).values({ ...grant, ...times, audience: '', codeHash, family: codeHash, keptUntil });
  await runCron(EVERY_FIVE_MINUTES);
  const left = async (table: string, column: string) =>
    (await env.DB.prepare(`SELECT ${column} AS name FROM ${table}`).all()).results.map((row) => row.name);
  expect(await left('revoked_tokens', 'jti')).toEqual(['live']);
  expect(await left('refresh_tokens', 'hash')).toEqual(['live']);
  expect(await left('registered_clients', 'id')).toEqual(['live']);
  expect(await left('browser_sessions', 'hash')).toEqual(['live']);
  expect(await left('consents', 'id')).toEqual(['live']);
  expect(await left('authorizations', 'code_hash')).toEqual(['live']);
  expect((await left('one_time_codes', 'phone')).toSorted()).toEqual(['guessed', 'live', 'live client']);
  expect(await left('sessions', 'id')).toEqual(['live']);
  expect(await left('sign_ins', 'user_id')).toEqual(['live']);
  expect(await left('one_time_code_addresses', 'address')).toEqual(['live']);
});
