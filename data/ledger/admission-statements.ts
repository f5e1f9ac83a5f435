import { rowStatement } from './row-statement.ts';
import { AMENDMENT_FIELDS, ORDER_FIELDS } from './rows.ts';

/**
 * The statements that admit the orders and amendments of a batch, in the order in which they run (DESIGN 8). They read the rows where
 * the fence has just put them: `books.admission`, {orders, amendments}, each the JSON of packed rows. ?1 is the book, ?2 the batch.
 *
 * Holds are guarded row by row by the trigger of `order_admissions`. In a large batch that is done only for the accounts that ask for more
 * than they have; the orders of all others are admitted together, and each of their balances is moved once. Both ways admit the same.
 */

const ASKED = '(SELECT admission FROM books WHERE book = ?1)';

const ORDERS_ASKED = `jsonb_each(${ASKED}, '$.orders')`;

const ADMITTED_TOGETHER = '(SELECT admitted_together FROM books WHERE book = ?1)';

/** None when all ?3 that wanted in were admitted together: then no row is looked at. A large ?3 looks at all. */
const ORDERS_ASKED_UNLESS_ALL_TOGETHER = `
  jsonb_each(CASE WHEN ${ADMITTED_TOGETHER} < ?3 THEN ${ASKED} ELSE '{"orders":[]}' END, '$.orders')`;

const AMENDMENTS_ASKED = `jsonb_each(${ASKED}, '$.amendments')`;

/** The key stands first in a packed row. */
const ORDER_IDS_ASKED = `(SELECT r.value ->> 0 FROM ${ORDERS_ASKED} r)`;
const AMENDMENT_IDS_ASKED = `(SELECT r.value ->> 0 FROM ${AMENDMENTS_ASKED} r)`;

type OrderFields = Readonly<Record<(typeof ORDER_FIELDS)[number], string>>;

const ORDER_COLUMNS = `id, account, owner, key_id, side, type, time_in_force, quantity, price, stop_price, expires_at, client_order_id,
  status, reserve_asset, reserve, allowance_asset, allowance, position_asset, position, facts_version, rules_version, created_at`;

const TOGETHER = '(SELECT together FROM books WHERE book = ?1)';

/** ?2 JSON array of [account, asset, amount]: all that the orders of the batch need. Chooses the accounts that have it. */
export const CHOOSE_TOGETHER = `
WITH needs AS MATERIALIZED (
  SELECT value ->> 0 AS account, value ->> 1 AS asset, value ->> 2 AS amount FROM jsonb_each(?2)),
short AS (
  SELECT n.account FROM needs n LEFT JOIN balances b ON b.account = n.account AND b.asset = n.asset
  WHERE b.available IS NULL OR b.available < n.amount)
UPDATE books SET together = (
  SELECT json_group_array(json_array(account, asset, amount)) FROM needs WHERE account NOT IN (SELECT account FROM short))
WHERE book = ?1`;

const orderValues = (order: OrderFields, baseAsset: string): string => `
SELECT ${order.id}, ${order.account}, ${order.owner}, ${order.keyId}, ${order.side}, ${order.type}, ${order.timeInForce},
       ${order.quantity}, ${order.price}, ${order.stopPrice}, ${order.expiresAt}, ${order.clientOrderId}, ${order.status},
       ${order.reserveAsset}, ${order.reserve}, ${order.allowanceAsset}, ${order.allowance}, ${order.positionAsset}, ${order.position},
       ${order.factsVersion}, ${order.rulesVersion}, ${order.createdAt}, ${order.createdAt}, ?1, ${baseAsset}, CAST(?2 AS INTEGER)`;

