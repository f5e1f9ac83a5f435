import { reset } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { beforeEach, expect, test } from 'vitest';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { bridgeMovementId } from '../../../../domain/ledger/bridge-movement-id.ts';
import { JournaledLedger } from '../../fixtures/journaled-ledger.ts';
import { openReadModel, projectAll } from '../../fixtures/read-model.ts';
import { TradedBook } from '../../fixtures/traded-book.ts';

let db: Database;

const VAULT = { organization: 'tenant', chain: 'ethereum' };

/**
 * A small ledger in which everything holds: one fill of 10 shares at 100 with a fee of 1 a side, an open sell of 5 shares with its lot,
 * an open buy of 10 at 100; 7 of an asset have come by the bridge and 3 of them left again.
 */
beforeEach(async () => {
  await reset();
  db = await openReadModel();
  const journal = new JournaledLedger();
  journal.deposit('alice', 'usd', 10_000);
  journal.depositLots('bob', 'acme', [40]);
  const book = new TradedBook(journal);
  const orders = [
    book.order('alice', 'buy', 10, 100, { id: 'bought' }),
    book.order('bob', 'sell', 10, 100, { id: 'sold' }),
  ];
  book.send(orders);
  book.send(
    [
      book.order('bob', 'sell', 5, 100, { id: 'resting-sell' }),
      book.order('alice', 'buy', 10, 100, { id: 'resting-buy' }),
    ],
    [book.fill('bought', 'sold', 10, 100, 1)],
  );
  const bridged = {
    kind: 'bridge',
    transfer: 'crossing',
    account: 'carol',
    asset: 'eth',
    vault: VAULT,
    createdAt: 0,
  } as const;
  journal.commit(
    { ...bridged, id: bridgeMovementId('crossing', 'payout'), type: 'mint', amount: 7 },
    { ...bridged, id: bridgeMovementId('crossing', 'debit'), type: 'burn', amount: 3 },
  );
  await projectAll(journal);
});

async function execute(...statements: string[]): Promise<void> {
  await env.DB.batch(statements.map((statement) => env.DB.prepare(statement)));
}

/** An adjustment of the one trade; at its own terms it is right. */
const adjustment = (type: string, quantity: string) => `
  INSERT INTO trade_adjustments (trade_id, id, type, price, quantity, notional, buyer_fee, seller_fee, reason, created_at)
  SELECT id, 'adjustment', '${type}', price, ${quantity}, notional, buyer_fee, seller_fee, 'a typo', 0 FROM trades`;

/** The one trade as a sale of shares within their hold. */
const exemptSale = `
  INSERT INTO restricted_sales (lot, trade, asset, buy_order, buyer, quantity, restriction_ends_at, at)
  SELECT id || ' reg_cf', id, asset_id, buy_order, buyer, quantity, executed_at + 1, executed_at FROM trades`;

test('a ledger that is right holds in every check, and each check but those of the broker and of what waits has rows to examine', async () => {
  await execute(adjustment('correction', 'quantity'), exemptSale);
  const rows = await runAudit(db);
  expect(rows.filter((row) => !row.holds)).toEqual([]);
  expect(
    rows.filter((row) => row.examined === 0 && !['broker', 'unsettled', 'register'].includes(row.invariant)),
  ).toEqual([]);
  expect(new Set(rows.map((row) => row.invariant))).toEqual(
    new Set(['L1', 'L2', 'L3', 'L4', 'lots', 'broker', 'unsettled', 'register']),
  );
});

const BOOKING = '0198c0de-0000-7000-8000-000000000001';

/** Four shares at ten, which have cost seven where they were sold. */
function booked(side: 'buy' | 'sell', settlesOn: number | null = null): string {
  return `INSERT INTO booked_executions (id, book, break_id, execution_id, account, side, asset_id, quote_asset, price, quantity, notional,
      seller_cost, executed_at, settles_on, created_at)
    VALUES ('${BOOKING}', 'ACME-USD', 'b', 'x', 'alice', '${side}', 'acme', 'usd', 10, 4, 40, ${side === 'sell' ? 7 : 'NULL'}, 1, ${settlesOn}, 1)`;
}

function posted(leg: 'shares' | 'cash', asset: string, amount: number): string {
  return `INSERT INTO ledger_transactions (id, kind, account, asset, amount, boundary, created_at)
    VALUES ('${BOOKING}.${leg}', 'booking', 'alice', '${asset}', ${amount}, 'boundary:broker-clearing', 1)`;
}

