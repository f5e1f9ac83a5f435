import { database } from '../../data/database.ts';
import { findPartnerOrganization, type PartnerOrganization } from '../../data/partner/organizations.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import type { PartnerRole } from '../../domain/partner/partner-organization.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** How long an isolate goes by what it has read of an organization: so much later a suspension holds everywhere. */
const FRESH_MS = 5_000;
const ORGANIZATIONS_MAX = 1_000;

interface Known {
  readonly organization: PartnerOrganization;
  readonly readAt: number;
}

const cache = new Map<string, Known>();

/** Whom a route serves. */
export interface ServedPartners {
  readonly roles: readonly PartnerRole[];
  /** Also one that is suspended, so that it may cancel what stands in the market. */
  readonly whileSuspended?: boolean;
}

/** The organization that the caller acts for, where one of its roles is asked for and the route serves it in its state; else why not. */
export async function authorizePartner(
  env: Pick<Env, 'DB'>,
  { owner, roles }: Pick<Principal, 'owner' | 'roles'>,
  { roles: served, whileSuspended = false }: ServedPartners,
): Promise<Result<PartnerOrganization, ApiError>> {
  const refused = (details: Record<string, unknown>) =>
    err(apiError('FORBIDDEN', 'the caller acts for no active partner that may do this', details));
  if (!served.some((role) => roles.includes(role))) return refused({ roles: served });
  const organization = await partnerNow(env, owner);
  if (organization === null || !served.includes(organization.role) || !roles.includes(organization.role))
    return refused({ roles: served });
  const isServed = organization.state === 'active' || (whileSuspended && organization.state === 'suspended');
  if (!isServed) return refused({ state: organization.state });
  return ok(organization);
}

/** What is not active is read every time, so that an approval holds at once. */
async function partnerNow(env: Pick<Env, 'DB'>, id: string): Promise<PartnerOrganization | null> {
  const known = cache.get(id);
  const now = Date.now();
  if (known !== undefined && now - known.readAt < FRESH_MS) return known.organization;
  cache.delete(id);
  const organization = await findPartnerOrganization(database(env.DB), id);
  if (organization?.state !== 'active') return organization;
  if (cache.size >= ORGANIZATIONS_MAX) cache.delete(cache.keys().next().value ?? '');
  cache.set(id, { organization, readAt: now });
  return organization;
}