/** ?3 base asset. The orders of the chosen accounts, if the facts that they were checked under still hold. */
export const ADMIT_TOGETHER = rowStatement(ORDER_FIELDS, (of) => {
  const order = of('r.value');
  return `
INSERT INTO orders (${ORDER_COLUMNS}, updated_at, book, asset_id, admit_batch, open)
${orderValues(order, '?3')}, 1
FROM ${ORDERS_ASKED} r
WHERE ${order.code} IS NULL
  AND (${order.account}, ${order.factsVersion}) IN (
    SELECT a.id, a.facts_version FROM accounts a WHERE a.frozen = 0 AND a.id IN (SELECT value ->> 0 FROM jsonb_each(${TOGETHER})))
  AND ${order.rulesVersion} = (SELECT m.rules_version FROM markets m WHERE m.symbol = ?1 AND m.status = 'open')
  AND NOT EXISTS (SELECT 1 FROM venue v WHERE v.halted = 1)
  AND (${order.keyId} IS NULL OR EXISTS (SELECT 1 FROM api_keys k WHERE k.id = ${order.keyId} AND k.status = 'active'))
ON CONFLICT DO NOTHING`;
});

/** ?1 book. Runs right after ADMIT_TOGETHER. */
export const COUNT_TOGETHER = 'UPDATE books SET admitted_together = changes() WHERE book = ?1';

/**
 * ?3 orders that wanted in. When all of them were admitted together, what the accounts needed is what they hold now; else it is summed up
 * from the orders that are in.
 */
export const HOLD_TOGETHER = `
UPDATE balances SET available = available - h.amount, held = held + h.amount
FROM (
  SELECT value ->> 0 AS account, value ->> 1 AS asset, value ->> 2 AS amount
  FROM jsonb_each(CASE WHEN ${ADMITTED_TOGETHER} = ?3 THEN ${TOGETHER} ELSE '[]' END)
  UNION ALL
  SELECT account, asset, SUM(amount) FROM (
    SELECT o.account, l.column1 AS line,
      CASE l.column1 WHEN 1 THEN o.reserve_asset WHEN 2 THEN o.allowance_asset ELSE o.position_asset END AS asset,
      CASE l.column1 WHEN 1 THEN o.reserve WHEN 2 THEN o.allowance ELSE o.position END AS amount
    FROM orders o CROSS JOIN (VALUES (1), (2), (3)) l
    WHERE o.id IN (SELECT r.value ->> 0 FROM ${ORDERS_ASKED_UNLESS_ALL_TOGETHER} r)
      AND o.book = ?1 AND o.admit_batch = CAST(?2 AS INTEGER) AND o.open = 1)
  WHERE amount > 0 GROUP BY account, asset) h
WHERE balances.account = h.account AND balances.asset = h.asset`;

/** ?3 orders that wanted in, ?4 base asset. The orders of the accounts that were not chosen, row by row. */
export const ADMIT_ORDERS = rowStatement(ORDER_FIELDS, (of) => {
  const order = of('r.value');
  return `
INSERT INTO order_admissions (${ORDER_COLUMNS}, updated_at, book, asset_id, admit_batch)
${orderValues(order, '?4')}
FROM ${ORDERS_ASKED_UNLESS_ALL_TOGETHER} r
WHERE ${order.code} IS NULL AND ${order.account} NOT IN (SELECT value ->> 0 FROM jsonb_each(${TOGETHER}))`;
});

export const ADMIT_AMENDMENTS = rowStatement(AMENDMENT_FIELDS, (of) => {
  const amendment = of('r.value');
  return `
INSERT INTO amendments (id, order_id, account, reserve_asset, reserve, allowance_asset, allowance, position_asset, position,
                        facts_version, rules_version, created_at, book, admit_batch, open)
SELECT ${amendment.id}, ${amendment.orderId}, ${amendment.account}, ${amendment.reserveAsset}, ${amendment.reserve},
       ${amendment.allowanceAsset}, ${amendment.allowance}, ${amendment.positionAsset}, ${amendment.position},
       ${amendment.factsVersion}, ${amendment.rulesVersion}, ${amendment.createdAt}, ?1, CAST(?2 AS INTEGER), 1
FROM ${AMENDMENTS_ASKED} r WHERE true
ON CONFLICT DO NOTHING`;
});

