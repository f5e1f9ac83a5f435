import { eq } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { partnerOrganizations } from '../schema/partner.ts';

export type PartnerOrganization = Readonly<typeof partnerOrganizations.$inferSelect>;

export async function findPartnerOrganization(db: Database, organization: string): Promise<PartnerOrganization | null> {
  const row = await db
    .select()
    .from(partnerOrganizations)
    .where(eq(partnerOrganizations.organization, organization))
    .get();
  return row ?? null;
}