function resolved(resolution: 'acknowledged' | 'booked'): string {
  return `INSERT INTO broker_breaks (book, id, kind, order_id, detail, at, resolved_at, resolution, resolution_id)
    VALUES ('ACME-USD', 'b', 'unknown_order', 'o', 'late', 1, 2, '${resolution}', '${BOOKING}')`;
}

/** ACME as a cross-listed security with a register, of which 7 are outstanding. */
const REGISTERED = [
  `INSERT INTO organizations (id, name, created_at) VALUES ('p', 'p', 1)`,
  `INSERT INTO partner_organizations (organization, role, firm_name, contact_email, state, created_at, updated_at)
   VALUES ('p', 'cross_lister', 'P', 'p@p.example', 'active', 1, 1)`,
  `INSERT INTO securities (id, organization, state, asset_name, asset_type, security_class, share_class, issuer_id, issuer_name,
     issuer_type, currency, last_valuation_price, last_valuation_date, restrictions, created_at, updated_at)
   VALUES ('acme', 'p', 'listed', 'Acme', 'private_security', 'common_stock', 'A', 'acme', 'Acme', 'trust', 'USD', 1, '2026-01-01', '{}', 1, 1)`,
  `INSERT INTO balances (account, asset, available, boundary) VALUES ('boundary:issuance', 'acme', -7, 1)`,
];

