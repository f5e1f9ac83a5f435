import { findTenant, type TenantRow } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import {
  configuredTenants,
  hostnameOf,
  NO_BRANDING,
  type SigningMode,
  type TenantBranding,
} from '../../domain/bridge/tenant.ts';

/** A white-label tenant as it is in force: what D1 says of its hostname, else BRIDGE_TENANT_CONFIG. */
export interface Tenant {
  readonly hostname: string;
  /** Null where no organization runs it: it shows itself, and takes no transfers. */
  readonly organization: string | null;
  readonly name: string;
  readonly signingMode: SigningMode;
  /** Whether operators have stated that one operator may run its five signers. */
  readonly isSingleOperator: boolean;
  readonly chains: readonly ChainName[];
  readonly branding: TenantBranding;
  readonly hasLogo: boolean;
}

type TenantEnv = Pick<Env, 'DB' | 'BRIDGE_TENANT_CONFIG'>;

let parsed: { readonly json: string; readonly tenants: ReturnType<typeof configuredTenants> } | null = null;

/** The tenant of a hostname; null for an unknown one, and for one that was switched off. */
export async function tenantAt(env: TenantEnv, hostname: string): Promise<Tenant | null> {
  const tenant = await knownTenantAt(env, hostname);
  return tenant?.isEnabled === true ? tenant : null;
}

/** The same, also where it was switched off: what it has begun goes on, and is seen. */
export async function knownTenantAt(
  env: TenantEnv,
  hostname: string,
): Promise<(Tenant & { readonly isEnabled: boolean }) | null> {
  const name = hostnameOf(hostname);
  if (name === null) return null;
  const row = await findTenant(database(env.DB), name);
  if (row !== null) return { ...tenantOfRow(row), isEnabled: row.isEnabled };
  const configured = tenantsIn(env.BRIDGE_TENANT_CONFIG).get(name);
  if (configured === undefined) return null;
  return {
    ...configured,
    isSingleOperator: false,
    organization: null,
    branding: NO_BRANDING,
    hasLogo: false,
    isEnabled: true,
  };
}

function tenantOfRow({ singleOperator: isSingleOperator, logoObject, ...row }: TenantRow): Tenant {
  const { hostname, organization, name, signingMode, chains, branding } = row;
  const of = { hostname, organization, name, signingMode, isSingleOperator, chains, branding };
  return { ...of, hasLogo: logoObject !== null };
}

function tenantsIn(json: string): ReturnType<typeof configuredTenants> {
  if (parsed?.json !== json) parsed = { json, tenants: configuredTenants(json) };
  return parsed.tenants;
}
