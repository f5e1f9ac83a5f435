import { desc, getTableColumns, lt, type SQL, sql } from 'drizzle-orm';
import type { MarketRoute } from '../../domain/markets/market.ts';
import type { TradingHours } from '../../domain/markets/trading-hours.ts';
import type { Finding } from '../../domain/surveillance/finding.ts';
import { subjectOf } from '../../domain/surveillance/finding.ts';
import type { Database } from '../database.ts';
import { orderArchive } from '../schema/orders.ts';
import { surveillanceDays } from '../schema/surveillance.ts';
import { sqlBatch } from '../sql-batch.ts';
import { isAbout } from './about.ts';

export type SurveillanceDay = Readonly<typeof surveillanceDays.$inferSelect>;

/** The last day that was begun; null before the first. */
export async function findLastDay(db: Database): Promise<SurveillanceDay | null> {
  return (await db.select().from(surveillanceDays).orderBy(desc(surveillanceDays.day)).limit(1).get()) ?? null;
}

/** Days that were watched, newest first, without cases about the viewers. @param viewers user ids of whoever may be asking */
export function listDays(
  db: Database,
  viewers: readonly string[],
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<SurveillanceDay[]> {
  const about = sql`(SELECT count(*) FROM surveillance_cases
    WHERE surveillance_cases.day = ${sql.raw('surveillance_days.day')} AND ${isAbout(viewers)})`;
  return db
    .select({
      ...getTableColumns(surveillanceDays),
      cases: sql<number>`${sql.raw('surveillance_days.cases')} - ${about}`,
    })
    .from(surveillanceDays)
    .where(before === null ? undefined : lt(surveillanceDays.day, before))
    .orderBy(desc(surveillanceDays.day))
    .limit(limit);
}

export async function beginDay(db: Database, day: string, now: number): Promise<void> {
  await db.insert(surveillanceDays).values({ day, beganAt: now }).onConflictDoNothing();
}

/** Where a run stands: the day as it was read, and the read model that it reads from (`readModelGeneration`). */
export interface StandingDay {
  readonly day: SurveillanceDay;
  readonly generation: number;
}

/** How often the read model was emptied: what is read from two generations is no whole. */
export async function readModelGeneration(db: Database): Promise<number> {
  const row = await db.select({ generation: orderArchive.generation }).from(orderArchive).get();
  if (row === undefined) throw new Error('the archive of orders has no state');
  return row.generation;
}

/** The day goes on from where it was read, and nothing was emptied since. */
function stands({ day: { visited }, generation }: StandingDay): SQL {
  return sql`visited = ${visited} AND done_at IS NULL
    AND EXISTS (SELECT 1 FROM order_archive WHERE generation = CAST(${generation} AS INTEGER))`;
}

/** Counts a run that begins with the next market. @returns false where the day does not stand where it was read */
export async function beginMarket(db: Database, standing: StandingDay): Promise<boolean> {
  const rows = await db.all(sql`
    UPDATE surveillance_days SET tries = tries + 1 WHERE day = ${standing.day.day} AND ${stands(standing)} RETURNING tries`);
  return rows.length > 0;
}

/** Moves the day on past a market that is not judged. @returns as for `beginMarket` */
export async function leaveMarketOut(db: Database, standing: StandingDay, symbol: string): Promise<boolean> {
  const rows = await db.all(sql`
    UPDATE surveillance_days SET visited = ${symbol}, tries = 0, markets_left_out = json_insert(markets_left_out, '$[#]', ${symbol})
    WHERE day = ${standing.day.day} AND ${stands(standing)} RETURNING tries`);
  return rows.length > 0;
}

/** Whether a market was left out of the day before. */
export async function wasLeftOut(db: Database, { day }: SurveillanceDay, symbol: string): Promise<boolean> {
  const before = await db
    .select({ marketsLeftOut: surveillanceDays.marketsLeftOut })
    .from(surveillanceDays)
    .where(lt(surveillanceDays.day, day))
    .orderBy(desc(surveillanceDays.day))
    .limit(1)
    .get();
  return before?.marketsLeftOut.includes(symbol) ?? false;
}

/** @returns as for `beginMarket` */
export async function endDay(db: Database, standing: StandingDay, now: number): Promise<boolean> {
  const rows = await db.all(sql`
    UPDATE surveillance_days SET done_at = CAST(${now} AS INTEGER)
    WHERE day = ${standing.day.day} AND ${stands(standing)} RETURNING day`);
  return rows.length > 0;
}

/** A market in which was traded on a day. */
export interface TradedMarket {
  readonly symbol: string;
  readonly asset: string;
  readonly tradingHours: TradingHours;
  readonly route: MarketRoute;
}

/** Markets that have a bar of the day (midnight of UTC), by symbol. */
export function listTradedMarkets(
  db: Database,
  { midnight, after, limit }: { readonly midnight: number; readonly after: string; readonly limit: number },
): Promise<TradedMarket[]> {
  return db.all<TradedMarket>(sql`
    SELECT m.symbol, m.base_asset AS asset, m.trading_hours AS tradingHours, m.route
    FROM markets m JOIN bars b ON b.book = m.symbol AND b.interval = '1d' AND b.bucket = CAST(${midnight} AS INTEGER)
    WHERE m.symbol > ${after} ORDER BY m.symbol LIMIT CAST(${limit} AS INTEGER)`);
}

/** What was found in one market of a day. */
export interface JudgedMarket {
  readonly market: Pick<TradedMarket, 'symbol' | 'asset'>;
  /** Each with the id of the case that it makes. */
  readonly findings: readonly (Finding & { readonly id: string })[];
  readonly casesLeftOut: number;
  readonly tradesLeftOut: number;
  readonly accountsLeftOut: number;
  readonly now: number;
}

/**
 * Writes the cases of a market and moves the day on past it, both or neither. What was judged by another run since, or was read while the read model was emptied, aborts
 * the batch, so that no market counts twice and none by a part of its trades.
 *
 * @throws what D1 throws where the day does not stand where it was read
 */
export async function noteMarketJudged(db: Database, standing: StandingDay, judged: JudgedMarket): Promise<void> {
  const { market, findings, casesLeftOut, tradesLeftOut, accountsLeftOut, now } = judged;
  await sqlBatch(db, [
    sql`UPDATE surveillance_days SET visited = ${market.symbol}, tries = 0, cases = cases + CAST(${findings.length} AS INTEGER),
          cases_left_out = cases_left_out + CAST(${casesLeftOut} AS INTEGER),
          trades_left_out = trades_left_out + CAST(${tradesLeftOut} AS INTEGER),
          accounts_left_out = accounts_left_out + CAST(${accountsLeftOut} AS INTEGER),
          markets = CASE WHEN ${stands(standing)} THEN markets + 1 ELSE -1 END
        WHERE day = ${standing.day.day}`,
    ...findings.map(({ id, rule, people, accounts, relation, relationOf, numbers, trades, orders }) => {
      const evidence = JSON.stringify({ relation, relationOf, numbers, trades, orders });
      return sql`
        INSERT INTO surveillance_cases (id, rule, subject, market, asset, day, people, accounts, evidence, created_at, updated_at)
        VALUES (${id}, ${rule}, ${subjectOf(people)}, ${market.symbol}, ${market.asset}, ${standing.day.day}, ${JSON.stringify(people)},
                ${JSON.stringify(accounts)}, ${evidence}, CAST(${now} AS INTEGER), CAST(${now} AS INTEGER))
        ON CONFLICT DO NOTHING`;
    }),
  ]);
}
