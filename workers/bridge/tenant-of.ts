import { z } from '@hono/zod-openapi';
import { knownTenantAt, type Tenant, tenantAt } from '../../application/bridge/tenant-at.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, partnerOf } from '../middleware/app-env.ts';

export const tenantQuery = z.object({
  hostname: z.string().min(1).max(253).optional().openapi({
    description: 'Of the tenant; that of the request where it is left out.',
    example: 'bridge.acme.example',
  }),
});

/** The tenant that a request is for; NOT_FOUND for an unknown hostname (P-SVC-06), and for one that was switched off. */
export async function tenantOf(c: AppContext, hostname: string | undefined): Promise<Result<Tenant, ApiError>> {
  return orNotFound(await tenantAt(c.env, hostnameIn(c, hostname)));
}

/** The same, also where it was switched off since: transfers that were begun there are seen and carried on. */
export async function knownTenantOf(c: AppContext, hostname: string | undefined): Promise<Result<Tenant, ApiError>> {
  return orNotFound(await knownTenantAt(c.env, hostnameIn(c, hostname)));
}

function orNotFound(tenant: Tenant | null): Result<Tenant, ApiError> {
  return tenant === null ? err(apiError('NOT_FOUND', 'no tenant has this hostname')) : ok(tenant);
}

/** A port says nothing of whose it is. */
function hostnameIn(c: AppContext, stated: string | undefined): string {
  return stated?.replace(/:\d{1,5}$/, '') ?? new URL(c.req.url).hostname;
}

/** A tenant that the caller's organization has to run: another's is not there. */
export function ownTenant(c: AppContext, tenant: Tenant): Result<Tenant & { readonly organization: string }, ApiError> {
  const { organization } = tenant;
  if (organization === null || organization !== partnerOf(c).organization)
    return err(apiError('NOT_FOUND', 'no tenant of yours has this hostname'));
  return ok({ ...tenant, organization });
}
