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

/** Where a page of movements begins: behind so many rows that are like this one. */
export interface MovementPlace extends MovementRow {
  readonly seen: number;
}

/** A page; its list goes on at `next` where that is not null, also where it is short. */
export interface MovementPage {
  readonly rows: readonly MovementRow[];
  readonly next: MovementPlace | null;
}

interface Within {
  readonly from: number;
  /** Null for all that has happened since. */
  readonly to: number | null;
}

/**
 * Every leg of the account within a span, as the view `postings` has them, with two differences: cash of a sale counts from its trade on, and not from its
 * settlement, so that it is what the account shows as its cash, and allowances are none. Each part is read along an index of its table. D1 takes no
 * more than five parts in one union, hence the two within it.
 */
function movements(account: string, span: Within): SQL {
  return sql`
    SELECT * FROM (${tradeLegs(account, span, 'buy')} UNION ALL ${tradeLegs(account, span, 'sell')})
    UNION ALL
    SELECT * FROM (${adjustmentLegs(account, span, 'buy')} UNION ALL ${adjustmentLegs(account, span, 'sell')})
    UNION ALL
    SELECT e.created_at, 'booking', e.id, e.quote_asset, e.notional
    FROM booked_executions e WHERE e.account = ${account} AND e.side = 'sell' AND e.settles_on IS NOT NULL AND ${isWithin(sql`e.created_at`, span)}
    UNION ALL
    SELECT t.created_at, t.kind, t.id, t.asset, t.amount FROM ledger_transactions t
    WHERE t.account = ${account} AND ${isWithin(sql`t.created_at`, span)} AND t.kind NOT IN ('settlement', 'grant')`;
}

function isWithin(at: SQL, { from, to }: Within): SQL {
  const since = sql`${at} >= CAST(${from} AS INTEGER)`;
  return to === null ? since : sql`${since} AND ${at} < CAST(${to} AS INTEGER)`;
}

/** Of trades, by their ids, which begin with their time. */
function isTradeWithin({ from, to }: Within): SQL {
  const since = sql`x.id >= ${idsFrom(from)}`;
  return to === null ? since : sql`${since} AND x.id < ${idsFrom(to)}`;
}

/** What was paid, the fee, and what was traded. */
function tradeLegs(account: string, span: Within, side: Side): SQL {
  const buys = side === 'buy';
  const [party, fee] = buys ? [sql`x.buyer`, sql`x.buyer_fee`] : [sql`x.seller`, sql`x.seller_fee`];
  const sign = sql.raw(buys ? '-1' : '1');
  return sql`
    SELECT x.executed_at AS at, CASE l.column1 WHEN 2 THEN 'fee' ELSE 'trade' END AS kind, x.id AS reference,
           CASE l.column1 WHEN 3 THEN x.asset_id ELSE x.quote_asset END AS asset,
           CASE l.column1 WHEN 1 THEN ${sign} * x.notional WHEN 2 THEN -${fee} ELSE -1 * ${sign} * x.quantity END AS amount
    FROM trades x CROSS JOIN (VALUES (1), (2), (3)) l
    WHERE ${party} = ${account} AND ${isTradeWithin(span)} AND ${isWithin(sql`x.executed_at`, span)}`;
}

