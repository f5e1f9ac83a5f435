import { type Address, decodeFunctionResult, encodeFunctionData } from 'viem';
import type { ChainView, TokenCall } from '../chain-adapter.ts';
import { BRIDGE_ABI } from './evm-abi.ts';
import { evmRpc } from './evm-rpc.ts';

/**
 * What a payer calls at a token so that its vault may take an amount. Some tokens, USDT among them, change no allowance into another one: what is left of an earlier one is set to zero before. It is set anew also where it would be
 * enough, as another transfer may be about to use it.
 */
export async function evmApprovals(
  { transport }: Pick<ChainView, 'transport'>,
  token: Address,
  { owner, spender, amount }: { readonly owner: Address; readonly spender: Address; readonly amount: bigint },
): Promise<readonly TokenCall[]> {
  const asked = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'allowance', args: [owner, spender] });
  const answer = await evmRpc(transport).call(token, asked);
  const left = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'allowance', data: answer });
  return (left === 0n ? [amount] : [0n, amount]).map((units) => ({
    to: token,
    data: encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'approve', args: [spender, units] }),
  }));
}