/** [claim, what breaks it, what the violation names] */
const BROKEN: readonly (readonly [claim: string, statements: readonly string[], named: string])[] = [
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
    'every balance, available and held, is the sum of its postings',
    [`UPDATE trades SET buyer_fee = 2`],
    'alice has 8999 of usd, posted 8998',
  ],
  [
    'every deposit and withdrawal has its ledger transaction, and each of those its deposit or withdrawal',
    [`DELETE FROM ledger_transactions WHERE asset = 'usd'`],
    'is 10000, posted 0',
  ],
  [
    'every deposit and withdrawal has its ledger transaction, and each of those its deposit or withdrawal',
    [`DELETE FROM transfers WHERE asset = 'usd'`],
    'is 0, posted 10000',
  ],
  [
    'no account but a boundary account is negative, available or held',
    [`INSERT INTO balances (account, asset, available, boundary) VALUES ('someone', 'usd', -1, 1)`],
    'someone',
  ],
  [
    'every deposit and withdrawal has its ledger transaction, and each of those its deposit or withdrawal',
    [`DELETE FROM ledger_transactions WHERE id = 'crossing'`],
    'transfer crossing is -3, posted 0',
  ],
  [
    'by a vault of the bridge no more has left than has come in, and nothing is held there',
    [`UPDATE balances SET available = 1 WHERE account = 'boundary:bridge:tenant:ethereum'`],
    'boundary:bridge:tenant:ethereum has 1 available and 0 held of eth',
  ],
  [
    'by a vault of the bridge no more has left than has come in, and nothing is held there',
    [`UPDATE balances SET held = 2 WHERE account = 'boundary:bridge:tenant:ethereum'`],
    'boundary:bridge:tenant:ethereum has -4 available and 2 held of eth',
  ],
  [
    'held is the sum of what open orders and withdrawals reserve, while no amendment is on its way',
    [`UPDATE orders SET reserve = 1009 WHERE id = 'resting-buy'`],
    'holds 1010 of usd, its orders and withdrawals reserve 1009',
  ],
  [
    'held is the sum of what open orders and withdrawals reserve, while no amendment is on its way',
    [`UPDATE orders SET allowance_asset = 'cap', allowance = 7 WHERE id = 'resting-buy'`],
    'holds 0 of cap, its orders and withdrawals reserve 7',
  ],
  [
    'held is the sum of what open orders and withdrawals reserve, while no amendment is on its way',
    [`UPDATE orders SET position_asset = 'room', position = 7 WHERE id = 'resting-buy'`],
    'holds 0 of room, its orders and withdrawals reserve 7',
  ],
  [
    'held is the sum of what open orders and withdrawals reserve, while no amendment is on its way',
    [
      `INSERT INTO transfer_requests (id, account, type, asset, amount, state, created_at, updated_at)
       SELECT 'ghost', account, 'withdrawal', asset, 5, 'approved', 0, 0 FROM balances WHERE held = 1010`,
    ],
    'holds 1010 of usd, its orders and withdrawals reserve 1015',
  ],
  [
    'an order is open exactly while its state is not final, and a final one reserves nothing',
    [`UPDATE orders SET status = 'cancelled' WHERE id = 'resting-buy'`],
    'resting-buy is cancelled and open, reserves 1010',
  ],
  [
    'the lots of a holding sum to its balance, what is reserved of them to what is held',
    [`UPDATE lots SET quantity = 11 WHERE account = 'alice'`],
    'lots of 11 acme (0 reserved), balance 10 (0 held)',
  ],
  [
    'there is something of every lot, and no more of it is reserved than there is',
    [`UPDATE lots SET reserved = 31 WHERE account = 'bob'`],
    'has 30, 31 reserved',
  ],
  [
    'there is something of every lot, and no more of it is reserved than there is',
    [`INSERT INTO lots (id, account, asset, quantity, cost, acquired_at) VALUES ('spent', 'bob', 'acme', 0, 0, 0)`],
    'spent has 0',
  ],
  [
    'what was taken back or corrected is a trade that is there, and of the same quantity unless nothing of it stands',
    [adjustment('bust', '3')],
    'adjustment leaves 3 of trade',
  ],
  [
    'the trades of a book are gapless from its first fill',
    [`UPDATE trades SET sequence = 2`],
    'has 1 trades, the last is number 2',
  ],
  [
    'the orders of each trade are a buy of its buyer and a sell of its seller, on its book',
    [`UPDATE trades SET seller = 'alice'`],
    'is between bought and sold',
  ],
  [
    'the orders of each trade are a buy of its buyer and a sell of its seller, on its book',
    [`DELETE FROM orders WHERE id = 'bought'`],
    'is between bought and sold',
  ],
  [
    'what an order has filled, paid and been charged is the sum of its trades',
    [`UPDATE orders SET filled = 9 WHERE id = 'sold'`],
    'order sold filled 9',
  ],
  [
    'what an order has filled, paid and been charged is the sum of its trades',
    [`DELETE FROM trades`],
    'filled 10 for 1000 with fee 1, its trades are 0 for 0 with fee 0',
  ],
  [
    'no order has filled more than its quantity',
    [`UPDATE orders SET quantity = 9 WHERE id = 'bought'`],
    'bought filled 10 of 9',
  ],
  [
    'what sales have realised is the sum of their trades as they stand',
    [`UPDATE realized_profits SET profit = profit + 1`],
    'sales of acme by bob for usd have realised 500, their trades 499',
  ],
  [
    'what sales have realised is the sum of their trades as they stand',
    [`DELETE FROM realized_profits`],
    'sales of acme by bob for usd have realised 0, their trades 499',
  ],
  [
    'what sales have realised is the sum of their trades as they stand',
    [adjustment('bust', '0')],
    'sales of acme by bob for usd have realised 499, their trades 0',
  ],
  [
    'one side of every trade of a routed market is the broker, under an execution, and of no other trade',
    [`UPDATE trades SET buyer = 'boundary:broker-clearing'`],
    'is between boundary:broker-clearing and bob',
  ],
  [
    'one side of every trade of a routed market is the broker, under an execution, and of no other trade',
    [`UPDATE markets SET route = 'broker'`],
    'is between alice and bob',
  ],
  [
    'one side of every trade of a routed market is the broker, under an execution, and of no other trade',
    [
      `UPDATE markets SET route = 'prime'`,
      `UPDATE trades SET buyer = 'boundary:broker-clearing', buy_order = 'execution:1', buyer_fee = 0`,
    ],
    'is between boundary:broker-clearing and bob',
  ],
  [
    'each execution of the broker is one trade, or one booking',
    [
      `UPDATE trades SET buyer = 'boundary:broker-clearing'`,
      `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer,
         seller, buyer_fee, seller_fee, executed_at)
       SELECT 'again', book, sequence + 1, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer,
         seller, buyer_fee, seller_fee, executed_at FROM trades`,
    ],
    'ACME-USD has bought 2 times',
  ],
  [
    'every sale under an exemption is of a trade, made before its restriction ended, and all of a trade are no more than it',
    [
      `INSERT INTO restricted_sales (lot, trade, asset, buy_order, buyer, quantity, restriction_ends_at, at)
       VALUES ('l t', 't', 'acme', 'o', 'b', 1, 2, 1)`,
    ],
    'sale l t is of no such trade',
  ],
  [
    'each execution of the broker is one trade, or one booking',
    [`UPDATE trades SET buyer = 'boundary:broker-clearing', buy_order = 'execution:x'`, booked('buy')],
    'ACME-USD has execution:x 2 times',
  ],
  [
    'what the broker has said and fits no order was settled by people',
    [
      `INSERT INTO broker_breaks (book, id, kind, order_id, detail, at) VALUES ('ACME-USD', 'b', 'kind', 'o', 'late', 1)`,
    ],
    'ACME-USD: kind of order o, late (break b)',
  ],
  [
    'every execution that was booked closes its break, and moved what it says',
    [resolved('booked'), booked('buy'), posted('shares', 'acme', 4), posted('cash', 'usd', -39)],
    `booking ${BOOKING} of alice says -40 of usd, posted -39`,
  ],
  [
    'every execution that was booked closes its break, and moved what it says',
    [resolved('booked'), booked('sell'), posted('cash', 'usd', 40)],
    `booking ${BOOKING} of alice says -4 of acme, posted 0`,
  ],
  [
    'every execution that was booked closes its break, and moved what it says',
    [resolved('acknowledged'), booked('buy'), posted('shares', 'acme', 4), posted('cash', 'usd', -40)],
    `break b of ACME-USD is acknowledged, booked as ${BOOKING}`,
  ],
  [
    'every execution that was booked closes its break, and moved what it says',
    [resolved('booked')],
    'break b of ACME-USD is booked, booked as nothing',
  ],
  [
    'what sales have realised is the sum of their trades as they stand',
    [booked('sell')],
    'sales of acme by alice for usd have realised 0, their trades 33',
  ],
  [
    'cash that waits to settle and cash that has settled are together what sales at the broker have brought',
    [booked('sell', 86_400_000)],
    'account alice waits for, or has got, 0 of usd, its sales brought 40',
  ],
  [
    'shares that wait to settle are no more than purchases at the broker of that day',
    [
      booked('buy', 86_400_000),
      `INSERT INTO unsettled_sums (account, asset, kind, settles_on, amount) VALUES ('alice', 'acme', 'shares', 86400000, 5)`,
    ],
    'account alice waits for 5 of acme, bought 4',
  ],
  [
    'the prime broker has told nothing that no book could take',
    [`INSERT INTO prime_events (id, digest, received_at, unclaimed) VALUES ('e1', '', 1, 'there is no market of X')`],
    'event e1 of the prime broker: there is no market of X',
  ],
  [
    'the broker holds what trades say, and has the orders open that are open here',
    [
      `INSERT INTO broker_differences (market, kind, order_id, detail, first_seen_at, last_seen_at)
       VALUES ('ACME-USD', 'kind', 'o', 'is open there alone', 1, 2)`,
    ],
    'ACME-USD: is open there alone, order o',
  ],
  [
    'every routed market can be compared with the broker',
    [
      `INSERT INTO broker_comparisons (market, compared_at, failing_since, tried_at) VALUES ('ACME-USD', 0, 1, 1800001)`,
    ],
    'ACME-USD was last compared 1970-01-01T00:00:00Z',
  ],
  [
    'cash that waits to settle and cash that has settled are together what sales at the broker have brought',
    [`UPDATE trades SET buyer = 'boundary:broker-clearing', settles_on = 86400000`],
    'account bob waits for, or has got, 0 of usd, its sales brought 999',
  ],
  [
    'cash that waits to settle and cash that has settled are together what sales at the broker have brought',
    [
      `UPDATE trades SET buyer = 'boundary:broker-clearing', settles_on = 86400000`,
      `INSERT INTO unsettled_sums (account, asset, kind, settles_on, amount) VALUES ('bob', 'usd', 'cash', 86400000, 999)`,
      `INSERT INTO ledger_transactions (id, kind, account, asset, amount, boundary, created_at)
       VALUES ('twice', 'settlement', 'bob', 'usd', 999, 'boundary:broker-clearing', 1)`,
    ],
    'account bob waits for, or has got, 1998 of usd, its sales brought 999',
  ],
  [
    'shares that wait to settle are no more than purchases at the broker of that day',
    [
      `INSERT INTO unsettled_sums (account, asset, kind, settles_on, amount) VALUES ('alice', 'acme', 'shares', 86400000, 10)`,
    ],
    'account alice waits for 10 of acme, bought 0',
  ],
  [
    'only trades with a broker settle on a later day',
    [`UPDATE trades SET settles_on = 86400000`],
    'of ACME-USD settles on day 86400000',
  ],
  [
    'what a holder is registered with, and what their trades add that are not recorded yet, is what they have',
    REGISTERED,
    'account bob is registered with 0 of acme, -10 pending, has',
  ],
  [
    'holders without an account are registered with what boundary:register has, and all holders with what is outstanding',
    REGISTERED,
    'acme has 0 of 0 without an account, the ledger 0 of 7',
  ],
  [
    'a settlement has the terms of its trade, and is reversed only where its trade was taken back',
    [
      ...REGISTERED,
      `INSERT INTO partner_settlements (id, security, book, trade_sequence, buyer, seller, buy_order, sell_order, currency, quantity, price,
         notional, executed_at, status, created_at)
       SELECT id, asset_id, book, sequence, buyer, seller, buy_order, sell_order, quote_asset, quantity, price, notional, executed_at,
         'REVERSED', 1 FROM trades`,
    ],
    'is REVERSED, of 10 for 1000, its trade of 10 for 1000',
  ],
  [
    'the pool of distributions is empty while no dividend is being paid or taken back',
    [
      `INSERT INTO balances (account, asset, available, held, boundary, cost) VALUES ('boundary:distributions', 'usd', 7, 0, 1, 0)`,
    ],
    'the pool of usd has 7',
  ],
  [
    'dividends have moved in the ledger what their payments say, between who paid and each holder',
    [
      `INSERT INTO ledger_transactions (id, kind, account, asset, amount, boundary, created_at)
       VALUES ('x.0', 'distribution', 'bob', 'usd', 5, 'boundary:distributions', 1)`,
    ],
    'dividends of usd to bob are 0, the ledger moved 5',
  ],
  [
    'mergers count of each holder the shares of theirs that ended',
    [
      ...REGISTERED,
      `INSERT INTO corporate_actions (id, security, agent, type, state, terms, description, due_date, due_at, actor, created_at)
       SELECT 'm', asset_id, 'o', 'merger', 'completed', '{}', 'Merger', '2026-11-20', 1, 'a', 1 FROM trades`,
      `INSERT INTO corporate_action_payments (action, payee, account, shares, state) VALUES ('m', 'bob', 'bob', 5, 'paid')`,
    ],
    'shares of bob, of whom 0 ended',
  ],
  [
    'each holder whose shares a merger has ended got those of the other security, by its ratio, each rounded up',
    [
      ...REGISTERED,
      `INSERT INTO corporate_actions (id, security, agent, type, state, terms, description, due_date, due_at, actor, created_at)
       SELECT 'm', asset_id, 'o', 'merger', 'completed', '{"stock":{"survivor":"s","ratioFrom":2,"ratioTo":3}}', 'Merger', '2026-11-20', 1, 'a', 1 FROM trades`,
      `INSERT INTO register_events (id, security, type, state, sequence, hash, actor, created_at, recorded_at)
       SELECT 'e', asset_id, 'merger', 'recorded', 1, '', 'a', 1, 1 FROM trades`,
      `INSERT INTO register_holders (id, security, account, reference, kind, name, created_at)
       SELECT 'h', asset_id, 'bob', 'account:bob', 'individual', 'Bob', 1 FROM trades`,
      `INSERT INTO register_changes (event, line, security, holder, shares, cost) SELECT 'e', 0, asset_id, 'h', -5, 0 FROM trades`,
    ],
    'merger m gives bob 8 of s, its register 0',
  ],
  [
    'a transfer is completed with its event, and reversed with the reversal of that event',
    [
      ...REGISTERED,
      adjustment('bust', '0'),
      `INSERT INTO register_events (id, security, type, state, sequence, hash, actor, created_at, recorded_at)
       SELECT id, asset_id, 'transfer', 'recorded', 1, '', 'a', 1, 1 FROM trades`,
      `INSERT INTO transfer_instructions (id, security, agent, trade_sequence, buyer, seller, units, state, created_at)
       SELECT id, asset_id, 'p', sequence, buyer, seller, quantity, 'reversed', 1 FROM trades`,
    ],
    'is reversed, its event is recorded, the reversal not recorded',
  ],
  [
    'what holders are registered with is the sum of the events that were recorded, which are gapless',
    [`INSERT INTO register_holdings (security, holder, shares) VALUES ('acme', 'h', 3)`],
    'holder h is registered with 3, by the events 0',
  ],
  [
    'the bars of every interval add up to the trades of their book',
    [`UPDATE bars SET volume = 20, trades = 2 WHERE interval = '1h'`],
    'bars of 1h of ACME-USD count 2 trades of 20 for 1000, there are 1 of 10 for 1000',
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
