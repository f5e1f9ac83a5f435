import { BOUNDARY_ACCOUNT } from '../../domain/ledger/boundary-accounts.ts';

/**
 * The statements of a book's batch, in the order in which they run (DESIGN 8). Rows come as one JSON array bound to a parameter and
 * are read by position (data/ledger/rows.ts): D1 binds at most 100 parameters, and numbers bound directly arrive as REAL.
 */

/**
 * The rows of ?1, each parsed once into JSONB: reading 23 columns of a row this way takes a third of the time of reading them from
 * its text. The LIMIT keeps SQLite from flattening the subquery and parsing once per column after all.
 */
const ROWS = '(SELECT jsonb(value) AS value FROM json_each(?1) LIMIT -1)';
const ROWS_LEFT_OUT = `(SELECT jsonb(value) AS value FROM json_each(CASE WHEN changes() < ?4 THEN ?1 ELSE '[]' END) LIMIT -1)`;

/**
 * ?1 book, ?2 owner, ?3 batch, ?4 settled before, ?5 settled after, ?6 ids asking for admission. A mismatch drives batch to −1, which
 * the CHECK refuses.
 */
export const MOVE_FENCE = `
UPDATE books SET
  batch = CASE WHEN owner = ?2 AND batch = CAST(?3 AS INTEGER) - 1 AND settled = CAST(?4 AS INTEGER) THEN CAST(?3 AS INTEGER) ELSE -1 END,
  settled = CAST(?5 AS INTEGER),
  admission = ?6
WHERE book = ?1`;

/** ?1 trade rows, ?2 book, ?3 base asset, ?4 quote asset. */
export const INSERT_TRADES = `
INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order,
                    buyer, seller, buyer_fee, seller_fee, executed_at)
SELECT value ->> 0, ?2, value ->> 1, ?3, ?4, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7,
       value ->> 8, value ->> 9, value ->> 10, value ->> 11, value ->> 12
FROM ${ROWS}`;

/** The trades of one chunk, just inserted. ?1 book, ?2 first and ?3 last sequence. */
const FILLS = 'trades WHERE book = ?1 AND sequence BETWEEN CAST(?2 AS INTEGER) AND CAST(?3 AS INTEGER)';

export const INSERT_FILL_TRANSACTIONS = `
INSERT INTO ledger_transactions (id, kind, created_at) SELECT id, 'fill', executed_at FROM ${FILLS}`;

/** Cash, asset and fee legs of each fill; they sum to zero per asset. */
export const INSERT_FILL_POSTINGS = `
INSERT INTO postings ("transaction", line, account, asset, amount)
SELECT t.id, l.column1,
  CASE l.column1 WHEN 1 THEN t.buyer WHEN 2 THEN t.seller WHEN 3 THEN t.seller WHEN 4 THEN t.buyer ELSE '${BOUNDARY_ACCOUNT.fees}' END,
  CASE WHEN l.column1 IN (3, 4) THEN t.asset_id ELSE t.quote_asset END,
  CASE l.column1 WHEN 1 THEN -(t.notional + t.buyer_fee) WHEN 2 THEN t.notional - t.seller_fee
    WHEN 3 THEN -t.quantity WHEN 4 THEN t.quantity ELSE t.buyer_fee + t.seller_fee END
FROM (SELECT * FROM ${FILLS}) t CROSS JOIN (VALUES (1), (2), (3), (4), (5)) l
WHERE l.column1 < 5 OR t.buyer_fee + t.seller_fee > 0`;

/** ?1 limit posting rows. */
export const INSERT_LIMIT_POSTINGS = `
INSERT INTO postings ("transaction", line, account, asset, amount)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4 FROM ${ROWS}`;

/** Internally matched trades settle immediately (exchange.md, Settlement by asset kind 3). */
export const INSERT_SETTLEMENTS = `
INSERT INTO settlements (trade_id, status, settles_at) SELECT id, 'SETTLED', executed_at FROM ${FILLS}`;