/** The reason why a row is not in the ledger, first that applies; `w` is the wanted row. */
const REFUSAL_OF_WANTED = `
  CASE
    WHEN EXISTS (SELECT 1 FROM accounts a WHERE a.id = w.account AND a.frozen = 1) THEN 'account_frozen'
    WHEN EXISTS (SELECT 1 FROM api_keys k WHERE k.id = w.key_id AND k.status <> 'active') THEN 'key_revoked'
    WHEN EXISTS (SELECT 1 FROM venue v WHERE v.halted = 1)
      OR NOT EXISTS (SELECT 1 FROM markets m WHERE m.symbol = ?1 AND m.status = 'open') THEN 'halted'
    WHEN NOT EXISTS (SELECT 1 FROM accounts a WHERE a.id = w.account AND a.facts_version = w.facts_version)
      OR NOT EXISTS (SELECT 1 FROM markets m WHERE m.symbol = ?1 AND m.rules_version = w.rules_version) THEN 'stale'
    WHEN w.allowance > 0 AND w.allowance > coalesce((SELECT available FROM balances b
      WHERE b.account = w.account AND b.asset = w.allowance_asset), 0) THEN 'allowance'
    WHEN w.position > 0 AND w.position > coalesce((SELECT available FROM balances b
      WHERE b.account = w.account AND b.asset = w.position_asset), 0) THEN 'position'
    ELSE 'balance'
  END`;

type WantedField =
  | 'id'
  | 'account'
  | 'reserveAsset'
  | 'allowanceAsset'
  | 'allowance'
  | 'positionAsset'
  | 'position'
  | 'factsVersion'
  | 'rulesVersion';

const wantedFacts = (row: Readonly<Record<WantedField, string>>, keyId: string): string => `
  ${row.id} AS id, ${row.account} AS account, ${keyId} AS key_id, ${row.reserveAsset} AS reserve_asset,
  ${row.allowanceAsset} AS allowance_asset, ${row.allowance} AS allowance, ${row.positionAsset} AS position_asset,
  ${row.position} AS position, ${row.factsVersion} AS facts_version, ${row.rulesVersion} AS rules_version`;

const AVAILABLE_OF_WANTED = `
  coalesce((SELECT available FROM balances b WHERE b.account = w.account AND b.asset = CASE w.refusal
    WHEN 'allowance' THEN w.allowance_asset WHEN 'position' THEN w.position_asset ELSE w.reserve_asset END), 0)`;

/** Rows that were refused in an earlier sending of the same batch carry their code; the reason is read back from it. */
const REFUSAL_OF_RECORDED = `
  CASE e.code WHEN 'INSUFFICIENT_BALANCE' THEN 'balance' WHEN 'INVESTMENT_LIMIT_EXCEEDED' THEN 'allowance'
    WHEN 'RISK_LIMIT_EXCEEDED' THEN 'position' WHEN 'ASSET_NOT_TRADEABLE' THEN 'halted' ELSE 'account_frozen' END`;

/** ?3 rows that wanted in: those of this batch that stayed out, and why. */
const judgedOrders = (order: OrderFields): string => `
WITH wanted AS MATERIALIZED (
  SELECT r.value AS row, ${order.clientOrderId} AS client_order_id, ${wantedFacts(order, order.keyId)}
  FROM ${ORDERS_ASKED_UNLESS_ALL_TOGETHER} r
  WHERE ${order.code} IS NULL AND NOT EXISTS (
    SELECT 1 FROM orders o WHERE o.id = ${order.id} AND o.book = ?1 AND o.admit_batch = CAST(?2 AS INTEGER) AND o.open = 1)),
judged AS MATERIALIZED (
  SELECT w.*, e.id AS existing_id, CASE
      WHEN e.id = w.id AND e.book = ?1 AND e.admit_batch = CAST(?2 AS INTEGER) THEN ${REFUSAL_OF_RECORDED}
      WHEN e.id = w.id THEN 'exists'
      WHEN e.id IS NOT NULL THEN 'duplicate_client_order_id'
      ELSE ${REFUSAL_OF_WANTED} END AS refusal
  FROM wanted w LEFT JOIN orders e ON e.id = coalesce((SELECT id FROM orders x WHERE x.id = w.id),
    (SELECT id FROM orders x WHERE x.account = w.account AND x.client_order_id = w.client_order_id)))`;

