import { type SQL, sql } from 'drizzle-orm';
import type { OcfHolder, RegisteredLine } from '../../../domain/register/ocf/export-ocf.ts';
import type { Database } from '../../database.ts';
import { sqlBatch } from '../../sql-batch.ts';

/** Everything that has changed a register, and whom. */
export interface RegisterLines {
  /** In the order of the register. */
  readonly lines: readonly RegisteredLine[];
  readonly holders: readonly OcfHolder[];
}

/** The lines of all recorded events of a security, or how many there are where that is more than `linesMax`. */
export async function readRegisterLines(
  db: Database,
  security: string,
  linesMax: number,
): Promise<RegisterLines | number> {
  const recorded: SQL = sql`
    register_events e JOIN register_changes c ON c.event = e.id WHERE e.security = ${security} AND e.state = 'recorded'`;
  const [[counted], lines, holders] = await sqlBatch<
    [{ count: number }[], (Omit<RegisteredLine, 'legend'> & { readonly legend: number })[], OcfHolder[]]
  >(db, [
    sql`SELECT count(*) AS count FROM ${recorded}`,
    sql`
      SELECT e.id AS event, e.type, e.recorded_at AS recordedAt, e.notes, c.holder, c.shares, c.cost,
        c.acquired_at AS acquiredAt, c.certificate, c.legend
      FROM ${recorded} ORDER BY e.sequence, c.line LIMIT CAST(${linesMax} AS INTEGER)`,
    sql`
      SELECT id, reference, name, kind, country FROM register_holders
      WHERE security = ${security} AND id IN (SELECT c.holder FROM ${recorded})
      ORDER BY id LIMIT CAST(${linesMax} AS INTEGER)`,
  ]);
  const count = counted?.count ?? 0;
  if (count > linesMax) return count;
  return { lines: lines.map((line) => ({ ...line, legend: line.legend === 1 })), holders };
}
