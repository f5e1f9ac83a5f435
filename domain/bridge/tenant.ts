import { z } from 'zod';
import { CHAIN_NAMES, type ChainName } from './chains/chain-name.ts';

/**
 * Who signs for a tenant. `native`: the five signers of the bridge. `custody`: a third-party custody provider. `custom`: signers of the tenant's own, behind the same
 * interface.
 */
export const SIGNING_MODES = ['native', 'custody', 'custom'] as const;
export type SigningMode = (typeof SIGNING_MODES)[number];

/** What a tenant's pages look like. Colours are `#rrggbb`. */
export interface TenantBranding {
  readonly primaryColor: string | null;
  readonly accentColor: string | null;
  readonly supportUrl: string | null;
}

export const NO_BRANDING: TenantBranding = { primaryColor: null, accentColor: null, supportUrl: null };

/** A tenant as BRIDGE_TENANT_CONFIG gives it (P-OTH-01). */
export interface ConfiguredTenant {
  readonly hostname: string;
  readonly name: string;
  readonly signingMode: SigningMode;
  readonly chains: readonly ChainName[];
}

const TENANTS_MAX = 1_000;
const HOSTNAME = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/;

const TenantConfig = z.record(
  z.string(),
  z.object({
    name: z.string().min(1).max(200),
    mpcMode: z.enum(SIGNING_MODES),
    chains: z.array(z.enum(CHAIN_NAMES)).max(64),
  }),
);

/** A hostname in its one form; null where it is none. A trailing dot and capitals say nothing. */
export function hostnameOf(text: string): string | null {
  const hostname = text.toLowerCase().replace(/\.$/, '');
  return HOSTNAME.test(hostname) ? hostname : null;
}

/**
 * The tenants of BRIDGE_TENANT_CONFIG by hostname: a JSON object from hostname to `{name, mpcMode, chains}`.
 *
 * @throws Error where it is something else, with what is wrong
 */
export function configuredTenants(json: string): ReadonlyMap<string, ConfiguredTenant> {
  const parsed = TenantConfig.safeParse(JSON.parse(json === '' ? '{}' : json));
  if (!parsed.success) throw new Error(`BRIDGE_TENANT_CONFIG: ${z.prettifyError(parsed.error)}`);
  const tenants = new Map<string, ConfiguredTenant>();
  for (const [name, { mpcMode: signingMode, chains, ...of }] of Object.entries(parsed.data)) {
    const hostname = hostnameOf(name);
    if (hostname === null) throw new Error(`BRIDGE_TENANT_CONFIG: ${JSON.stringify(name)} is no hostname`);
    if (tenants.has(hostname)) throw new Error(`BRIDGE_TENANT_CONFIG names ${hostname} twice`);
    tenants.set(hostname, { hostname, ...of, signingMode, chains: [...new Set(chains)] });
  }
  if (tenants.size > TENANTS_MAX) throw new Error(`BRIDGE_TENANT_CONFIG has more than ${TENANTS_MAX} tenants`);
  return tenants;
}
