import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import type { Database } from '../../database.ts';
import { isDatabaseFull, registersHaveRoom } from '../../jobs/database-size.ts';

/**
 * Rows that a transfer agent may have written: events of registers with their lines, of which it may have so many in all, and on one day together with those of
 * corporate actions. A line has 800 bytes with its holder and its indexes, a row of an action 300. An agent at its bound holds 1.6 GB of D1's 10. Those of a security
 * are counted by agent: what one has used up is there for the next.
 *
 * @internal
 */
export const ROWS_MAX = {
  agent: 2_000_000,
  agentDay: 1_000_000,
  security: 1_000_000,
  securityDay: 500_000,
} as const;

export interface RoomFault {
  readonly reason: 'too_many_rows';
  /** Whose rows, and whether of this day (UTC). */
  readonly of: keyof typeof ROWS_MAX;
  readonly limit: number;
}

export type FullFault = RoomFault | { readonly reason: 'database_full' };

interface Rows {
  readonly security: string;
  /** How many would come. */
  readonly rows: SQL | number;
  /** Rows of actions are bounded by day alone: who pays dividends does it for ever. */
  readonly kind: 'lines' | 'payments';
  /** Unix ms. */
  readonly at: number;
}

const dayOf = (at: number): number => Math.floor(at / DAY_MS);

const agentOf = (security: string): SQL => sql`(SELECT transfer_agent FROM securities WHERE id = ${security})`;

/** Of a security, what one agent has written. */
function scopeOf(security: SQL | string, agent: SQL): SQL {
  return sql`'security:' || ${security} || coalesce(' ' || ${agent}, '')`;
}

/** Per bound, what is there of it. */
function usedOf({ security, at }: Pick<Rows, 'security' | 'at'>): Readonly<Record<keyof typeof ROWS_MAX, SQL>> {
  const scopes = { agent: sql`'agent:' || ${agentOf(security)}`, security: scopeOf(security, agentOf(security)) };
  const inAll = (scope: SQL): SQL =>
    sql`(SELECT coalesce(sum(lines), 0) FROM register_row_counts WHERE scope = ${scope})`;
  const ofDay = (scope: SQL): SQL =>
    sql`(SELECT coalesce(sum(lines + payments), 0) FROM register_row_counts WHERE scope = ${scope} AND day = CAST(${dayOf(at)} AS INTEGER))`;
  return {
    agent: inAll(scopes.agent),
    agentDay: ofDay(scopes.agent),
    security: inAll(scopes.security),
    securityDay: ofDay(scopes.security),
  };
}

function boundsOf(kind: Rows['kind']): (keyof typeof ROWS_MAX)[] {
  return kind === 'lines' ? ['agent', 'agentDay', 'security', 'securityDay'] : ['agentDay', 'securityDay'];
}

/** An action has a row for each holder, however many there are: the first of a day fits whatever its number. */
function fitsIn(of: keyof typeof ROWS_MAX, used: SQL, { rows, kind }: Rows): SQL {
  const isFirst = kind === 'payments' ? sql`${used} = 0` : sql`FALSE`;
  return sql`(${isFirst} OR ${used} + ${rows} <= CAST(${ROWS_MAX[of]} AS INTEGER))`;
}

/** Condition: these rows fit. */
export function hasRoom(rows: Rows): SQL {
  const used = usedOf(rows);
  const fits = boundsOf(rows.kind).map((of) => fitsIn(of, used[of], rows));
  return sql`(${registersHaveRoom()} AND ${sql.join(fits, sql` AND `)})`;
}

/** Counts rows of the agent and of the security, where the condition holds. */
export function countRows({ security, rows, kind, at }: Rows, when: SQL): SQL {
  const [lines, payments] = kind === 'lines' ? [rows, 0] : [0, rows];
  return sql`
    INSERT INTO register_row_counts (scope, day, lines, payments)
    SELECT column1, CAST(${dayOf(at)} AS INTEGER), CAST(${lines} AS INTEGER), CAST(${payments} AS INTEGER)
    FROM (VALUES ('agent:' || ${agentOf(security)}), (${scopeOf(security, agentOf(security))}))
    WHERE column1 IS NOT NULL AND ${when}
    ON CONFLICT (scope, day) DO UPDATE SET lines = lines + excluded.lines, payments = payments + excluded.payments`;
}

/** Lines of an event that comes to nothing are deleted, and no longer counted; that it was asked for is. */
export function uncountLines(event: string, when: SQL): SQL {
  return sql`
    UPDATE register_row_counts SET lines = lines - e.line_count
    FROM (SELECT security, agent, created_at, line_count FROM register_events WHERE id = ${event} AND line_count IS NOT NULL) e
    WHERE scope IN ('agent:' || e.agent, ${scopeOf(sql`e.security`, sql`e.agent`)}) AND day = e.created_at / CAST(${DAY_MS} AS INTEGER) AND ${when}`;
}

/** A row for each who is registered as holding something of the security now. */
export function holdersOf(security: string): SQL {
  return sql`(SELECT count(*) FROM register_holdings WHERE security = ${security} AND shares > 0)`;
}

/** Why these rows do not fit; null where they do. */
export async function roomFault(db: Database, rows: Rows): Promise<FullFault | null> {
  if (await isDatabaseFull(db)) return { reason: 'database_full' };
  const used = usedOf(rows);
  for (const of of boundsOf(rows.kind)) {
    const limit = ROWS_MAX[of];
    const row = await db.get<{ fits: number }>(sql`SELECT ${fitsIn(of, used[of], rows)} AS fits`);
    if (row?.fits === 0) return { reason: 'too_many_rows', of, limit };
  }
  return null;
}