export const INSERT_TRADE_EVENTS = `
INSERT INTO domain_events (id, type, subject, payload, created_at)
SELECT id, 'trade.executed', asset_id,
       json_object('trade_id', id, 'book', book, 'asset', asset_id, 'currency', quote_asset, 'price', price, 'quantity', quantity,
                   'notional', notional, 'taker_side', taker_side, 'buy_order', buy_order, 'sell_order', sell_order, 'buyer', buyer,
                   'seller', seller, 'buyer_fee', buyer_fee, 'seller_fee', seller_fee, 'executed_at', executed_at),
       executed_at
FROM ${FILLS}`;

/** ?1 balance deltas. Zero rows first: an UPSERT of a negative delta would fail its CHECK. */
export const OPEN_BALANCES = `
INSERT INTO balances (account, asset, boundary) SELECT value ->> 0, value ->> 1, value ->> 2 FROM ${ROWS} WHERE true
ON CONFLICT DO NOTHING`;

/**
 * ?1 balance deltas. A sale takes its share of the cost away first (average cost). The share is split so that it stays exact while
 * remainder × sold fits 64 bits; cost is for reporting and enters no balance.
 */
export const MOVE_BALANCES = `
UPDATE balances SET
  available = available + d.add_available,
  held = held + d.add_held,
  cost = cost + d.bought - CASE WHEN d.sold > 0 AND available + held > 0
    THEN cost / (available + held) * min(d.sold, available + held)
       + CAST(cost % (available + held) * min(d.sold, available + held) / (available + held) AS INTEGER) ELSE 0 END
FROM (SELECT value ->> 0 AS account, value ->> 1 AS asset, value ->> 3 AS add_available, value ->> 4 AS add_held,
             value ->> 5 AS bought, value ->> 6 AS sold FROM ${ROWS}) d
WHERE balances.account = d.account AND balances.asset = d.asset`;

/** ?1 order states. */
export const UPDATE_ORDERS = `
UPDATE orders SET
  open = s.value ->> 1, status = s.value ->> 2, filled = s.value ->> 3, filled_notional = s.value ->> 4, fee = s.value ->> 5,
  reserve = s.value ->> 6, allowance = s.value ->> 7, position = s.value ->> 8, restricted = s.value ->> 9,
  quantity = s.value ->> 10, price = s.value ->> 11, code = s.value ->> 12, updated_at = s.value ->> 13,
  executed_at = s.value ->> 14, cancelled_at = s.value ->> 15
FROM ${ROWS} s
WHERE orders.id = s.value ->> 0`;

/** ?1 order states. An order released as unavailable leaves its client's id free for the attempt that follows. */
export const FREE_CLIENT_ORDER_IDS = `
UPDATE orders SET client_order_id = NULL
WHERE code = 'UNAVAILABLE' AND id IN (SELECT value ->> 0 FROM ${ROWS} WHERE value ->> 12 = 'UNAVAILABLE')`;

/** ?1 amendment ids. */
export const CLOSE_AMENDMENTS = `
UPDATE amendments SET open = 0, reserve = 0, allowance = 0, position = 0 WHERE id IN (SELECT value FROM json_each(?1))`;

/** ?1 reservation deltas. What is consumed leaves the lot with its share of the cost, what is released only stops being reserved. */
export const MOVE_LOTS = `
UPDATE lots SET
  quantity = quantity - d.consumed,
  reserved = reserved - d.consumed - d.released,
  cost = cost - (cost / quantity * d.consumed + CAST(cost % quantity * d.consumed / quantity AS INTEGER))
FROM (SELECT value ->> 1 AS id, SUM(value ->> 2) AS consumed, SUM(value ->> 3) AS released FROM ${ROWS} GROUP BY 1) d
WHERE lots.id = d.id`;

