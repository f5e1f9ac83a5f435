import { type SQL, sql } from 'drizzle-orm';
import type { AssetCategory } from '../../domain/assets/asset.ts';
import type { Side } from '../../domain/orders/order.ts';
import type { MovedAmount, Standing } from '../../domain/portfolio/statement.ts';
import type { Database } from '../database.ts';
import { idsFrom } from '../ids-from.ts';
import { sqlBatch } from '../sql-batch.ts';

/** What changes what an account has. `adjustment`: a trade was taken back or corrected. `booking`: an execution without an order. */
export const MOVEMENT_KINDS = [
  'trade',
  'fee',
  'adjustment',
  'deposit',
  'withdrawal',
  'distribution',
  'register_entry',
  'split',
  'booking',
  'bridge',
] as const;

export type MovementKind = (typeof MOVEMENT_KINDS)[number];

/** One leg of what happened. Scaled units, below 0 for what has left the account. */
export interface MovementRow {
  readonly at: number;
  readonly kind: MovementKind;
  /** Of the trade, transfer, adjustment or other transaction. */
  readonly reference: string;
  readonly asset: string;
  readonly amount: number;
}

export interface MovementSpan {
  readonly account: string;
  /** Unix milliseconds: from its first moment, before its last. */
  readonly from: number;
  readonly to: number;
}

/** An asset that an account has, or has had. */
export interface MovedAsset {
  readonly id: string;
  readonly symbol: string;
  readonly name: string;
  readonly category: AssetCategory;
  readonly scale: number;
}

/** Movements since the beginning of a span that are added up at most. */
export const MOVEMENTS_MAX = 200_000;

/**
 * Every leg of the account since a time, as the view `postings` has them, with two differences: cash of a sale counts from its trade on, and not from its
 * settlement, so that it is what the account shows as its cash, and allowances are none. Each part is read along an index of its table. D1 takes no
 * more than five parts in one union, hence the two within it.
 */
function movements(account: string, from: number): SQL {
  const since = sql`CAST(${from} AS INTEGER)`;
  return sql`
    SELECT * FROM (${tradeLegs(account, from, 'buy')} UNION ALL ${tradeLegs(account, from, 'sell')})
    UNION ALL
    SELECT * FROM (${adjustmentLegs(account, from, 'buy')} UNION ALL ${adjustmentLegs(account, from, 'sell')})
    UNION ALL
    SELECT e.created_at, 'booking', e.id, e.quote_asset, e.notional
    FROM booked_executions e WHERE e.account = ${account} AND e.side = 'sell' AND e.settles_on IS NOT NULL AND e.created_at >= ${since}
    UNION ALL
    SELECT t.created_at, t.kind, t.id, t.asset, t.amount FROM ledger_transactions t
    WHERE t.account = ${account} AND t.created_at >= ${since} AND t.kind NOT IN ('settlement', 'grant')`;
}

/** What was paid, the fee, and what was traded. */
function tradeLegs(account: string, from: number, side: Side): SQL {
  const buys = side === 'buy';
  const [party, fee] = buys ? [sql`x.buyer`, sql`x.buyer_fee`] : [sql`x.seller`, sql`x.seller_fee`];
  const sign = sql.raw(buys ? '-1' : '1');
  return sql`
    SELECT x.executed_at AS at, CASE l.column1 WHEN 2 THEN 'fee' ELSE 'trade' END AS kind, x.id AS reference,
           CASE l.column1 WHEN 3 THEN x.asset_id ELSE x.quote_asset END AS asset,
           CASE l.column1 WHEN 1 THEN ${sign} * x.notional WHEN 2 THEN -${fee} ELSE -1 * ${sign} * x.quantity END AS amount
    FROM trades x CROSS JOIN (VALUES (1), (2), (3)) l
    WHERE ${party} = ${account} AND x.id >= ${idsFrom(from)} AND x.executed_at >= CAST(${from} AS INTEGER)`;
}

/** By how much what stands differs from what was settled, fee and all. */
function adjustmentLegs(account: string, from: number, side: Side): SQL {
  const [party, paid, got] =
    side === 'buy'
      ? [sql`d.buyer`, sql`x.notional + x.buyer_fee - d.notional - d.buyer_fee`, sql`d.quantity - x.quantity`]
      : [sql`d.seller`, sql`d.notional - d.seller_fee - x.notional + x.seller_fee`, sql`x.quantity - d.quantity`];
  return sql`
    SELECT d.created_at AS at, 'adjustment' AS kind, x.id AS reference, CASE l.column1 WHEN 1 THEN x.quote_asset ELSE x.asset_id END AS asset,
           CASE l.column1 WHEN 1 THEN ${paid} ELSE ${got} END AS amount
    FROM trade_adjustments d JOIN trades x ON x.id = d.trade_id CROSS JOIN (VALUES (1), (2)) l
    WHERE ${party} = ${account} AND d.created_at >= CAST(${from} AS INTEGER)`;
}

/** What stands and has moved, of assets alone. */
const OF_ASSETS = sql`JOIN assets a ON a.id = m.asset AND a.category <> 'allowance'`;

