import { type SQL, sql } from 'drizzle-orm';
import type { HolderKind, RegisterEventType } from '../../../domain/register/register-event.ts';
import { identityEndOf } from '../../accounts/identity-end.ts';
import type { Database } from '../../database.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { waitingReversals } from './reversals.ts';

export interface CapTable {
  readonly outstanding: number;
  readonly holders: number;
  /** Of the last event. */
  readonly sequence: number;
  readonly recordedAt: number | null;
  /** Units of instructions that are not final, and of reversals that wait; of now, whatever the moment asked for. */
  readonly pendingUnits: number;
}

export interface Holder {
  readonly holder: string;
  readonly account: string | null;
  readonly reference: string;
  readonly kind: HolderKind;
  readonly name: string;
  readonly country: string | null;
}

export interface Holding extends Holder {
  readonly shares: number;
  /** What instructions that are not final, and reversals that wait, add or take; of now. */
  readonly pending: number;
}

interface HistoryLine {
  readonly holder: string;
  readonly name: string;
  readonly shares: number;
  readonly certificate: string | null;
  readonly legend: number;
}

export interface HistoryEvent {
  readonly id: string;
  readonly type: RegisterEventType;
  readonly sequence: number;
  readonly recordedAt: number;
  readonly recordDate: string | null;
  readonly notes: string | null;
  /** Change of what is outstanding. */
  readonly outstanding: number;
  readonly lines: number;
  readonly first: readonly HistoryLine[];
}

/** Lines of an event that its history shows. */
const HISTORY_LINES_MAX = 20;

/** What the register of a security does not say yet: `buyer`, `seller`, `units`. */
function unrecorded(security: string): SQL {
  return sql`
    SELECT buyer, seller, units FROM transfer_instructions
    WHERE security = ${security} AND state IN ('pending', 'acknowledged', 'rejecting')
    UNION ALL ${waitingReversals(security)}`;
}

/** What each holder was registered with at a moment: the sum of what was recorded until then. Null for now. */
function holdings(security: string, asOf: number | null): SQL {
  if (asOf === null)
    return sql`SELECT holder, shares FROM register_holdings WHERE security = ${security} AND shares > 0`;
  return sql`
    SELECT c.holder, sum(c.shares) AS shares FROM register_events e JOIN register_changes c ON c.event = e.id
    WHERE e.security = ${security} AND e.state = 'recorded' AND e.recorded_at <= ${asOf}
    GROUP BY c.holder HAVING sum(c.shares) > 0`;
}

export async function readCapTable(db: Database, security: string, asOf: number | null): Promise<CapTable> {
  const until = asOf === null ? sql`TRUE` : sql`recorded_at <= ${asOf}`;
  const [totals, last, pending] = await sqlBatch<
    [
      { outstanding: number; holders: number }[],
      { sequence: number; recordedAt: number | null }[],
      { pendingUnits: number }[],
    ]
  >(db, [
    sql`SELECT coalesce(sum(shares), 0) AS outstanding, count(*) AS holders FROM (${holdings(security, asOf)})`,
    sql`
      SELECT coalesce(max(sequence), 0) AS sequence, max(recorded_at) AS recordedAt FROM register_events
      WHERE security = ${security} AND state = 'recorded' AND ${until}`,
    sql`SELECT coalesce(sum(units), 0) AS pendingUnits FROM (${unrecorded(security)})`,
  ]);
  return {
    outstanding: totals[0]?.outstanding ?? 0,
    holders: totals[0]?.holders ?? 0,
    sequence: last[0]?.sequence ?? 0,
    recordedAt: last[0]?.recordedAt ?? null,
    pendingUnits: pending[0]?.pendingUnits ?? 0,
  };
}

/**
 * By holder id, after the last one of the page before. A page reads its own holders alone: CROSS JOIN has the planner begin with them, and not with all that
 * was ever recorded of the security.
 */
export function listHoldings(
  db: Database,
  security: string,
  { asOf, after, limit }: { readonly asOf: number | null; readonly after: string | null; readonly limit: number },
): Promise<Holding[]> {
  const shares =
    asOf === null
      ? sql`r.shares`
      : sql`(SELECT coalesce(sum(c.shares), 0) FROM register_changes c CROSS JOIN register_events e ON e.id = c.event
          WHERE c.holder = r.holder AND e.security = ${security} AND e.state = 'recorded' AND e.recorded_at <= ${asOf})`;
  return db.all<Holding>(sql`
    WITH unrecorded AS (${unrecorded(security)}), pending AS (
      SELECT account, sum(units) AS units FROM (
        SELECT buyer AS account, units FROM unrecorded UNION ALL SELECT seller, -units FROM unrecorded)
      GROUP BY account)
    SELECT h.id AS holder, h.account, h.reference, h.kind, h.name, h.country, p.shares, coalesce(q.units, 0) AS pending
    FROM (
      SELECT holder, shares FROM (SELECT r.holder, ${shares} AS shares FROM register_holdings r
        WHERE r.security = ${security} AND r.holder > ${after ?? ''})
      WHERE shares > 0 ORDER BY holder LIMIT ${limit}) p
    CROSS JOIN register_holders h ON h.id = p.holder LEFT JOIN pending q ON q.account = h.account
    ORDER BY h.id`);
}

