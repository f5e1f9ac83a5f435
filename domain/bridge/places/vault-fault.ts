import type { Vault } from '../chains/chain-adapter.ts';
import { EXCHANGE_CHAIN } from '../chains/chain-name.ts';
import { isEvmChain } from '../chains/evm/evm-chains.ts';
import { hasTokens } from '../chains/has-tokens.ts';
import { coinDecimals } from '../chains/payout-costs.ts';
import { CLUSTER_SIZE } from '../transfer.ts';

const COSMOS_COIN = 'uatom';

/** Why a vault cannot be one on its chain; null where it can. What a chain does not read may say nothing, or one vault could be stated as two. */
export function vaultFault({ chain, keys, contract, token, decimals, custody }: Vault): string | null {
  // On Tron it is the account whose permissions are the signers'.
  const named = isEvmChain(chain) ? 'it is a contract there' : chain === 'tron' ? 'it is an account there' : null;
  if (custody === undefined && (named !== null) !== (contract !== null))
    return named ?? 'there are no contracts of vaults there';
  if (chain === EXCHANGE_CHAIN && token !== null) return 'a wrapped token is its own';
  if (token !== null && !hasTokens(chain)) return 'there are no tokens there';
  if (chain === 'cosmos' && token === COSMOS_COIN) return 'the chain’s own coin has no token';
  if (token === null && custody === undefined && chain !== EXCHANGE_CHAIN && decimals !== coinDecimals(chain))
    return `the chain’s own coin has ${coinDecimals(chain)} decimals`;
  const isEach = keys.scheme === 'multisig-secp256k1';
  if (isEach ? keys.groupKey !== '' : keys.signerKeys.length > 0)
    return 'its keys are one of the group, or five of signers';
  if (isEach ? keys.signerKeys.length !== CLUSTER_SIZE : keys.groupKey === '') return 'its keys are not told';
  return null;
}
