import { stateTenant } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import { openUserAccount } from '../operator/open-user-account.ts';
import { decidePartner } from '../partner/registration/decide-partner.ts';
import { DEMO_CUSTOMER, DEMO_TENANT } from './demo-bridge.ts';
import { actionOf, apply, done, OPERATOR } from './demo-steps.ts';

interface BridgeSeed {
  readonly env: Env;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Fills the demo with an organization that runs a tenant of the bridge, and a customer of it, by what the profiles themselves call. Each step is done once for its fixed id. Keys, contracts and
 * funds need a running system with its chains: `scripts/local/bridge`.
 */
export async function seedBridge({ env, now }: BridgeSeed): Promise<void> {
  const { id, name, contactEmail, secret, hostname, chains, branding } = DEMO_TENANT;
  const terms = { name, contactEmail, crdNumber: null, secRegistrationNumber: null, checkId: null, now } as const;
  await apply(env, { organization: id, role: 'bridge_tenant', ...terms }, secret, 6);
  const decision = { id, decision: 'approve', reason: 'demo' } as const;
  done('the tenant is approved', await decidePartner(env, decision, actionOf(7, OPERATOR)));
  const tenant = {
    hostname,
    organization: id,
    name,
    signingMode: 'native',
    singleOperator: true,
    chains,
    branding,
  } as const;
  const stated = { ...tenant, isEnabled: true, updatedAt: now };
  if (!(await stateTenant(database(env.DB), stated, actionOf(8, OPERATOR))))
    throw new Error(`demo: ${hostname} is another organization's`);
  const customer = { owner: id, name: DEMO_CUSTOMER.name, email: DEMO_CUSTOMER.email, phone: null, roles: [] };
  const action = { ...actionOf(9, OPERATOR), id: DEMO_CUSTOMER.id };
  done('the customer', await openUserAccount(env, customer, { kycStatus: 'completed' }, action));
}
