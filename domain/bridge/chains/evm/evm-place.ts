import { type Address, decodeFunctionResult, encodeFunctionData, type Hex } from 'viem';
import { isAddress } from 'viem/utils';
import { type ChainView, RpcRefusal } from '../chain-adapter.ts';
import { EXCHANGE_CHAIN } from '../chain-name.ts';
import { coinDecimals } from '../payout-costs.ts';
import { BRIDGE_ABI } from './evm-abi.ts';
import { evmChainId } from './evm-chains.ts';
import { evmRpc } from './evm-rpc.ts';

/**
 * That a stated vault is a contract of the bridge, on the network that is stated.
 *
 * @throws RangeError where it is none
 */
export async function readEvmContract(view: ChainView): Promise<void> {
  const { chain, network, contract, token } = view.vault;
  for (const address of [contract, token])
    if (address !== null && !isAddress(address, { strict: false })) throw new RangeError(`${address} is no address`);
  const rpc = evmRpc(view.transport);
  const chainId = await rpc.chainId();
  if (chainId !== evmChainId(chain, network)) throw new RangeError(`the node of ${chain} is of chain ${chainId}`);
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'generation' });
  const answer = await answered(() => rpc.call(contract as Address, data));
  const generation =
    answer === null ? 0n : decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'generation', data: answer });
  if (generation === 0n) throw new RangeError(`no contract of the bridge is at ${contract}`);
}

/** Decimals that the token, or the wrapped one, says itself; null for the coin. @throws RangeError where it says none */
export async function readEvmDecimals({ vault, transport }: ChainView): Promise<number | null> {
  const token = vault.chain === EXCHANGE_CHAIN ? vault.contract : vault.token;
  if (token === null) return null;
  // Address 0 is another name of the coin.
  if (/^0x0{40}$/i.test(token)) return coinDecimals(vault.chain);
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'decimals' });
  const answer = await answered(() => evmRpc(transport).call(token as Address, data));
  if (answer === null) throw new RangeError(`no token is at ${token}`);
  return decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'decimals', data: answer });
}

/** One word; null where nothing that is called is there. */
async function answered(ask: () => Promise<Hex>): Promise<Hex | null> {
  try {
    const answer = await ask();
    return answer.length === 66 ? answer : null;
  } catch (error) {
    if (error instanceof RpcRefusal) return null;
    throw error;
  }
}