/** By how much what stands differs from what was settled, fee and all. */
function adjustmentLegs(account: string, span: Within, side: Side): SQL {
  const [party, paid, got] =
    side === 'buy'
      ? [sql`d.buyer`, sql`x.notional + x.buyer_fee - d.notional - d.buyer_fee`, sql`d.quantity - x.quantity`]
      : [sql`d.seller`, sql`d.notional - d.seller_fee - x.notional + x.seller_fee`, sql`x.quantity - d.quantity`];
  return sql`
    SELECT d.created_at AS at, 'adjustment' AS kind, x.id AS reference, CASE l.column1 WHEN 1 THEN x.quote_asset ELSE x.asset_id END AS asset,
           CASE l.column1 WHEN 1 THEN ${paid} ELSE ${got} END AS amount
    FROM trade_adjustments d JOIN trades x ON x.id = d.trade_id CROSS JOIN (VALUES (1), (2)) l
    WHERE ${party} = ${account} AND ${isWithin(sql`d.created_at`, span)}`;
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
  const all = movements(account, { from, to: null });
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

/**
 * Legs of a span, oldest first, from a place on. A page reads some rows more than it shows of each table, however many the span has: up to the moment by
 * which one of them has enough for it. It is short where some of these are not shown, as allowances are.
 */
export async function listMovements(
  db: Database,
  { account, from, to }: MovementSpan,
  { after, limit }: { readonly after: MovementPlace | null; readonly limit: number },
): Promise<MovementPage> {
  const since = after === null ? from : Math.max(from, after.at);
  if (since >= to) return { rows: [], next: null };
  const until = Math.min(to, (await timeOfEnough(db, account, { from: since, to }, limit)) ?? to);
  const row = sql`m.at, m.reference, m.kind, m.asset, m.amount`;
  const behind =
    after === null
      ? sql``
      : sql`AND (${row}) >= (CAST(${after.at} AS INTEGER), ${after.reference}, ${after.kind}, ${after.asset}, CAST(${after.amount} AS INTEGER))`;
  const found = await db.all<MovementRow>(sql`
    SELECT m.at, m.kind, m.reference, m.asset, m.amount FROM (${movements(account, { from: since, to: until })}) m ${OF_ASSETS}
    WHERE m.amount <> 0 ${behind}
    ORDER BY ${row} LIMIT CAST(${limit + 1} AS INTEGER) OFFSET CAST(${after?.seen ?? 0} AS INTEGER)`);
  const rows = found.slice(0, limit);
  if (found.length > limit) return { rows, next: placeBehind(rows, after) };
  return { rows, next: until < to ? { at: until, reference: '', kind: 'trade', asset: '', amount: 0, seen: 0 } : null };
}

/** The end of the first millisecond by which some table has more rows than a page; null where none has. */
async function timeOfEnough(db: Database, account: string, span: Within, limit: number): Promise<number | null> {
  const nth = sql`LIMIT 1 OFFSET CAST(${limit} AS INTEGER)`;
  const [row] = await db.all<{ at: number | null }>(sql`
    SELECT min(at) AS at FROM (
      SELECT * FROM (SELECT x.executed_at AS at FROM trades x WHERE x.buyer = ${account} AND ${isTradeWithin(span)} ORDER BY x.id ${nth})
      UNION ALL
      SELECT * FROM (SELECT x.executed_at FROM trades x WHERE x.seller = ${account} AND ${isTradeWithin(span)} ORDER BY x.id ${nth})
      UNION ALL
      SELECT * FROM (
        SELECT e.created_at FROM booked_executions e WHERE e.account = ${account} AND ${isWithin(sql`e.created_at`, span)} ORDER BY e.created_at ${nth})
      UNION ALL
      SELECT * FROM (
        SELECT t.created_at FROM ledger_transactions t WHERE t.account = ${account} AND ${isWithin(sql`t.created_at`, span)} ORDER BY t.created_at ${nth}))`);
  return row?.at == null ? null : row.at + 1;
}

/** Behind the last row of a page. Legs may be alike, such as the two fees of an account that has traded with itself. */
function placeBehind(rows: readonly MovementRow[], after: MovementPlace | null): MovementPlace | null {
  const last = rows.at(-1);
  if (last === undefined) return null;
  const alike = rows.filter((row) => isAlike(row, last)).length;
  return { ...last, seen: alike + (after !== null && isAlike(after, last) ? after.seen : 0) };
}

function isAlike(a: MovementRow, b: MovementRow): boolean {
  return (
    a.at === b.at && a.reference === b.reference && a.kind === b.kind && a.asset === b.asset && a.amount === b.amount
  );
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
  const all = movements(account, { from, to: null });
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
