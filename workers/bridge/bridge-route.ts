import type { RouteDeclaration } from '../middleware/access.ts';

/** What a tenant's organization calls, for transfers of its own. */
export const TENANT_READ = {
  access: { credential: 'partner', roles: ['bridge_tenant'] },
  bucket: 'private',
} as const satisfies RouteDeclaration;
