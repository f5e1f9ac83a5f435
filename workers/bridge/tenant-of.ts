import { z } from '@hono/zod-openapi';
import { type Tenant, tenantAt } from '../../application/bridge/tenant-at.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, partnerOf } from '../middleware/app-env.ts';

export const tenantQuery = z.object({
  hostname: z.string().min(1).max(253).optional().openapi({
    description: 'Of the tenant; that of the request where it is left out.',
    example: 'bridge.acme.example',
  }),
});

/** The tenant that a request is for; NOT_FOUND for an unknown hostname (P-SVC-06). */
export async function tenantOf(c: AppContext, hostname: string | undefined): Promise<Result<Tenant, ApiError>> {
  const tenant = await tenantAt(c.env, hostname ?? new URL(c.req.url).hostname);
  return tenant === null ? err(apiError('NOT_FOUND', 'no tenant has this hostname')) : ok(tenant);
}

/** The same where the caller's organization has to run it: another's is not there. */
export async function ownTenantOf(
  c: AppContext,
  hostname: string | undefined,
): Promise<Result<Tenant & { readonly organization: string }, ApiError>> {
  const tenant = await tenantOf(c, hostname);
  if (!tenant.ok) return tenant;
  const { organization } = tenant.value;
  if (organization === null || organization !== partnerOf(c).organization)
    return err(apiError('NOT_FOUND', 'no tenant of yours has this hostname'));
  return ok({ ...tenant.value, organization });
}
