import type { Permission } from '../../domain/events/permissions.ts';
import type { Power } from '../../domain/identity/powers.ts';
import type { Scope } from '../../domain/identity/principal.ts';
import type { RateBucket } from '../../domain/limits/rate-bucket.ts';
import type { PartnerRole } from '../../domain/partner/partner-organization.ts';

/**
 * What a route needs, stated where it is registered; a route that states nothing does not register
 * (docs/design/identity.md#access-of-routes).
 * - `public`: anyone; a credential, when sent, must still be valid and widens what is seen;
 * - `bearer`: an access token of the identity provider alone (the tenant-token call, iam's own); the events service names the
 *   permission that one of the bearer's roles must grant. `power` is what the bearer must hold over others or the venue;
 * - `tenant`: access token and tenant token (profile A);
 * - `key`: an API key in either header form, or a Bearer token mapped to the caller's own account (profile B and what profile E wraps);
 *   with `X-API-Key` beside it the token acts under that key, which must be its bearer's own: the key's scopes, limits and allowlist apply;
 * - `partner`: an access token of an organization that is an active partner of the venue, in one of the roles that the route serves;
 *   `whileSuspended`: also of one that is suspended;
 * - `agent`: an access token whose bearer acts under an API key of their own, which `X-API-Key` may name (MCP over HTTP);
 * - `webhook`: whoever signs with a secret of ours; the handler verifies the signature over the body before it reads anything of it, and lets
 *   the address pay for one that is wrong;
 * - `console`: the browser of somebody who is signed in at the console, at its own origin. `session` `none`: somebody who is not yet; `own`: counted
 *   and known as by their access token; `passed_on`: counted where the call leads;
 * - `oauth`: the OAuth endpoints, whose handler authenticates the client by RFC 6749; credentials of the exchange are not read.
 */
export type Access =
  | { readonly credential: 'public' }
  | { readonly credential: 'bearer'; readonly power?: Power; readonly permission?: Permission }
  | { readonly credential: 'tenant'; readonly power?: Power }
  | { readonly credential: 'key'; readonly scope: Scope }
  | { readonly credential: 'partner'; readonly roles: readonly PartnerRole[]; readonly whileSuspended?: true }
  | { readonly credential: 'agent' }
  | { readonly credential: 'webhook' }
  | { readonly credential: 'console'; readonly session: 'none' | 'own' | 'passed_on' }
  | { readonly credential: 'oauth' };

export interface RouteDeclaration {
  readonly access: Access;
  readonly bucket: RateBucket;
}
