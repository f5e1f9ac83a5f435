import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { ChainTransport } from '../chain-adapter.ts';
import type { PayoutCost } from '../payout-cost.ts';
import { EVM_PAYOUT_GAS } from '../payout-costs.ts';
import { evmRpc } from './evm-rpc.ts';

/** The relayer's account on a chain. */
export interface RelayerRoom {
  readonly address: string;
  /** In wei. */
  readonly balance: string;
  /** Payments that it pays for at what gas costs now. */
  readonly payments: number;
}

/** What the relayer pays for a release, at what gas costs now. */
export async function evmPayoutCost(transport: ChainTransport): Promise<PayoutCost> {
  return { cost: String((await evmRpc(transport).gasPrice()) * EVM_PAYOUT_GAS), least: '0', decimals: 18 };
}

export async function evmRelayerRoom(transport: ChainTransport, relayer: string): Promise<RelayerRoom> {
  const address = privateKeyToAddress(relayer as Hex);
  const rpc = evmRpc(transport);
  const [balance, price] = [await rpc.balance(address), await rpc.gasPrice()];
  const payments = balance / ((price === 0n ? 1n : price) * EVM_PAYOUT_GAS);
  return { address, balance: String(balance), payments: Number(payments) };
}
