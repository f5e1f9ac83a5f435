import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { issueOneTimeCode } from '../../../../application/identity/one-time-code/issue-one-time-code.ts';
import { redeemOneTimeCode } from '../../../../application/identity/one-time-code/redeem-one-time-code.ts';
import type { Database } from '../../../../data/database.ts';
import { deleteExpiredRecords } from '../../../../data/identity/expired-records.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { APP, createApp, receiveCode } from '../../fixtures/sign-in.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createApp();
});

/** A line of a site: a /64 of a /48. */
const line = (site: string, of: number) => `2001:db8:${site}:${of.toString(16)}::1`;

const strangersLeft = async (phone: string) =>
  (
    await env.DB.prepare('SELECT tries_left AS n FROM one_time_codes WHERE phone = ?')
      .bind(phone)
      .first<{ n: number }>()
  )?.n;

describe('Wrong one-time codes of one subscriber', () => {
  it('are fifty a day for a phone, from however many lines: strangers elsewhere keep half of theirs', async () => {
    const { phone } = await createTrader(db);
    const code = await receiveCode(phone);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let of = 0; of < 120; of++) expect(await redeemOneTimeCode(phone, wrong, line('a', of), env, APP)).toBe(false);
    expect(await strangersLeft(phone)).toBe(50);
    // Who has asked from there is of the site, too.
    await issueOneTimeCode(phone, line('a', 500), env);
    expect(await redeemOneTimeCode(phone, code, line('a', 500), env, APP)).toBe(false);
    expect(await redeemOneTimeCode(phone, code, freshAddress(), env, APP)).toBe(true);
  });

  it('keep nobody out who has signed in from there', async () => {
    const { phone } = await createTrader(db);
    const own = line('b', 1);
    expect(await redeemOneTimeCode(phone, await receiveCode(phone), own, env, APP)).toBe(true);
    await env.DB.prepare('UPDATE one_time_codes SET sent_at = 0 WHERE phone = ?').bind(`${phone} ${APP}`).run();
    await env.DB.prepare('UPDATE dev_outbox SET phone = ? WHERE phone = ?').bind('', phone).run();
    const code = await receiveCode(phone);
    const wrong = code === '000000' ? '000001' : '000000';
    for (let of = 10; of < 70; of++) await redeemOneTimeCode(phone, wrong, line('b', of), env, APP);
    expect(await redeemOneTimeCode(phone, code, own, env, APP)).toBe(true);
  });

  it('are counted for a day, whatever is cleared away meanwhile', async () => {
    const { phone } = await createTrader(db);
    await receiveCode(phone);
    await redeemOneTimeCode(phone, '000000', line('c', 1), env, APP);
    const sites = async () =>
      (
        await env.DB.prepare("SELECT count(*) AS n FROM one_time_code_addresses WHERE subject = 'site'").first<{
          n: number;
        }>()
      )?.n;
    const before = (await sites()) ?? 0;
    await deleteExpiredRecords(db, Date.now() + 2 * HOUR_MS);
    expect(await sites()).toBe(before);
    await deleteExpiredRecords(db, Date.now() + DAY_MS + HOUR_MS);
    expect(await sites()).toBe(0);
  });
});