/** ?3 rows that wanted in. Pure reading: asked again after an answer was lost, it gives the same reasons. */
export const READ_REFUSED_ORDERS = rowStatement(
  ORDER_FIELDS,
  (of) => `${judgedOrders(of('r.value'))}
SELECT w.id, w.refusal, ${AVAILABLE_OF_WANTED} AS available, e.id AS existing_id, e.account AS existing_account,
       e.status, e.quantity, e.price, e.filled, e.filled_notional, e.restricted, e.code, e.updated_at
FROM judged w LEFT JOIN orders e ON e.id = w.existing_id`,
);

/** ?3 JSON array of the ids of orders that the book refuses by itself: those that stand in the ledger from before. */
export const READ_STANDING_ORDERS = `
SELECT id FROM orders WHERE id IN (SELECT value FROM json_each(?3)) AND (book IS NOT ?1 OR admit_batch <> CAST(?2 AS INTEGER))`;

/** The columns of an order that is kept as rejected: it holds nothing. ?4 base asset. */
const rejectedValues = (order: OrderFields, code: string): string => `
  SELECT ${order.id}, ${order.account}, ${order.owner}, ${order.keyId}, ${order.side}, ${order.type}, ${order.timeInForce},
         ${order.quantity}, ${order.price}, ${order.stopPrice}, ${order.expiresAt}, ${order.clientOrderId}, 'rejected',
         ${order.reserveAsset}, 0, ${order.allowanceAsset}, 0, ${order.positionAsset}, 0, ${order.factsVersion}, ${order.rulesVersion},
         ${order.createdAt}, ${order.createdAt}, ?1, ?4, CAST(?2 AS INTEGER), 0, ${code}`;

/** ?3 rows that wanted in, ?4 base asset. A refused order is kept as rejected with its code (DESIGN 15). */
export const RECORD_REFUSED_ORDERS = rowStatement(ORDER_FIELDS, (of) => {
  const asked = of('r.value');
  return `
INSERT INTO orders (${ORDER_COLUMNS}, updated_at, book, asset_id, admit_batch, open, code)
${judgedOrders(asked)}
${rejectedValues(
  of('w.row'),
  `CASE w.refusal WHEN 'balance' THEN 'INSUFFICIENT_BALANCE' WHEN 'allowance' THEN 'INVESTMENT_LIMIT_EXCEEDED'
   WHEN 'position' THEN 'RISK_LIMIT_EXCEEDED' WHEN 'halted' THEN 'ASSET_NOT_TRADEABLE' ELSE 'FORBIDDEN' END`,
)}
FROM judged w WHERE w.refusal NOT IN ('exists', 'duplicate_client_order_id', 'stale')
UNION ALL
${rejectedValues(asked, asked.code)}
FROM ${ORDERS_ASKED_UNLESS_ALL_TOGETHER} r WHERE ${asked.code} IS NOT NULL
ON CONFLICT DO NOTHING`;
});

export const READ_REFUSED_AMENDMENTS = rowStatement(AMENDMENT_FIELDS, (of) => {
  const amendment = of('r.value');
  return `
WITH wanted AS MATERIALIZED (
  SELECT ${wantedFacts(amendment, 'NULL')} FROM ${AMENDMENTS_ASKED} r
  WHERE NOT EXISTS (SELECT 1 FROM amendments a
    WHERE a.id = ${amendment.id} AND a.book = ?1 AND a.admit_batch = CAST(?2 AS INTEGER) AND a.open = 1)),
judged AS MATERIALIZED (
  SELECT w.*, CASE WHEN EXISTS (SELECT 1 FROM amendments a WHERE a.id = w.id) THEN 'exists' ELSE ${REFUSAL_OF_WANTED} END AS refusal
  FROM wanted w)
SELECT w.id, w.refusal, ${AVAILABLE_OF_WANTED} AS available FROM judged w`;
});

