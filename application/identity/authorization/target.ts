import { isAgentResource } from '../../../domain/identity/agent-resource.ts';
import type { AuthorizingClient } from './authorizing-client.ts';

/** What tokens of a grant open. */
export interface Target {
  /** `agent`: the tools of the agent server, under an API key. `account`: all that the person may do. `person`: their claims alone. */
  readonly kind: 'agent' | 'account' | 'person';
  /** The `aud` of its access tokens. */
  readonly audience: string;
}

/**
 * What a client may ask tokens for; null for a resource that it may not name. Tokens that open the whole account are for applications of the
 * venue alone: a person cannot see what a stranger's would do with it.
 */
export function targetOf(env: Env, client: Pick<AuthorizingClient, 'kind'>, resource: string | null): Target | null {
  // Under another name the whole account would be for whoever asks.
  if (resource === env.IAM_AUDIENCE) return null;
  if (resource !== null) return isAgentResource(resource, env) ? { kind: 'agent', audience: resource } : null;
  if (client.kind === 'venue') return { kind: 'account', audience: env.IAM_AUDIENCE };
  return { kind: 'person', audience: userinfoOf(env) };
}

/** The `aud` of tokens that open a person's claims alone: where these are answered. */
export function userinfoOf({ IAM_ISSUER }: Pick<Env, 'IAM_ISSUER'>): string {
  return `${IAM_ISSUER}/api/userinfo`;
}
