import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { auditProjection } from '../../../../application/audit/audit-projection.ts';
import { runWholeAudit } from '../../../../application/audit/run-whole-audit.ts';
import type { AuditRow } from '../../../../data/audit/audit-check.ts';
import { place } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { clearFaults, faults } from '../../fixtures/faults.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

const SYMBOL = 'AUDIT-USD';
const [BALANCES, LOTS, ORDERS] = [
  'the balances in D1 are those of the ledger',
  'the lots in D1 are those of the ledger',
  'the open orders in D1 are those of the ledger, and hold what it reserves for them',
];
const HOLDS = 'what the ledger reserves for each open order is what its book says that it holds';

let buyer = '';
let seller = '';
let resting = '';
beforeAll(async () => {
  const db = await migrate();
  await createPair(db, 'AUDIT');
  buyer = (await createTrader(db, { cash: 1_000_00 })).accountId;
  seller = (await createTrader(db)).accountId;
  await giveHolding({
    accountId: seller,
    asset: 'audit',
    lots: [{ quantity: 10 }, { quantity: 20 }, { quantity: 30 }],
  });
  const order = place(buyer, 'buy', 5, 8_00);
  resting = order.orderId;
  await submit(place(seller, 'sell', 5, 10_00), place(buyer, 'buy', 3, 10_00), order, place(buyer, 'buy', 1, 7_00));
});
afterEach(clearFaults);

async function submit(...orders: ReturnType<typeof place>[]): Promise<void> {
  for (const result of await env.ORDER_BOOK.getByName(SYMBOL).submit(orders)) expect(result.type).toBe('done');
}

async function claims(): Promise<ReadonlyMap<string, AuditRow>> {
  const { checks, unsettledBooks } = await runWholeAudit(env);
  expect(unsettledBooks).toEqual([]);
  return new Map(checks.map((row) => [row.claim, row]));
}

/** Changes a row of D1 behind the projector's back, and afterwards brings it back. */
async function whileBroken<T>(change: string, mend: string, look: () => Promise<T>): Promise<T> {
  const changed = await env.DB.prepare(change).run();
  expect(changed.meta.changes).toBe(1);
  try {
    return await look();
  } finally {
    await env.DB.prepare(mend).run();
  }
}

async function kept(table: string, where: string): Promise<string> {
  const row = await env.DB.prepare(`SELECT * FROM ${table} WHERE ${where}`).first<Record<string, unknown>>();
  const values = Object.values(row ?? {}).map((value) =>
    value === null ? 'NULL' : JSON.stringify(value).replaceAll('"', "'"),
  );
  return `INSERT INTO ${table} (${Object.keys(row ?? {})}) VALUES (${values})`;
}

