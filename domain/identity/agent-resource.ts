const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

/** What says where the agent server stands. */
interface AgentPlaces {
  readonly ENVIRONMENT: string;
  /** A JSON object from hostname to profile. */
  readonly PROFILE_HOSTS: string;
  readonly IAM_ISSUER: string;
}

/**
 * Whether a resource (RFC 8707) is the venue's agent server: on a host of its own, else beside the identity provider. On a laptop it may be
 * reached by any name of the machine. The host that a request names says nothing here: whoever asks has chosen it.
 */
export function isAgentResource(resource: string, { ENVIRONMENT, PROFILE_HOSTS, IAM_ISSUER }: AgentPlaces): boolean {
  const url = URL.parse(resource);
  if (url === null || url.href !== resource || url.search !== '' || url.hash !== '' || url.username !== '')
    return false;
  const profiles = new Map(
    Object.entries(JSON.parse(PROFILE_HOSTS) as Record<string, string>).map(([host, name]) => [
      host.toLowerCase(),
      name,
    ]),
  );
  const profile = profiles.get(url.hostname);
  if (profile !== undefined)
    return profile === 'agent' && url.protocol === 'https:' && url.port === '' && url.pathname === '/mcp';
  if (url.pathname !== '/agent/mcp') return false;
  if (url.origin === new URL(IAM_ISSUER).origin) return true;
  return ENVIRONMENT === 'local' && url.protocol === 'http:' && LOOPBACK.has(url.hostname);
}
