import { type SQL, sql } from 'drizzle-orm';

/**
 * Trades of the securities `s` behind a place in their books, as `security`, `trade`: the first of each, then the second of each, the older trade first.
 * So a busy security keeps back no other, and of each those that come are its next ones.
 *
 * @param isMeant of which securities `s`
 * @param behind the place, by `s`
 */
export function tradesInTurn(isMeant: SQL, behind: SQL, count: number): SQL {
  return sql`
    SELECT security, trade FROM (
      SELECT s.id AS security, t.id AS trade, t.executed_at AS executedAt,
        row_number() OVER (PARTITION BY s.id ORDER BY t.sequence) AS turn
      FROM securities s CROSS JOIN trades t ON t.id IN (
        SELECT n.id FROM trades n WHERE n.book = s.market AND n.sequence > ${behind} ORDER BY n.sequence LIMIT ${count})
      WHERE s.market IS NOT NULL AND ${isMeant})
    ORDER BY turn, executedAt LIMIT ${count}`;
}