describe('an audit of ledger, books and D1', () => {
  it('holds where everything is right, and has examined every account, lot and order', async () => {
    const rows = await claims();
    expect([...rows.values()].filter(({ holds }) => !holds)).toEqual([]);
    // The crowd of the fixtures is two accounts and the boundary; three lots and the bought one; three open orders.
    expect(rows.get(BALANCES)?.examined).toBeGreaterThanOrEqual(4);
    expect(rows.get(LOTS)?.examined).toBe(4);
    expect(rows.get(ORDERS)?.examined).toBe(3);
    expect(rows.get(HOLDS)?.examined).toBe(3);
  });

  it('finds the same in pages of two', async () => {
    const [whole, paged] = [await auditProjection(env), await auditProjection(env, 2)];
    expect(paged).toEqual(whole);
    const lost = await kept('lots', `account = '${buyer}'`);
    const [, lots] = await whileBroken(`DELETE FROM lots WHERE account = '${buyer}'`, lost, () =>
      auditProjection(env, 2),
    );
    expect(lots).toMatchObject({ claim: LOTS, holds: false });
  });

  it('names a balance of any account that D1 shows otherwise', async () => {
    const where = `account = '${buyer}' AND asset = 'usd'`;
    const rows = await whileBroken(
      `UPDATE balances SET available = available + 1 WHERE ${where}`,
      `UPDATE balances SET available = available - 1 WHERE ${where}`,
      claims,
    );
    expect(rows.get(BALANCES)).toMatchObject({
      holds: false,
      violation: `balance ${buyer} usd: 92300 available, 4700 held, cost 0; in D1 92301 available, 4700 held, cost 0`,
    });
    expect(rows.get(LOTS)?.holds).toBe(true);
  });

  it('names a cost that D1 shows otherwise, which no sum inside D1 shows', async () => {
    const where = `account = '${buyer}' AND asset = 'audit'`;
    const rows = await whileBroken(
      `UPDATE balances SET cost = cost + 1 WHERE ${where}`,
      `UPDATE balances SET cost = cost - 1 WHERE ${where}`,
      claims,
    );
    expect([...rows.values()].filter(({ holds }) => !holds)).toMatchObject([{ claim: BALANCES }]);
  });

  it('names a balance and a lot that the ledger does not have', async () => {
    const someone = uuidv7();
    const rows = await whileBroken(
      `INSERT INTO balances (account, asset, available) VALUES ('${someone}', 'usd', 5)`,
      `DELETE FROM balances WHERE account = '${someone}'`,
      claims,
    );
    expect(rows.get(BALANCES)).toMatchObject({
      holds: false,
      violation: `balance ${someone} usd: nothing; in D1 5 available, 0 held, cost 0`,
    });
    const lot = `INSERT INTO lots (id, account, asset, quantity, cost, acquired_at) VALUES ('stray', '${someone}', 'audit', 5, 0, 0)`;
    const withLot = await whileBroken(lot, `DELETE FROM lots WHERE id = 'stray'`, claims);
    expect(withLot.get(LOTS)).toMatchObject({
      holds: false,
      violation: expect.stringMatching(/^lot stray: nothing; in D1 5 of audit/),
    });
  });

  it.each([
    ['whose age', 'acquired_at = acquired_at + 1', 'acquired_at = acquired_at - 1'],
    ['whose restriction', 'restriction_ends_at = 7', 'restriction_ends_at = NULL'],
    ['whose offering', "offering_type = 'reg_s'", 'offering_type = NULL'],
    ['whose owner', "account = 'boundary:deposits'", 'account = (SELECT seller FROM trades)'],
  ])('names a lot %s D1 shows otherwise', async (_, change, back) => {
    const lot = await env.DB.prepare('SELECT id FROM lots WHERE account = ?1 AND quantity = 20')
      .bind(seller)
      .first<{ id: string }>();
    const where = `WHERE id = '${lot?.id}'`;
    const rows = await whileBroken(`UPDATE lots SET ${change} ${where}`, `UPDATE lots SET ${back} ${where}`, claims);
    expect(rows.get(LOTS)).toMatchObject({
      holds: false,
      violation: expect.stringContaining(`lot ${lot?.id}: 20 of audit`),
    });
  });

  it('names an order that D1 shows as open with another reserve, as ended, or not at all', async () => {
    const where = `WHERE id = '${resting}'`;
    const expected = `order ${resting}: of ${buyer} in ${SYMBOL} holds 4000/0/0; in D1 `;
    const reserve = await whileBroken(
      `UPDATE orders SET reserve = 3999 ${where}`,
      `UPDATE orders SET reserve = 4000 ${where}`,
      claims,
    );
    expect(reserve.get(ORDERS)?.violation).toBe(`${expected}of ${buyer} in ${SYMBOL} holds 3999/0/0`);
    const ended = await whileBroken(
      `UPDATE orders SET open = 0 ${where}`,
      `UPDATE orders SET open = 1 ${where}`,
      claims,
    );
    expect(ended.get(ORDERS)?.violation).toBe(`${expected}nothing`);
    const row = await kept('orders', `id = '${resting}'`);
    const gone = await whileBroken(`DELETE FROM orders ${where}`, row, claims);
    expect(gone.get(ORDERS)?.violation).toBe(`${expected}nothing`);
  });

  it('names an order that D1 shows as open and the ledger has not', async () => {
    const sold = await env.DB.prepare('SELECT buy_order AS id FROM trades').first<{ id: string }>();
    const where = `WHERE id = '${sold?.id}'`;
    const rows = await whileBroken(
      `UPDATE orders SET open = 1 ${where}`,
      `UPDATE orders SET open = 0 ${where}`,
      claims,
    );
    expect(rows.get(ORDERS)?.violation).toBe(`order ${sold?.id}: nothing; in D1 of ${buyer} in ${SYMBOL} holds 0/0/0`);
  });

  it('names an order for which the ledger reserves something else than its book holds', async () => {
    faults.spoils = (batch) => ({
      ...batch,
      orders: batch.orders.map((order) => ({ ...order, reserve: order.reserve + 1 })),
    });
    const order = place(buyer, 'buy', 1, 5_00);
    await submit(order);
    clearFaults();
    const rows = await claims();
    expect(rows.get(HOLDS)).toMatchObject({
      holds: false,
      violation: `${SYMBOL}: order ${order.orderId} of ${buyer} holds 501/0/0, by its book 500/0/0 of ${buyer}`,
    });
    expect(rows.get(ORDERS)?.holds, 'D1 shows what the ledger has').toBe(true);
  });
});
