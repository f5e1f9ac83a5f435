import { type Equipment, type EquipmentPlace, equipTenant } from '../local/bridge/equip-tenant.ts';
import { answer, json, type TenantCall, tenantCall } from '../local/bridge/tenant-call.ts';
import { clientToken } from '../local/session.ts';

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
  const { origin, operator, say } = demo;
  const { name, hostname, color, limit, challengeFrom } = terms;
  const application = { role: 'bridge_tenant', name, contact_email: 'desk@example.com' };
  const applied = await answer<{ organization_id: string; client_id: string; client_secret: string }>(
    `${origin}/iam/v1/organizations`,
    json('POST', application),
    201,
  );
  const organization = applied.organization_id;
  await operator.call(`POST /v1/operator/partners/${organization}/approve`, { reason: 'agreement signed' });
  const accessToken = await clientToken(origin, { id: applied.client_id, secret: applied.client_secret });
  await operator.call(`PUT /v1/operator/bridge/tenants/${hostname}`, {
    organization,
    name,
    signingMode: 'native',
    chains: ['ethereum'],
    branding: { primaryColor: color, accentColor: null, supportUrl: null },
  });
  const equipment = await equipTenant(demo, { organization, limit, challengeFrom });
  const { groupKey, vault, wrapped, guard } = equipment;
  say(`  ${name}: five signers have made the key ${groupKey.slice(0, 14)}… together`);
  say(`  ${name}: vault ${vault}, wrapped token ${wrapped}, guard ${guard}`);
  return { ...equipment, organization, hostname, call: tenantCall(origin, hostname, accessToken) };
}
