import type { SigningMode } from '../../domain/bridge/tenant.ts';
import { answer, json } from '../local/bridge/tenant-call.ts';
import type { MachineClient, Session } from '../local/session.ts';

export interface ApplicationTerms {
  readonly name: string;
  readonly hostname: string;
  readonly color: string;
  readonly signingMode: SigningMode;
}

/** An organization that may run a tenant of the bridge, with its machine client. */
export interface AppliedTenant {
  readonly organization: string;
  readonly client: MachineClient;
}

/** An organization applies; an operator approves it and states its hostname. It has no keys and no contracts yet. */
export async function applyTenant(
  { origin, operator }: { readonly origin: string; readonly operator: Session },
  { name, hostname, color, signingMode }: ApplicationTerms,
): Promise<AppliedTenant> {
  const application = { role: 'bridge_tenant', name, contact_email: 'desk@example.com' };
  const applied = await answer<{ organization_id: string; client_id: string; client_secret: string }>(
    `${origin}/iam/v1/organizations`,
    json('POST', application),
    201,
  );
  const organization = applied.organization_id;
  await operator.call(`POST /v1/operator/partners/${organization}/approve`, { reason: 'agreement signed' });
  await operator.call(`PUT /v1/operator/bridge/tenants/${hostname}`, {
    organization,
    name,
    signingMode,
    chains: ['ethereum'],
    branding: { primaryColor: color, accentColor: null, supportUrl: null },
  });
  return { organization, client: { id: applied.client_id, secret: applied.client_secret } };
}
