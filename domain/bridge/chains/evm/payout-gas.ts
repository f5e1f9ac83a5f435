import { type Address, decodeFunctionResult, encodeFunctionData, type Hex, parseAbi } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { ChainTransport } from '../chain-adapter.ts';
import type { ChainName } from '../chain-name.ts';
import type { PayoutCost } from '../payout-cost.ts';
import { EVM_PAYOUT_GAS } from '../payout-costs.ts';
import { EVM_CHAINS } from './evm-chains.ts';
import { evmRpc } from './evm-rpc.ts';
import { GAS_PRICE_MAX } from './relay.ts';

/** The relayer's account on a chain. */
export interface RelayerRoom {
  readonly address: string;
  /** In wei. */
  readonly balance: string;
  /** Payments that it pays for at what gas costs now. */
  readonly payments: number;
}

/** Arbitrum's own: what of a transaction's gas is for its bytes on Ethereum, at what those cost now. https://docs.arbitrum.io/build-decentralized-apps/nodeinterface/reference */
const NODE_INTERFACE: Address = '0x00000000000000000000000000000000000000C8';
const NODE_INTERFACE_ABI = parseAbi([
  'function gasEstimateL1Component(address to, bool contractCreation, bytes data) payable returns (uint64 gasEstimateForL1, uint256 baseFee, uint256 l1BaseFeeEstimate)',
]);
/** As long as a release, and of bytes that nothing shortens. */
const LIKE_RELEASE = { to: NODE_INTERFACE, data: `0x${'a5'.repeat(260)}` } as const;

interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/** Gas that a payment is given at most: what its quote has paid for, and where gas pays for the bytes as well, these. Its payee has no say in it. */
export async function payoutGasMax(chain: ChainName, transport: ChainTransport, call: Call): Promise<bigint> {
  if (EVM_CHAINS[chain]?.hasBytesInGas !== true) return EVM_PAYOUT_GAS;
  const args = [call.to, false, call.data] as const;
  const asked = { abi: NODE_INTERFACE_ABI, functionName: 'gasEstimateL1Component' } as const;
  const data = await evmRpc(transport).call(NODE_INTERFACE, encodeFunctionData({ ...asked, args }));
  // A machine of one's own has no such contract.
  return data === '0x' ? EVM_PAYOUT_GAS : EVM_PAYOUT_GAS + decodeFunctionResult({ ...asked, data })[0];
}

/** What the relayer pays for a release, at what gas costs now: never more than it would pay. */
export async function evmPayoutCost(chain: ChainName, transport: ChainTransport): Promise<PayoutCost> {
  const asked = await evmRpc(transport).gasPrice();
  const isBeyond = asked > GAS_PRICE_MAX;
  const price = isBeyond ? GAS_PRICE_MAX : asked;
  return { cost: String(price * (await payoutGasMax(chain, transport, LIKE_RELEASE))), least: '0', decimals: 18 };
}

export async function evmRelayerRoom(transport: ChainTransport, relayer: string): Promise<RelayerRoom> {
  const address = privateKeyToAddress(relayer as Hex);
  const rpc = evmRpc(transport);
  const [balance, price] = [await rpc.balance(address), await rpc.gasPrice()];
  const payments = balance / ((price === 0n ? 1n : price) * EVM_PAYOUT_GAS);
  return { address, balance: String(balance), payments: Number(payments) };
}
