import { formatEther } from 'viem';
import { type Equipment, type EquipmentPlace, equipTenant, STAKE_WEI } from '../local/bridge/equip-tenant.ts';
import { type TenantCall, tenantCall } from '../local/bridge/tenant-call.ts';
import { clientToken } from '../local/session.ts';
import { applyTenant } from './apply-tenant.ts';

/** An organization that runs a tenant of the bridge, with its contracts. */
export interface Tenant extends Equipment {
  readonly organization: string;
  readonly hostname: string;
  readonly call: TenantCall;
}

export interface TenantTerms {
  readonly name: string;
  readonly hostname: string;
  readonly color: string;
  /** Of USDC, in its smallest unit: what may go a day, and from which amount on it may be challenged. */
  readonly limit: bigint;
  readonly challengeFrom: bigint;
}

export interface DemoPlace extends EquipmentPlace {
  readonly origin: string;
  readonly say: (text: string) => void;
}

/** From the application to the last contract: what an operator and the organization do once. */
export async function setUpTenant(demo: DemoPlace, terms: TenantTerms): Promise<Tenant> {
  const { origin, say } = demo;
  const { name, hostname, color, limit, challengeFrom } = terms;
  const { organization, client } = await applyTenant(demo, { name, hostname, color, signingMode: 'native' });
  const equipment = await equipTenant(demo, { organization, limit, challengeFrom });
  const { groupKey, vault, wrapped, guard, stake } = equipment;
  say(`  ${name}: five signers have made the key ${groupKey.slice(0, 14)}… together`);
  say(`  ${name}: vault ${vault}, wrapped token ${wrapped}, guard ${guard}`);
  say(`  ${name}: each signer stands in for ${formatEther(STAKE_WEI)} of the chain’s coin at ${stake}`);
  const call = tenantCall(origin, hostname, await clientToken(origin, client));
  return { ...equipment, organization, hostname, call };
}
