import type { Address, Hex } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import type { ChainTransport } from '../chain-adapter.ts';
import { evmRpc } from './evm-rpc.ts';

/** Gas beyond the estimate, in percent: what is estimated may be dearer one block later. */
const GAS_MARGIN_PERCENT = 25n;
/** Fees beyond the usual, in percent, where a transaction is replaced: nodes ask for a tenth more, and above. */
const BUMP_PERCENT = 20n;
/** What a unit of gas may cost, wei. */
const GAS_PRICE_MAX = 2_000n * 10n ** 9n;

/** So many transactions of the relayer may wait; beyond, the first of them is replaced, which no longer lets the others through. */
const WAITING_MAX = 10;

/**
 * Sends a call as the relayer, which has no rights. It goes behind those that wait; where too many do, it takes the place of the first, for more: what that one did is asked for
 * again by whoever wanted it, and a reference that is used already lets nothing through twice.
 *
 * @throws RpcRefusal where the call would be refused as things stand
 */
export async function relay(
  transport: ChainTransport,
  relayer: string | null,
  { to, data }: { readonly to: Address; readonly data: Hex },
): Promise<Hex> {
  if (relayer === null) throw new Error('there is no relayer');
  const rpc = evmRpc(transport);
  const account = privateKeyToAccount(relayer as Hex);
  const estimate = await rpc.estimateGas(account.address, to, data);
  const [nonce, pending] = [await rpc.nonce(account.address, 'latest'), await rpc.nonce(account.address, 'pending')];
  const { total, priority } = await rpc.fees();
  const isStuck = pending - nonce >= WAITING_MAX;
  const bump = (price: bigint) => (isStuck ? (price * (100n + BUMP_PERCENT)) / 100n : price);
  const [most, tip] = [bump(total), bump(priority)];
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: await rpc.chainId(),
    nonce: isStuck ? nonce : pending,
    to,
    data,
    gas: (estimate * (100n + GAS_MARGIN_PERCENT)) / 100n,
    maxFeePerGas: most > GAS_PRICE_MAX ? GAS_PRICE_MAX : most,
    maxPriorityFeePerGas: tip > GAS_PRICE_MAX ? GAS_PRICE_MAX : tip,
  });
  await rpc.send(raw);
  return keccak256(raw);
}
