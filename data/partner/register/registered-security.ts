import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import type { SecuritiesOf } from '../securities.ts';

/** A security whose register somebody sees. */
export interface RegisteredSecurity {
  readonly id: string;
  readonly assetName: string;
  readonly securityClass: string;
  readonly shareClass: string;
  readonly issuerName: string;
  /** Of its asset; null until it is listed. */
  readonly scale: number | null;
  readonly regulation: string | null;
  readonly offeringType: string | null;
}

/** Of the agent that has accepted it, or of its lister, who reads what an agent has written also once none keeps it; else null. */
export async function findRegisteredSecurity(
  db: Database,
  { organization, role }: SecuritiesOf,
  id: string,
): Promise<RegisteredSecurity | null> {
  const reader: SQL =
    role === 'cross_lister'
      ? sql`s.organization = ${organization} AND (s.agent_state = 'accepted'
          OR EXISTS (SELECT 1 FROM register_events e WHERE e.security = s.id AND e.sequence IS NOT NULL))`
      : sql`s.transfer_agent = ${organization} AND s.agent_state = 'accepted'`;
  const row = await db.get<RegisteredSecurity>(sql`
    SELECT s.id, s.asset_name AS assetName, s.security_class AS securityClass, s.share_class AS shareClass,
      s.issuer_name AS issuerName, a.scale, a.regulation, a.offering_type AS offeringType
    FROM securities s LEFT JOIN assets a ON a.id = s.id
    WHERE s.id = ${id} AND ${reader}`);
  return row ?? null;
}

/** Scales of these securities' assets, of those that are listed. */
export async function scalesOf(db: Database, securities: readonly string[]): Promise<Map<string, number>> {
  const rows = await db.all<{ id: string; scale: number }>(sql`
    SELECT id, scale FROM assets WHERE id IN (SELECT value FROM json_each(${JSON.stringify(securities)}))`);
  return new Map(rows.map(({ id, scale }) => [id, scale]));
}
