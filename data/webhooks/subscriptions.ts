import { and, eq, gt, inArray, isNull, or, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { partnerOrganizations, securities } from '../schema/partner.ts';
import { webhookEndpoints } from '../schema/webhooks.ts';
import type { Endpoint } from './endpoints.ts';

/** What was told to a disabled endpoint so long after its end is kept there for a replay. */
const KEPT_AFTER_END_MS = 30 * DAY_MS;

/** A cross-listed security with those who are told of it. */
export interface ToldSecurity {
  readonly security: Readonly<typeof securities.$inferSelect>;
  readonly lister: PartnerFirm;
  /** The agent that acts for it; null for none. */
  readonly agent: PartnerFirm | null;
  /** Decimals of its shares. */
  readonly scale: number;
}

export type PartnerFirm = Readonly<typeof partnerOrganizations.$inferSelect>;

/** By id; what is no cross-listed security is missing. */
export async function toldSecurities(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, ToldSecurity>> {
  const rows = await db
    .select({ security: securities, scale: assets.scale })
    .from(securities)
    .leftJoin(assets, eq(assets.id, securities.id))
    .where(inArray(securities.id, listed(ids)));
  const organizations = rows.flatMap(({ security }) => [security.organization, security.transferAgent ?? '']);
  const firms = await partnerFirms(db, organizations);
  const told = new Map<string, ToldSecurity>();
  for (const { security, scale } of rows) {
    const lister = firms.get(security.organization);
    if (lister === undefined) continue;
    const agent = security.agentState === 'accepted' ? (firms.get(security.transferAgent ?? '') ?? null) : null;
    told.set(security.id, { security, lister, agent, scale: scale ?? 0 });
  }
  return told;
}

/** By organization. */
export async function partnerFirms(
  db: Database,
  organizations: readonly string[],
): Promise<ReadonlyMap<string, PartnerFirm>> {
  const rows = await db
    .select()
    .from(partnerOrganizations)
    .where(inArray(partnerOrganizations.organization, listed(organizations)));
  return new Map(rows.map((row) => [row.organization, row]));
}

export type ReceivingEndpoint = Pick<Endpoint, 'id' | 'organization' | 'url' | 'events' | 'ordering' | 'securityIds'>;

/**
 * Endpoints of these organizations that take messages: those that are enabled, and those that were until lately. A refused partner is told nothing: what
 * it is told of may be another agent's.
 */
export function receivingEndpoints(
  db: Database,
  organizations: readonly string[],
  now: number,
): Promise<ReceivingEndpoint[]> {
  return db
    .select({
      id: webhookEndpoints.id,
      organization: webhookEndpoints.organization,
      url: webhookEndpoints.url,
      events: webhookEndpoints.events,
      ordering: webhookEndpoints.ordering,
      securityIds: webhookEndpoints.securityIds,
    })
    .from(webhookEndpoints)
    .where(
      and(
        inArray(webhookEndpoints.organization, listed(organizations)),
        or(isNull(webhookEndpoints.disabledReason), gt(webhookEndpoints.disabledAt, now - KEPT_AFTER_END_MS)),
        sql`NOT EXISTS (SELECT 1 FROM partner_organizations p
          WHERE p.organization = webhook_endpoints.organization AND p.state = 'refused')`,
      ),
    );
}

/** One parameter, however many values. */
export function listed(values: readonly string[]) {
  return sql`(SELECT value FROM json_each(${JSON.stringify([...new Set(values)])}))`;
}
