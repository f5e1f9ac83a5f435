import { PARTNER_ROLES } from '../../domain/partner/partner-organization.ts';
import type { RouteDeclaration } from '../middleware/access.ts';

/** What both kinds of partner may call, each for what is theirs. */
export const PARTNER_READ = {
  access: { credential: 'partner', roles: PARTNER_ROLES },
  bucket: 'private',
} as const satisfies RouteDeclaration;
