import type { Hex } from 'viem';
import { privateKeyToAddress } from 'viem/accounts';
import type { ChainTransport } from '../chain-adapter.ts';
import type { PayoutCost } from '../payout-cost.ts';
import { EVM_PAYOUT_GAS } from '../payout-costs.ts';
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

/** What the relayer pays for a release, at what gas costs now: never more than it would pay. */
export async function evmPayoutCost(transport: ChainTransport): Promise<PayoutCost> {
  const asked = await evmRpc(transport).gasPrice();
  const isBeyond = asked > GAS_PRICE_MAX;
  const price = isBeyond ? GAS_PRICE_MAX : asked;
  return { cost: String(price * EVM_PAYOUT_GAS), least: '0', decimals: 18 };
}

export async function evmRelayerRoom(transport: ChainTransport, relayer: string): Promise<RelayerRoom> {
  const address = privateKeyToAddress(relayer as Hex);
  const rpc = evmRpc(transport);
  const [balance, price] = [await rpc.balance(address), await rpc.gasPrice()];
  const payments = balance / ((price === 0n ? 1n : price) * EVM_PAYOUT_GAS);
  return { address, balance: String(balance), payments: Number(payments) };
}