/** ?1 reservation deltas. */
export const MOVE_RESERVATIONS = `
UPDATE lot_reservations SET quantity = quantity - d.gone
FROM (SELECT value ->> 0 AS order_id, value ->> 1 AS lot_id, SUM((value ->> 2) + (value ->> 3)) AS gone FROM ${ROWS} GROUP BY 1, 2) d
WHERE lot_reservations.order_id = d.order_id AND lot_reservations.lot_id = d.lot_id`;

/** ?1 reservation deltas. */
export const DELETE_SPENT_RESERVATIONS = `
DELETE FROM lot_reservations WHERE quantity = 0
  AND (order_id, lot_id) IN (SELECT value ->> 0, value ->> 1 FROM ${ROWS})`;

/** ?1 reservation deltas. Lots that are gone. */
export const DELETE_SPENT_LOTS = `
DELETE FROM lots WHERE quantity = 0 AND id IN (SELECT value ->> 1 FROM ${ROWS})`;

/** ?1 lot rows, ?2 base asset. */
export const INSERT_LOTS = `
INSERT INTO lots (id, account, asset, quantity, cost, acquired_at, restriction_ends_at, offering_type)
SELECT value ->> 0, value ->> 1, ?2, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6 FROM ${ROWS}`;

/** ?1 bar rows, ?2 book. */
export const ROLL_BARS = `
INSERT INTO bars (book, interval, bucket, open, high, low, close, volume, quote_volume, trades)
SELECT ?2, value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8
FROM ${ROWS} WHERE true
ON CONFLICT DO UPDATE SET high = max(high, excluded.high), low = min(low, excluded.low), close = excluded.close,
  volume = volume + excluded.volume, quote_volume = quote_volume + excluded.quote_volume, trades = trades + excluded.trades`;

const ORDER_COLUMNS = `id, account, owner, key_id, side, type, time_in_force, quantity, price, stop_price, expires_at, client_order_id,
  status, reserve_asset, reserve, allowance_asset, allowance, position_asset, position, facts_version, rules_version, created_at`;

/** ?1 order rows, ?2 book, ?3 base asset, ?4 batch. The guard trigger ignores what may not enter, row by row. */
export const ADMIT_ORDERS = `
INSERT INTO orders (${ORDER_COLUMNS}, updated_at, book, asset_id, admit_batch, open)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8, value ->> 9,
       value ->> 10, value ->> 11, value ->> 12, value ->> 13, value ->> 14, value ->> 15, value ->> 16, value ->> 17, value ->> 18,
       value ->> 19, value ->> 20, value ->> 21, value ->> 21, ?2, ?3, CAST(?4 AS INTEGER), 1
FROM ${ROWS} WHERE value ->> 22 IS NULL
ON CONFLICT DO NOTHING`;

/** ?1 amendment rows, ?2 book, ?3 batch. */
export const ADMIT_AMENDMENTS = `
INSERT INTO amendments (id, order_id, account, reserve_asset, reserve, allowance_asset, allowance, position_asset, position,
                        facts_version, rules_version, created_at, book, admit_batch, open)
SELECT value ->> 0, value ->> 1, value ->> 2, value ->> 3, value ->> 4, value ->> 5, value ->> 6, value ->> 7, value ->> 8,
       value ->> 9, value ->> 10, value ->> 11, ?2, CAST(?3 AS INTEGER), 1
FROM ${ROWS} WHERE true
ON CONFLICT DO NOTHING`;

/** The reason why a row is not in the ledger, first that applies; `w` is the wanted row. */
const REFUSAL_OF_WANTED = `
  CASE
    WHEN EXISTS (SELECT 1 FROM accounts a WHERE a.id = w.account AND a.frozen = 1) THEN 'account_frozen'
    WHEN EXISTS (SELECT 1 FROM api_keys k WHERE k.id = w.key_id AND k.status <> 'active') THEN 'key_revoked'
    WHEN EXISTS (SELECT 1 FROM venue v WHERE v.halted = 1)
      OR NOT EXISTS (SELECT 1 FROM markets m WHERE m.symbol = ?2 AND m.status = 'open') THEN 'halted'
    WHEN NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = w.account AND a.facts_version = w.facts_version)
      OR NOT EXISTS (SELECT 1 FROM markets m WHERE m.symbol = ?2 AND m.rules_version = w.rules_version) THEN 'stale'
    WHEN w.allowance > 0 AND w.allowance > coalesce((SELECT available FROM balances b
      WHERE b.account = w.account AND b.asset = w.allowance_asset), 0) THEN 'allowance'
    WHEN w.position > 0 AND w.position > coalesce((SELECT available FROM balances b
      WHERE b.account = w.account AND b.asset = w.position_asset), 0) THEN 'position'
    ELSE 'balance'
  END`;

