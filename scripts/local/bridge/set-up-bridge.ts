import { DEMO_TENANT } from '../../../application/seed/demo-bridge.ts';
import { DEMO_CLIENTS } from '../../../application/seed/demo-credentials.ts';
import { deployDevToken } from '../../contracts/bridge-deployment.ts';
import { devnetAccount } from '../../contracts/devnet.ts';
import { clientToken, signInClient } from '../session.ts';
import { DEMO_WALLET } from './demo-wallet.ts';
import { equipTenant } from './equip-tenant.ts';
import { fundAccount } from './fund-account.ts';
import { tenantCall } from './tenant-call.ts';
import { Wallet } from './wallet.ts';

const UNIT = 1_000_000n;
const OPERATOR_CLIENT = 'venue-operator';

/** Where a started system and its chains answer. */
export interface BridgePlace {
  readonly origin: string;
  /** RPCs. */
  readonly exchange: string;
  readonly external: string;
}

/** Gives the demo's tenant keys, contracts and a customer with funds. Each step that is done already is left as it is. */
export async function setUpBridge({ origin, exchange, external }: BridgePlace): Promise<void> {
  const client = DEMO_CLIENTS.find(({ id }) => id === OPERATOR_CLIENT);
  if (client?.secret == null) throw new Error('the demo has no machine client of an operator');
  const operator = await signInClient(origin, client);
  const token = await deployDevToken(external, devnetAccount(0), { name: 'USD Coin', symbol: 'USDC', decimals: 6 });
  const { vault } = await equipTenant(
    { external, exchange, operator, token },
    { organization: DEMO_TENANT.id, limit: 10_000n * UNIT, challengeFrom: 5_000n * UNIT },
  );
  const call = tenantCall(origin, DEMO_TENANT.hostname, await clientToken(origin, DEMO_TENANT));
  await fundAccount({ call, wallet: new Wallet(external, DEMO_WALLET.account), token, vault });
}
