import { PARTNER_ROLES, SECURITIES_ROLES } from '../../domain/partner/partner-organization.ts';
import type { RouteDeclaration } from '../middleware/access.ts';
import type { RouteOptions } from '../middleware/registered-route.ts';

/** What both kinds of partner may call, each for what is theirs. */
export const PARTNER_READ = {
  access: { credential: 'partner', roles: SECURITIES_ROLES },
  bucket: 'private',
} as const satisfies RouteDeclaration;

/** What partners of every role may call: each is told of what is theirs. */
export const WEBHOOK_ROUTE = {
  access: { credential: 'partner', roles: PARTNER_ROLES },
  bucket: 'private',
} as const satisfies RouteDeclaration;

/** What a transfer agent alone does; a person shows a fresh factor. */
export const AGENT_WRITE = {
  access: { credential: 'partner', roles: ['transfer_agent'] },
  bucket: 'private',
  freshFactor: true,
  idempotent: true,
} as const satisfies RouteDeclaration & RouteOptions;

/** What a transfer agent alone reads. */
export const AGENT_READ = {
  access: { credential: 'partner', roles: ['transfer_agent'] },
  bucket: 'private',
} as const satisfies RouteDeclaration;

/** The same for what changes something. */
export const PARTNER_WRITE = {
  ...PARTNER_READ,
  idempotent: true,
  errors: ['CONFLICT'],
} as const satisfies RouteDeclaration & RouteOptions;

/** What cross-listers alone change; a person shows a fresh factor. */
export const LISTER_WRITE = {
  ...PARTNER_WRITE,
  freshFactor: true,
  access: { credential: 'partner', roles: ['cross_lister'] },
} as const satisfies RouteDeclaration & RouteOptions;