const WANTED_FACTS = (positions: {
  account: number;
  keyId: string;
  reserveAsset: number;
  factsVersion: number;
  rulesVersion: number;
}): string => `
  value ->> 0 AS id, value ->> ${positions.account} AS account, ${positions.keyId} AS key_id,
  value ->> ${positions.reserveAsset} AS reserve_asset, value ->> ${positions.reserveAsset + 2} AS allowance_asset,
  value ->> ${positions.reserveAsset + 3} AS allowance, value ->> ${positions.reserveAsset + 4} AS position_asset,
  value ->> ${positions.reserveAsset + 5} AS position, value ->> ${positions.factsVersion} AS facts_version,
  value ->> ${positions.rulesVersion} AS rules_version`;

const ORDER_FACTS = WANTED_FACTS({
  account: 1,
  keyId: 'value ->> 3',
  reserveAsset: 13,
  factsVersion: 19,
  rulesVersion: 20,
});
const AMENDMENT_FACTS = WANTED_FACTS({ account: 2, keyId: 'NULL', reserveAsset: 3, factsVersion: 9, rulesVersion: 10 });

const AVAILABLE_OF_WANTED = `
  coalesce((SELECT available FROM balances b WHERE b.account = w.account AND b.asset = CASE w.refusal
    WHEN 'allowance' THEN w.allowance_asset WHEN 'position' THEN w.position_asset ELSE w.reserve_asset END), 0)`;

/** Rows that were refused in an earlier sending of the same batch carry their code; the reason is read back from it. */
const REFUSAL_OF_RECORDED = `
  CASE e.code WHEN 'INSUFFICIENT_BALANCE' THEN 'balance' WHEN 'INVESTMENT_LIMIT_EXCEEDED' THEN 'allowance'
    WHEN 'RISK_LIMIT_EXCEEDED' THEN 'position' WHEN 'ASSET_NOT_TRADEABLE' THEN 'halted' ELSE 'account_frozen' END`;

/**
 * ?1 order rows, ?2 book, ?3 batch, ?4 rows that ADMIT_ORDERS just tried: the rows of this batch that it left out, and why. When all of
 * them went in, `changes()` says so and no row is looked at; a large ?4 looks at all, whenever it is asked.
 */
const JUDGED_ORDERS = `
WITH wanted AS MATERIALIZED (
  SELECT value AS row, value ->> 11 AS client_order_id, ${ORDER_FACTS} FROM ${ROWS_LEFT_OUT} j
  WHERE value ->> 22 IS NULL AND NOT EXISTS (
    SELECT 1 FROM orders o WHERE o.id = j.value ->> 0 AND o.book = ?2 AND o.admit_batch = CAST(?3 AS INTEGER) AND o.open = 1)),
judged AS MATERIALIZED (
  SELECT w.*, e.id AS existing_id, CASE
      WHEN e.id = w.id AND e.book = ?2 AND e.admit_batch = CAST(?3 AS INTEGER) THEN ${REFUSAL_OF_RECORDED}
      WHEN e.id = w.id THEN 'exists'
      WHEN e.id IS NOT NULL THEN 'duplicate_client_order_id'
      ELSE ${REFUSAL_OF_WANTED} END AS refusal
  FROM wanted w LEFT JOIN orders e ON e.id = coalesce((SELECT id FROM orders x WHERE x.id = w.id),
    (SELECT id FROM orders x WHERE x.account = w.account AND x.client_order_id = w.client_order_id)))`;

