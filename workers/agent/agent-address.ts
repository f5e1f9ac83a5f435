import type { AppContext } from '../middleware/app-env.ts';
import { profileOfHost } from '../middleware/profile-name.ts';

/** The resource that access tokens are asked for (RFC 9728), without a slash at its end. */
export function agentAddressOf(c: AppContext): string {
  const { origin, hostname } = new URL(c.req.url);
  return profileOfHost(hostname, c.env) === null ? `${origin}/agent` : origin;
}

/** WWW-Authenticate of a 401: where the metadata stands that leads to the identity provider (MCP, Authorization). */
export function challengeOf(c: AppContext): string {
  return `Bearer resource_metadata="${agentAddressOf(c)}/.well-known/oauth-protected-resource"`;
}
