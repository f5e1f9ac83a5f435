import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { runAudit } from '../../../data/audit/run-audit.ts';
import type { Database } from '../../../data/database.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { createTrader } from '../fixtures/create-trader.ts';
import { giveHolding } from '../fixtures/give-balance.ts';
import { migrate } from '../fixtures/migrate.ts';

let db: Database;

/**
 * A small ledger in which everything holds: one fill of 10 shares at 100 with a fee of 1 a side, an open sell of 5 shares with its
 * lot, an open buy with an amendment waiting.
 */
beforeEach(async () => {
  await reset();
  db = await migrate();
  const { rulesVersion } = await createPair(db, 'ACME');
  const buyer = (await createTrader(db, { cash: 10_000 })).accountId;
  const seller = (await createTrader(db)).accountId;
  await giveHolding(db, { accountId: seller, asset: 'acme', lots: [{ quantity: 40 }] });
  const order = (id: string, account: string, side: string, quantity: number, asset: string, reserve: number) =>
    `INSERT INTO order_admissions (id, account, owner, book, asset_id, admit_batch, status, side, type, time_in_force, quantity, price,
       reserve_asset, reserve, allowance, position, facts_version, rules_version, created_at, updated_at)
     VALUES ('${id}', '${account}', 'org-test', 'ACME-USD', 'acme', 0, 'open', '${side}', 'limit', 'GTC', ${quantity}, 100, '${asset}',
       ${reserve}, 0, 0, 1, ${rulesVersion}, 1, 1)`;
  await execute(
    order('bought', buyer, 'buy', 10, 'usd', 1_001),
    order('sold', seller, 'sell', 10, 'acme', 10),
    `INSERT INTO trades VALUES ('fill', 'ACME-USD', 1, 'acme', 'usd', 100, 10, 1000, 'buy', 'bought', 'sold', '${buyer}', '${seller}', 1, 1, 1)`,
    `INSERT INTO ledger_transactions VALUES ('fill', 'fill', 1)`,
    `INSERT INTO postings VALUES ('fill', 1, '${buyer}', 'usd', -1001), ('fill', 2, '${seller}', 'usd', 999),
       ('fill', 3, '${seller}', 'acme', -10), ('fill', 4, '${buyer}', 'acme', 10), ('fill', 5, 'boundary:fees', 'usd', 2)`,
    `INSERT INTO settlements VALUES ('fill', 'SETTLED', 1)`,
    `INSERT INTO balances (account, asset, available, boundary) VALUES ('${seller}', 'usd', 999, 0), ('${buyer}', 'acme', 10, 0),
       ('boundary:fees', 'usd', 2, 1)`,
    `UPDATE balances SET held = 0 WHERE held > 0`,
    `UPDATE lots SET quantity = 30`,
    `INSERT INTO lots (id, account, asset, quantity, cost, acquired_at) VALUES ('bought-lot', '${buyer}', 'acme', 10, 1000, 1)`,
    `UPDATE orders SET open = 0, status = 'filled', filled = 10, filled_notional = 1000, fee = 1, reserve = 0`,
    order('resting-sell', seller, 'sell', 5, 'acme', 5),
    `INSERT INTO lot_reservations SELECT 'resting-sell', id, 5 FROM lots WHERE account = '${seller}'`,
    `UPDATE lots SET reserved = 5 WHERE account = '${seller}'`,
    order('resting-buy', buyer, 'buy', 10, 'usd', 1_000),
    `INSERT INTO amendments (id, order_id, account, book, admit_batch, open, reserve_asset, reserve, facts_version, rules_version, created_at)
     VALUES ('more', 'resting-buy', '${buyer}', 'ACME-USD', 1, 1, 'usd', 200, 1, ${rulesVersion}, 1)`,
  );
});

