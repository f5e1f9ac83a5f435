import { and, asc, eq, gt, or } from 'drizzle-orm';
import type { PartnerRole } from '../../domain/partner/partner-organization.ts';
import type { SecurityState } from '../../domain/partner/security.ts';
import type { Database } from '../database.ts';
import { securities } from '../schema/partner.ts';

/** A cross-listed security as it is stored. */
export type Security = Readonly<typeof securities.$inferSelect>;

/** Whose securities somebody sees: a lister its own, a transfer agent those that name it. */
export interface SecuritiesOf {
  readonly organization: string;
  readonly role: PartnerRole;
}

/** The partner's securities by id, after the last one of the page before. */
export function listSecurities(
  db: Database,
  partner: SecuritiesOf,
  {
    state,
    after,
    limit,
  }: { readonly state: SecurityState | null; readonly after: string | null; readonly limit: number },
): Promise<Security[]> {
  return db
    .select()
    .from(securities)
    .where(
      and(
        ownedBy(partner),
        state === null ? undefined : eq(securities.state, state),
        after === null ? undefined : gt(securities.id, after),
      ),
    )
    .orderBy(asc(securities.id))
    .limit(limit);
}

/** One of the partner's securities, or null: another's is not there. */
export async function findSecurityOf(db: Database, partner: SecuritiesOf, id: string): Promise<Security | null> {
  const row = await db
    .select()
    .from(securities)
    .where(and(eq(securities.id, id), ownedBy(partner)))
    .get();
  return row ?? null;
}

/** Whether the venue has a market for the security, whoever has brought it. */
export async function isListedSecurity(db: Database, id: string): Promise<boolean> {
  const onVenue = and(eq(securities.id, id), or(eq(securities.state, 'listed'), eq(securities.state, 'halted')));
  return (await db.select({ id: securities.id }).from(securities).where(onVenue).get()) !== undefined;
}

function ownedBy({ organization, role }: SecuritiesOf) {
  if (role === 'cross_lister') return eq(securities.organization, organization);
  return and(
    eq(securities.transferAgent, organization),
    or(eq(securities.agentState, 'proposed'), eq(securities.agentState, 'accepted')),
  );
}