/** Pure reading: asked again after an answer was lost, it gives the same reasons. */
export const READ_REFUSED_ORDERS = `${JUDGED_ORDERS}
SELECT w.id, w.refusal, ${AVAILABLE_OF_WANTED} AS available, e.id AS existing_id, e.account AS existing_account,
       e.status, e.quantity, e.price, e.filled, e.filled_notional, e.restricted, e.code, e.updated_at
FROM judged w LEFT JOIN orders e ON e.id = w.existing_id`;

const REJECTED_VALUES = (row: string, code: string): string => `
  SELECT ${Array.from({ length: 12 }, (_, position) => `${row} ->> ${position}`).join(', ')}, 'rejected', ${row} ->> 13, 0,
         ${row} ->> 15, 0, ${row} ->> 17, 0, ${row} ->> 19, ${row} ->> 20, ${row} ->> 21, ${row} ->> 21, ?2, ?5,
         CAST(?3 AS INTEGER), 0, ${code}`;

/** ?1 order rows, ?2 book, ?3 batch, ?4 rows that ADMIT_ORDERS tried, ?5 base asset. A refused order is kept as rejected with its code and holds nothing (DESIGN 15). */
export const RECORD_REFUSED_ORDERS = `
INSERT INTO orders (${ORDER_COLUMNS}, updated_at, book, asset_id, admit_batch, open, code)
${JUDGED_ORDERS}
${REJECTED_VALUES(
  'w.row',
  `CASE w.refusal WHEN 'balance' THEN 'INSUFFICIENT_BALANCE' WHEN 'allowance' THEN 'INVESTMENT_LIMIT_EXCEEDED'
   WHEN 'position' THEN 'RISK_LIMIT_EXCEEDED' WHEN 'halted' THEN 'ASSET_NOT_TRADEABLE' ELSE 'FORBIDDEN' END`,
)}
FROM judged w WHERE w.refusal NOT IN ('exists', 'duplicate_client_order_id', 'stale')
UNION ALL
${REJECTED_VALUES('j.value', 'j.value ->> 22')}
FROM ${ROWS_LEFT_OUT} j WHERE j.value ->> 22 IS NOT NULL
ON CONFLICT DO NOTHING`;

/** ?1 amendment rows, ?2 book, ?3 batch. */
export const READ_REFUSED_AMENDMENTS = `
WITH wanted AS MATERIALIZED (
  SELECT ${AMENDMENT_FACTS} FROM ${ROWS} j
  WHERE NOT EXISTS (SELECT 1 FROM amendments a
    WHERE a.id = j.value ->> 0 AND a.book = ?2 AND a.admit_batch = CAST(?3 AS INTEGER) AND a.open = 1)),
judged AS MATERIALIZED (
  SELECT w.*, CASE WHEN EXISTS (SELECT 1 FROM amendments a WHERE a.id = w.id) THEN 'exists' ELSE ${REFUSAL_OF_WANTED} END AS refusal
  FROM wanted w)
SELECT w.id, w.refusal, ${AVAILABLE_OF_WANTED} AS available FROM judged w`;

/** What the book's last batch asked to admit. ?1 book. */
const ADMISSION = '(SELECT value FROM json_each((SELECT admission FROM books WHERE book = ?1)))';

/** Sells (orders and amendments) of the batch just admitted that hold securities. ?1 book, ?2 batch, ?3 base asset. */
const SELLS_OF_BATCH = `
  SELECT id, account, reserve FROM orders
  WHERE id IN ${ADMISSION} AND book = ?1 AND admit_batch = CAST(?2 AS INTEGER) AND open = 1 AND side = 'sell' AND reserve > 0
  UNION ALL
  SELECT id, account, reserve FROM amendments
  WHERE id IN ${ADMISSION} AND book = ?1 AND admit_batch = CAST(?2 AS INTEGER) AND open = 1 AND reserve_asset = ?3 AND reserve > 0`;

