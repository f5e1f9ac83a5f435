import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, test } from 'vitest';
import { codeRowsOf } from '../../../../application/identity/one-time-code/code-rows.ts';
import { issueOneTimeCode } from '../../../../application/identity/one-time-code/issue-one-time-code.ts';
import { redeemOneTimeCode } from '../../../../application/identity/one-time-code/redeem-one-time-code.ts';
import type { Database } from '../../../../data/database.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

const rows = async () =>
  env.DB.prepare(
    "SELECT (SELECT count(*) FROM one_time_codes WHERE phone LIKE '+%') + (SELECT count(*) FROM one_time_code_addresses WHERE address NOT LIKE 'nobody:%') AS n",
  ).first<{ n: number }>();

const places = async () => {
  const row = await env.DB.prepare(
    'SELECT (SELECT group_concat(phone) FROM one_time_codes) AS phones, (SELECT group_concat(address) FROM one_time_code_addresses) AS addresses',
  ).first<{ phones: string; addresses: string }>();
  return [...(row?.phones.split(',') ?? []), ...(row?.addresses.split(',') ?? [])];
};

const nobody = (n: number) => `+1999${String(n).padStart(7, '0')}`;

/** Another number takes the place of this one; its place. */
async function givePlaceAway(phone: string): Promise<string> {
  const own = await codeRowsOf(db, { phone, clientAddress: '192.0.2.1', clientId: '' }, env);
  await env.DB.prepare("UPDATE one_time_codes SET subject = 'another' WHERE phone IN (?1, ?2)")
    .bind(own.phone, own.code)
    .run();
  return own.phone;
}

describe("I-13: numbers that are nobody's", () => {
  test('leave rows in shared places alone, however many are asked for and tried', async () => {
    for (let n = 0; n < 200; n++) {
      const address = freshAddress();
      expect((await issueOneTimeCode(nobody(n), address, env)).issued).toBe(true);
      expect(await redeemOneTimeCode(nobody(n), '123456', address, env)).toBe(false);
    }
    expect(await rows()).toEqual({ n: 0 });
    for (const place of await places()) expect(place).toMatch(/^nobody:[\w-]{3} ?$/);
  });

  test("are answered as a user's: the second asking waits as long, from one address and from another", async () => {
    const { phone } = await createTrader(db);
    const answers = async (number: string) => {
      const [one, other] = [freshAddress(), freshAddress()];
      const first = await issueOneTimeCode(number, one, env);
      const again = await issueOneTimeCode(number, one, env);
      const elsewhere = await issueOneTimeCode(number, other, env);
      return [first, again, elsewhere].map((answer) => (answer.issued ? 'issued' : answer.retryAfter));
    };
    const [known, unknown] = [await answers(phone), await answers(nobody(1_000))];
    expect(known).toEqual(['issued', 30, 30]);
    expect(unknown).toEqual(known);
  });

  test("run as many statements as a user's", async () => {
    const { phone } = await createTrader(db);
    const count = async (number: string) => {
      let statements = 0;
      const counting = new Proxy(env.DB, {
        get: (of, name) => {
          if (name === 'prepare') statements += 1;
          const value = Reflect.get(of, name);
          return typeof value === 'function' ? value.bind(of) : value;
        },
      });
      const counted = { ...env, DB: counting };
      const address = freshAddress();
      await issueOneTimeCode(number, address, counted);
      const issued = statements;
      await redeemOneTimeCode(number, '000000', address, counted);
      return [issued, statements];
    };
    expect(await count(nobody(2_000))).toEqual(await count(phone));
  });

  test('do not wait for another number that has had the place', async () => {
    const number = nobody(3_000);
    expect((await issueOneTimeCode(number, freshAddress(), env)).issued).toBe(true);
    expect((await issueOneTimeCode(number, freshAddress(), env)).issued).toBe(false);
    const place = await givePlaceAway(number);
    expect((await issueOneTimeCode(number, freshAddress(), env)).issued).toBe(true);
    const held = await env.DB.prepare('SELECT count(*) AS n FROM one_time_codes WHERE phone = ?1').bind(place).first();
    expect(held).toEqual({ n: 1 });
  });
});
