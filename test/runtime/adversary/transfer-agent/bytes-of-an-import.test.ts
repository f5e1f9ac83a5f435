import { env } from 'cloudflare:workers';
import { sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, test } from 'vitest';
import { type Database, database } from '../../../../data/database.ts';
import { LIST_BYTES_MAX, TEXT_BYTES_MAX } from '../../../../data/list-parts.ts';
import {
  knownCertificates,
  type RegisterLine,
  registeredHolders,
  stageEvent,
} from '../../../../data/partner/register/register-events.ts';
import { sqlBatch } from '../../../../data/sql-batch.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity } from '../../fixtures/partner-client.ts';

let db: Database;
let security: string;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  const lister = await createPartner(db, 'cross_lister');
  security = uuidv7();
  const { symbol } = await createPair(db, 'FNDB', { asset: { id: security } });
  await createSecurity(db, lister, { id: security, state: 'listed', market: symbol, symbol: 'FNDB' });
});

/** D1 that notes how long each text is that it is given. */
function measuring(d1: D1Database, bytes: number[]): D1Database {
  const notes = (statement: D1PreparedStatement): D1PreparedStatement =>
    new Proxy(statement, {
      get(of, name) {
        if (name !== 'bind') return Reflect.get(of, name).bind(of);
        return (...values: unknown[]) => {
          for (const value of values) if (typeof value === 'string') bytes.push(Buffer.byteLength(value));
          return of.bind(...values);
        };
      },
    });
  return new Proxy(d1, {
    get: (of, name) =>
      name === 'prepare' ? (text: string) => notes(of.prepare(text)) : Reflect.get(of, name).bind(of),
  });
}

test('M-14: rows whose names, references and certificates are as long as they may be go to D1 in texts that it takes', async () => {
  const long = (n: number) => `${n}`.padEnd(200, '漢');
  const lines = Array.from(
    { length: 2_500 },
    (_, n): RegisterLine => ({
      holder: { id: uuidv7(), account: null, reference: long(n), kind: 'individual', name: long(n), country: null },
      shares: 10,
      cost: 0,
      acquiredAt: 1,
      restrictionEndsAt: null,
      offeringType: null,
      certificate: long(n),
      legend: false,
    }),
  );
  const bytes: number[] = [];
  const measured = database(measuring(env.DB, bytes));
  const event = {
    id: uuidv7(),
    security,
    type: 'import',
    hash: 'h',
    recordDate: null,
    notes: null,
    actor: 'a',
  } as const;
  await stageEvent(measured, { ...event, createdAt: Date.now() }, lines);
  const names = lines.map(({ holder }) => holder.reference);
  expect(await knownCertificates(measured, { id: uuidv7(), security }, names)).not.toEqual([]);
  expect((await registeredHolders(measured, security, names)).size).toBe(lines.length);
  expect(Math.max(...bytes)).toBeLessThanOrEqual(LIST_BYTES_MAX + 1);
  const staged = await db.get<{ n: number; last: number }>(
    sql`SELECT count(*) AS n, max(line) AS last FROM register_changes WHERE event = ${event.id}`,
  );
  expect(staged).toEqual({ n: lines.length, last: lines.length - 1 });
});

test('M-14: a text that D1 would refuse is refused before it is asked', async () => {
  const text = '漢'.repeat(TEXT_BYTES_MAX / 2);
  await expect(sqlBatch(db, [sql`SELECT ${text}`])).rejects.toThrow(RangeError);
});
