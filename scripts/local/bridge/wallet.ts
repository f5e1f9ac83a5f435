import { type Address, createWalletClient, type Hex, http, publicActions } from 'viem';
import { DEV_TOKEN_ABI } from '../../../protocol/bridge/abi/dev-token-abi.ts';
import { devnetAccount } from '../../contracts/devnet.ts';
import { receiptOf } from '../../contracts/receipt-of.ts';
import type { DepositCall } from './tenant-call.ts';

/** One of the devnets' accounts, on one of the chains. */
export class Wallet {
  readonly address: Address;
  readonly #client;

  constructor(rpc: string, index: number) {
    const account = devnetAccount(index);
    this.address = account.address;
    this.#client = createWalletClient({ account, transport: http(rpc) }).extend(publicActions);
  }

  /** Pays in as a transfer says. @throws Error where the chain refuses */
  async pay(call: DepositCall, amount: bigint): Promise<Hex> {
    if (call.approve !== null)
      await this.write(call.approve.token as Address, DEV_TOKEN_ABI, 'approve', [call.approve.spender, amount]);
    const sent = { chain: null, to: call.to as Address, data: call.data as Hex, value: BigInt(call.value) };
    return this.#mined(await this.#client.sendTransaction(sent));
  }

  async write(
    address: Address,
    abi: readonly unknown[],
    functionName: string,
    args: readonly unknown[],
    value?: bigint,
  ): Promise<Hex> {
    const call = { address, abi, functionName, args, chain: null, ...(value !== undefined && { value }) } as never;
    return this.#mined(await this.#client.writeContract(call));
  }

  async balanceOf(token: Address, holder: Address = this.address): Promise<bigint> {
    return this.read<bigint>(token, DEV_TOKEN_ABI, 'balanceOf', [holder]);
  }

  async read<Value>(
    address: Address,
    abi: readonly unknown[],
    functionName: string,
    args: readonly unknown[] = [],
  ): Promise<Value> {
    return (await this.#client.readContract({ address, abi, functionName, args } as never)) as Value;
  }

  async #mined(hash: Hex): Promise<Hex> {
    const { status } = await receiptOf(this.#client, hash);
    if (status !== 'success') throw new Error(`transaction ${hash} was reverted`);
    return hash;
  }
}
