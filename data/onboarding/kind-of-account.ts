import { type SQL, sql } from 'drizzle-orm';
import type { InvestorType } from '../../domain/partner/compliance.ts';

/**
 * Whether an account is a person's or an entity's, as SQL: what its partner has said of an investor; of others what they have handed in, and of an account without a user, which is an organization's, `entity`.
 *
 * @param userId the account's user, as SQL; null for none
 */
export const kindOfAccount = (userId: SQL): SQL<InvestorType> => sql`
  coalesce(
    (SELECT account_type FROM investors WHERE investors.id = ${userId}),
    iif(${userId} IS NULL OR EXISTS (
      SELECT 1 FROM identities WHERE identities.user_id = ${userId} AND subject = 'entity' AND submission IS NOT NULL), 'entity', 'individual'))`;