/**
 * ?1 book, ?2 batch, ?3 base asset. Lots first-in-first-out: the k-th share wanted by an account takes its k-th free share. The
 * balance guard has made sure that there are enough.
 */
export const RESERVE_LOTS = `
INSERT INTO lot_reservations (order_id, lot_id, quantity)
WITH wanted AS MATERIALIZED (
  SELECT id, account, reserve, SUM(reserve) OVER (PARTITION BY account ORDER BY id) AS upto FROM (${SELLS_OF_BATCH})),
free AS MATERIALIZED (
  SELECT id, account, quantity - reserved AS quantity,
         SUM(quantity - reserved) OVER (PARTITION BY account ORDER BY acquired_at, id) AS upto
  FROM lots WHERE account IN (SELECT account FROM wanted) AND asset = ?3 AND quantity > reserved)
SELECT w.id, f.id, min(w.upto, f.upto) - max(w.upto - w.reserve, f.upto - f.quantity)
FROM wanted w JOIN free f ON f.account = w.account AND f.upto > w.upto - w.reserve AND f.upto - f.quantity < w.upto`;

/** ?1 book, ?2 batch, ?3 base asset. */
export const TAKE_LOTS = `
UPDATE lots SET reserved = reserved + r.quantity
FROM (SELECT lot_id, SUM(quantity) AS quantity FROM lot_reservations
      WHERE order_id IN (SELECT id FROM (${SELLS_OF_BATCH})) GROUP BY lot_id) r
WHERE lots.id = r.lot_id`;

/** ?1 book, ?2 batch, ?3 base asset. */
export const READ_RESERVED_LOTS = `
SELECT r.order_id AS reservationId, r.lot_id AS lotId, r.quantity, l.restriction_ends_at AS restrictionEndsAt,
       l.offering_type AS offeringType
FROM lot_reservations r JOIN lots l ON l.id = r.lot_id
WHERE r.order_id IN (SELECT id FROM (${SELLS_OF_BATCH}))
ORDER BY r.order_id, l.acquired_at, l.id`;

/** ?1 book. */
export const OPEN_FENCE = `INSERT INTO books (book, owner, batch, settled) VALUES (?1, '', 0, 0) ON CONFLICT DO NOTHING`;
export const READ_OWNER = `SELECT owner FROM books WHERE book = ?1`;
export const READ_FENCE = `SELECT owner, batch, settled FROM books WHERE book = ?1`;

/** ?1 book, ?2 the owner that was read, ?3 oneself. Safe to send again. */
export const TAKE_OWNERSHIP = `
UPDATE books SET batch = CASE WHEN owner IN (?2, ?3) THEN batch ELSE -1 END, owner = ?3 WHERE book = ?1`;

/** ?1 book, ?2 last journaled batch. */
export const READ_UNJOURNALED = `
SELECT 'order' AS kind, id, account, reserve_asset, reserve, allowance_asset, allowance, position_asset, position, quantity, price,
  (SELECT json_group_array(json_object('lotId', r.lot_id, 'quantity', r.quantity)) FROM lot_reservations r WHERE r.order_id = o.id) AS lots
FROM orders o WHERE id IN ${ADMISSION} AND book = ?1 AND admit_batch > CAST(?2 AS INTEGER) AND open = 1
UNION ALL
SELECT 'amendment', id, account, reserve_asset, reserve, allowance_asset, allowance, position_asset, position, 0, NULL,
  (SELECT json_group_array(json_object('lotId', r.lot_id, 'quantity', r.quantity)) FROM lot_reservations r WHERE r.order_id = a.id)
FROM amendments a WHERE id IN ${ADMISSION} AND book = ?1 AND admit_batch > CAST(?2 AS INTEGER) AND open = 1`;

/** ?1 order id. */
export const READ_ORDER = `
SELECT id, account, status, quantity, price, filled, filled_notional, restricted, code, updated_at FROM orders WHERE id = ?1`;
