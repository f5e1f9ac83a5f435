import { database } from '../../data/database.ts';
import { rolesOfActivePartners } from '../../data/partner/organizations.ts';
import { findSecurities } from '../../data/partner/securities.ts';
import { followsSecurity } from '../../domain/partner/follows-security.ts';
import type { PartnerStream } from './caller.ts';

/**
 * Those of these streams that have to end: their organization is not active, or follows their security no more. What a user may do for
 * its organization is of its credential.
 */
export async function endedStreams(
  env: Pick<Env, 'DB'>,
  streams: readonly PartnerStream[],
): Promise<ReadonlySet<PartnerStream>> {
  if (streams.length === 0) return new Set();
  const db = database(env.DB);
  const [roles, securities] = await Promise.all([
    rolesOfActivePartners(db, [...new Set(streams.map(({ organization }) => organization))]),
    findSecurities(db, [...new Set(streams.map(({ securityId }) => securityId))]),
  ]);
  return new Set(
    streams.filter(({ organization, securityId }) => {
      const [role, security] = [roles.get(organization), securities.get(securityId)];
      return role === undefined || security === undefined || !followsSecurity({ organization, role }, security);
    }),
  );
}