const standing = (account: string): SQL => sql`
  SELECT m.asset, sum(m.amount) AS amount FROM (
    SELECT asset, available + held AS amount FROM balances WHERE account = ${account}
    UNION ALL SELECT asset, amount FROM unsettled_sums WHERE account = ${account} AND kind = 'cash') m ${OF_ASSETS}
  GROUP BY m.asset HAVING sum(m.amount) <> 0`;

export interface MovementSums {
  readonly now: readonly Standing[];
  readonly moved: readonly MovedAmount<MovementKind>[];
  readonly assets: readonly MovedAsset[];
}

/**
 * What the account has now, and what has moved within a span and since, in one transaction: they fit each other whatever happens meanwhile. Null where
 * more has moved than is added up.
 */
export async function readMovementSums(
  db: Database,
  { account, from, to }: MovementSpan,
): Promise<MovementSums | null> {
  const all = movements(account, from);
  const end = sql`CAST(${to} AS INTEGER)`;
  if (await isTooMany(db, all)) return null;
  const [now, moved, assets] = await sqlBatch<[Standing[], MovedAmount<MovementKind>[], MovedAsset[]]>(db, [
    standing(account),
    sql`SELECT m.asset, m.kind, sum(CASE WHEN m.at < ${end} THEN m.amount ELSE 0 END) AS within,
               sum(CASE WHEN m.at < ${end} THEN 0 ELSE m.amount END) AS since
        FROM (${all}) m ${OF_ASSETS} GROUP BY m.asset, m.kind`,
    assetsOf(account, all),
  ]);
  return { now, moved, assets };
}

function assetsOf(account: string, all: SQL): SQL {
  return sql`
    SELECT a.id, a.symbol, a.name, a.category, a.scale FROM assets a WHERE a.category <> 'allowance' AND (
      a.id IN (SELECT asset FROM balances WHERE account = ${account})
      OR a.id IN (SELECT asset FROM unsettled_sums WHERE account = ${account})
      OR a.id IN (SELECT m.asset FROM (${all}) m))`;
}

async function isTooMany(db: Database, all: SQL): Promise<boolean> {
  const [row] = await db.all<{ count: number }>(
    sql`SELECT count(*) AS count FROM (SELECT 1 FROM (${all}) LIMIT CAST(${MOVEMENTS_MAX + 1} AS INTEGER))`,
  );
  return (row?.count ?? 0) > MOVEMENTS_MAX;
}

/** Legs of a span, oldest first; their order never changes, since what comes later stands behind. */
export function listMovements(
  db: Database,
  { account, from, to }: MovementSpan,
  { offset, limit }: { readonly offset: number; readonly limit: number },
): Promise<MovementRow[]> {
  return db.all<MovementRow>(sql`
    SELECT m.at, m.kind, m.reference, m.asset, m.amount FROM (${movements(account, from)}) m ${OF_ASSETS}
    WHERE m.at < CAST(${to} AS INTEGER) AND m.amount <> 0
    ORDER BY m.at, m.reference, m.kind, m.asset, m.amount LIMIT CAST(${limit} AS INTEGER) OFFSET CAST(${offset} AS INTEGER)`);
}

/** The same, or null where more has moved since the span began than is read. */
export async function listFewMovements(
  db: Database,
  span: MovementSpan,
  page: { readonly offset: number; readonly limit: number },
): Promise<MovementRow[] | null> {
  return (await isTooMany(db, movements(span.account, span.from))) ? null : await listMovements(db, span, page);
}

/** What has moved on a day of UTC. */
interface DayMovement {
  /** Its midnight, Unix milliseconds. */
  readonly day: number;
  readonly asset: string;
  readonly kind: MovementKind;
  readonly amount: number;
}

export interface DailyMovements {
  readonly now: readonly Standing[];
  readonly days: readonly DayMovement[];
  readonly assets: readonly MovedAsset[];
}

/** What the account has now, and what has moved each day of UTC since a midnight; null where that is more than is added up. */
export async function readDailyMovements(db: Database, account: string, from: number): Promise<DailyMovements | null> {
  const all = movements(account, from);
  if (await isTooMany(db, all)) return null;
  const [now, days, assets] = await sqlBatch<[Standing[], DayMovement[], MovedAsset[]]>(db, [
    standing(account),
    sql`SELECT m.at - m.at % 86400000 AS day, m.asset, m.kind, sum(m.amount) AS amount FROM (${all}) m ${OF_ASSETS}
        GROUP BY day, m.asset, m.kind HAVING sum(m.amount) <> 0`,
    assetsOf(account, all),
  ]);
  return { now, days, assets };
}

/** When the first thing happened to the account, Unix milliseconds; null where nothing has. */
export async function readFirstMovement(db: Database, account: string): Promise<number | null> {
  const [row] = await db.all<{ at: number | null }>(sql`
    SELECT min(at) AS at FROM (
      SELECT * FROM (SELECT executed_at AS at FROM trades WHERE buyer = ${account} ORDER BY id LIMIT 1)
      UNION ALL SELECT * FROM (SELECT executed_at FROM trades WHERE seller = ${account} ORDER BY id LIMIT 1)
      UNION ALL
      SELECT min(created_at) FROM ledger_transactions WHERE account = ${account} AND kind NOT IN ('settlement', 'grant'))`);
  return row?.at ?? null;
}
