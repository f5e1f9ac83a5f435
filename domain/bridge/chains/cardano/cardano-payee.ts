import type { Vault } from '../chain-adapter.ts';
import type { PayeeFault } from '../payees/payee-fault.ts';
import type { blockfrost } from './blockfrost.ts';
import { paidHash } from './cardano-address.ts';
import { cardanoAddress } from './cardano-key.ts';

/**
 * Funds at a script go by its rules, and a payment without a datum is lost at most of them. So of scripts those alone are paid that the chain knows as signatures and times (`timelock`): wallets of
 * several people.
 */
export async function cardanoPayeeFault(
  vault: Vault,
  node: Pick<ReturnType<typeof blockfrost>, 'scriptType'>,
  to: string,
): Promise<PayeeFault | null> {
  const { hash, isScript } = paidHash(to, vault.network);
  if (!isScript) return hash === paidHash(cardanoAddress(vault, null), vault.network).hash ? 'own' : null;
  return (await node.scriptType(hash)) === 'timelock' ? null : 'program';
}