/** Sells (orders and amendments) of the batch just admitted that hold securities. ?3 base asset. */
const SELLS_OF_BATCH = `
  SELECT id, account, reserve FROM orders
  WHERE id IN ${ORDER_IDS_ASKED} AND book = ?1 AND admit_batch = CAST(?2 AS INTEGER) AND open = 1 AND side = 'sell' AND reserve > 0
  UNION ALL
  SELECT id, account, reserve FROM amendments
  WHERE id IN ${AMENDMENT_IDS_ASKED} AND book = ?1 AND admit_batch = CAST(?2 AS INTEGER) AND open = 1 AND reserve_asset = ?3
    AND reserve > 0`;

/** Lots that the sells of an account may reserve in one batch: what they come to must fit into journal, outbox and D1's parameters. */
export const LOTS_MAX = 2_000;

/**
 * ?3 base asset. Lots first-in-first-out: the k-th share wanted by an account takes its k-th free share. The balance guard has made
 * sure that there are enough; beyond LOTS_MAX lots none are reserved, and the book refuses who is left short.
 */
export const RESERVE_LOTS = `
INSERT INTO lot_reservations (order_id, lot_id, quantity)
WITH wanted AS MATERIALIZED (
  SELECT id, account, reserve, SUM(reserve) OVER (PARTITION BY account ORDER BY id) AS upto FROM (${SELLS_OF_BATCH})),
free AS MATERIALIZED (
  SELECT id, account, quantity, upto FROM (
    SELECT id, account, quantity - reserved AS quantity,
           SUM(quantity - reserved) OVER (PARTITION BY account ORDER BY acquired_at, id) AS upto,
           row_number() OVER (PARTITION BY account ORDER BY acquired_at, id) AS place
    FROM lots WHERE account IN (SELECT account FROM wanted) AND asset = ?3 AND quantity > reserved)
  WHERE place <= ${LOTS_MAX})
SELECT w.id, f.id, min(w.upto, f.upto) - max(w.upto - w.reserve, f.upto - f.quantity)
FROM wanted w JOIN free f ON f.account = w.account AND f.upto > w.upto - w.reserve AND f.upto - f.quantity < w.upto`;

/** ?3 base asset. */
export const TAKE_LOTS = `
UPDATE lots SET reserved = reserved + r.quantity
FROM (SELECT lot_id, SUM(quantity) AS quantity FROM lot_reservations
      WHERE order_id IN (SELECT id FROM (${SELLS_OF_BATCH})) GROUP BY lot_id) r
WHERE lots.id = r.lot_id`;

/** ?3 base asset. */
export const READ_RESERVED_LOTS = `
SELECT r.order_id AS reservationId, r.lot_id AS lotId, r.quantity, l.restriction_ends_at AS restrictionEndsAt,
       l.offering_type AS offeringType
FROM lot_reservations r JOIN lots l ON l.id = r.lot_id
WHERE r.order_id IN (SELECT id FROM (${SELLS_OF_BATCH}))
ORDER BY r.order_id, l.acquired_at, l.id`;

/** ?2 last journaled batch: what a later one admitted. */
export const READ_UNJOURNALED = `
SELECT 'order' AS kind, id, account, reserve_asset, reserve, allowance_asset, allowance, position_asset, position, quantity, price,
  (SELECT json_group_array(json_object('lotId', r.lot_id, 'quantity', r.quantity)) FROM lot_reservations r WHERE r.order_id = o.id) AS lots
FROM orders o WHERE id IN ${ORDER_IDS_ASKED} AND book = ?1 AND admit_batch > CAST(?2 AS INTEGER) AND open = 1
UNION ALL
SELECT 'amendment', id, account, reserve_asset, reserve, allowance_asset, allowance, position_asset, position, 0, NULL,
  (SELECT json_group_array(json_object('lotId', r.lot_id, 'quantity', r.quantity)) FROM lot_reservations r WHERE r.order_id = a.id)
FROM amendments a WHERE id IN ${AMENDMENT_IDS_ASKED} AND book = ?1 AND admit_batch > CAST(?2 AS INTEGER) AND open = 1`;