/** What has changed the register, in order, after a place of it. */
export async function listHistory(
  db: Database,
  security: string,
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<HistoryEvent[]> {
  const events = await db.all<Omit<HistoryEvent, 'first'>>(sql`
    SELECT e.id, e.type, e.sequence, e.recorded_at AS recordedAt, e.record_date AS recordDate, e.notes,
      coalesce(sum(c.shares), 0) AS outstanding, count(c.line) AS lines
    FROM (SELECT * FROM register_events WHERE security = ${security} AND state = 'recorded' AND sequence > ${after}
      ORDER BY sequence LIMIT ${limit}) e LEFT JOIN register_changes c ON c.event = e.id
    GROUP BY e.id ORDER BY e.sequence`);
  const lines = await db.all<HistoryLine & { readonly event: string }>(sql`
    SELECT c.event, c.holder, h.name, c.shares, c.certificate, c.legend
    FROM json_each(${JSON.stringify(events.map(({ id }) => id))}) i
    CROSS JOIN register_changes c ON c.event = i.value JOIN register_holders h ON h.id = c.holder
    WHERE c.line < ${HISTORY_LINES_MAX} ORDER BY c.line`);
  return events.map((event) => ({ ...event, first: lines.filter((line) => line.event === event.id) }));
}

export async function findHolder(db: Database, security: string, id: string): Promise<Holder | null> {
  const row = await db.get<Holder>(sql`
    SELECT id AS holder, account, reference, kind, name, country FROM register_holders
    WHERE security = ${security} AND id = ${id}`);
  return row ?? null;
}

/** An account that is named as a holder. */
export interface NamedAccount {
  /** Of its owner. */
  readonly name: string;
  /** Under which the register has it; null where it has not. */
  readonly registeredName: string | null;
  /** It takes shares: its owner is identified, and it is not frozen. */
  readonly isEligible: boolean;
  /** When the newest of its lots of the security that are free was acquired, Unix ms; null for none. */
  readonly newestFreeAt: number | null;
}

/**
 * Of these accounts, those that the agent of a security may register shares to: of investors whom its lister has introduced, of who holds it or is
 * registered with it, and of people who have let agents do so. The others stay unknown to the agent.
 */
export async function namedAccounts(
  db: Database,
  security: string,
  accounts: readonly string[],
  now: number,
): Promise<Map<string, NamedAccount>> {
  const rows = await db.all<{
    id: string;
    name: string;
    registeredName: string | null;
    eligible: number;
    newestFreeAt: number | null;
  }>(sql`
    SELECT a.id, u.name,
      (SELECT h.name FROM register_holders h WHERE h.security = ${security} AND h.account = a.id) AS registeredName, a.kyc_status = 'completed' AND coalesce(${identityEndOf('a')} > CAST(${now} AS INTEGER), 1) AND a.frozen = 0 AS eligible,
      (SELECT max(l.acquired_at) FROM lots l WHERE l.account = a.id AND l.asset = ${security}
        AND coalesce(l.restriction_ends_at, 0) <= CAST(${now} AS INTEGER)) AS newestFreeAt
    FROM json_each(${JSON.stringify(accounts)}) j CROSS JOIN accounts a ON a.id = j.value
    JOIN users u ON u.id = a.user_id WHERE a.boundary = 0 AND (
      EXISTS (SELECT 1 FROM register_consents c WHERE c.account = a.id)
      OR EXISTS (SELECT 1 FROM investors i JOIN securities s ON s.organization = i.organization
        WHERE i.id = a.user_id AND s.id = ${security})
      OR EXISTS (SELECT 1 FROM balances b WHERE b.account = a.id AND b.asset = ${security} AND b.available + b.held > 0)
      OR EXISTS (SELECT 1 FROM register_holders h JOIN register_holdings r ON r.security = h.security AND r.holder = h.id
        WHERE h.security = ${security} AND h.account = a.id AND r.shares > 0))`);
  return new Map(rows.map(({ id, eligible, ...account }) => [id, { ...account, isEligible: eligible === 1 }]));
}