async function execute(...statements: string[]): Promise<void> {
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

test('a ledger that is right holds in every check, and each check has rows to examine', async () => {
  const rows = await runAudit(db);
  expect(rows.filter((row) => !row.holds)).toEqual([]);
  expect(rows.filter((row) => row.examined === 0)).toEqual([]);
  expect(new Set(rows.map((row) => row.invariant))).toEqual(new Set(['L1', 'L2', 'L3', 'L4', 'lots']));
});

/** [claim, what breaks it, what the violation names] */
const BROKEN: readonly (readonly [claim: string, statements: readonly string[], named: string])[] = [
  [
    'the postings of every ledger transaction sum to zero per asset',
    [`UPDATE postings SET amount = amount + 1 WHERE "transaction" = 'fill' AND line = 2`],
    'fill is off by 1 of usd',
  ],
  [
    'every posting has its ledger transaction, and every transaction has postings',
    [`INSERT INTO ledger_transactions VALUES ('empty', 'grant', 1)`],
    'empty without postings',
  ],
  [
    'every posting has its ledger transaction, and every transaction has postings',
    [`INSERT INTO postings VALUES ('stray', 1, 'boundary:fees', 'usd', 1)`],
    'stray',
  ],
  [
    'all balances of an asset sum to zero with the boundary accounts',
    [`UPDATE balances SET available = available + 3 WHERE account = 'boundary:fees'`],
    'usd is off by 3',
  ],
  [
    'every balance, available and held, is the sum of its postings',
    [
      `UPDATE balances SET available = available + 3 WHERE account = 'boundary:fees'`,
      `UPDATE balances SET available = available - 3 WHERE account = 'boundary:deposits' AND asset = 'usd'`,
    ],
    'boundary:deposits has -10003 of usd, posted -10000',
  ],
  [
    'no account but a boundary account is negative, available or held',
    [`INSERT INTO balances (account, asset, available, boundary) VALUES ('someone', 'usd', -1, 1)`],
    'someone',
  ],
  [
    'held is the sum of what open orders and amendments reserve',
    [`UPDATE orders SET reserve = 999 WHERE id = 'resting-buy'`],
    'holds 1200 of usd, its orders reserve 1199',
  ],
  [
    'held is the sum of what open orders and amendments reserve',
    [`UPDATE amendments SET open = 0 WHERE id = 'more'`],
    'holds 1200 of usd, its orders reserve 1000',
  ],
  [
    'an order is open exactly while its state is not final, and a final one reserves nothing',
    [`UPDATE orders SET status = 'cancelled' WHERE id = 'resting-buy'`],
    'resting-buy is cancelled and open, reserves 1000',
  ],
  [
    'the lots of a holding sum to its balance, what is reserved of them to what is held',
    [`UPDATE lots SET quantity = 11 WHERE id = 'bought-lot'`],
    'lots of 11 acme (0 reserved), balance 10 (0 held)',
  ],
  [
    'what is reserved of a lot is the sum of its reservations',
    [`UPDATE lots SET reserved = 6 WHERE reserved = 5`],
    '6 reserved, its reservations are 5',
  ],
  [
    'the reservations of an open sell, its amendments included, sum to what it reserves',
    [`UPDATE lot_reservations SET order_id = 'sold'`],
    'order resting-sell reserves 5, its lot reservations are 0',
  ],
  [
    'each trade has exactly one ledger transaction and one settlement',
    [`DELETE FROM settlements`],
    'fill fill: 1 trades, 1 ledger transactions, 0 settlements',
  ],
  [
    'each trade has exactly one ledger transaction and one settlement',
    [`INSERT INTO settlements VALUES ('ghost', 'SETTLED', 1)`],
    'fill ghost: 0 trades',
  ],
  [
    'the trades of a book are gapless from its first fill',
    [`UPDATE trades SET sequence = 2`],
    'has 1 trades, the last is number 2',
  ],
  [
    'the postings of each fill are the cash and asset legs of its trade',
    [`UPDATE trades SET quantity = 9`],
    'moved -1001, 10 (buyer), 999, -10 (seller), 2 (fees), 0 (others); its trade is 9 for 1000',
  ],
  [
    'the fees of all trades are what fills have posted to boundary:fees',
    [`UPDATE trades SET buyer_fee = 2`],
    'fees of 3 usd charged, 2 posted',
  ],
  [
    'what an order has filled, paid and been charged is the sum of its trades',
    [`UPDATE orders SET filled = 9 WHERE id = 'sold'`],
    'order sold filled 9',
  ],
  [
    'no order has filled more than its quantity',
    [`UPDATE orders SET quantity = 9 WHERE id = 'bought'`],
    'bought filled 10 of 9',
  ],
];

test.each(BROKEN)('a broken row is found by: %s (%#)', async (claim, statements, named) => {
  await execute(...statements);
  const row = (await runAudit(db)).find((each) => each.claim === claim);
  expect(row?.holds).toBe(false);
  expect(row?.violation).toContain(named);
});

test('every check has a test that breaks it', async () => {
  const claims = (await runAudit(db)).map((row) => row.claim);
  expect(claims.filter((claim) => !BROKEN.some(([broken]) => broken === claim))).toEqual([]);
});
