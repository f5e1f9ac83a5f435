import type { Address, Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import { type ChainTransport, RpcRefusal } from '../chain-adapter.ts';
import { evmRpc } from './evm-rpc.ts';

/** Gas beyond the estimate, in percent: what is estimated may be dearer one block later. */
const GAS_MARGIN_PERCENT = 25n;
/** Fees beyond the usual, in percent, where a transaction is replaced: nodes ask for a tenth more, and above. */
const BUMP_PERCENT = 20n;
/** What a unit of gas may cost, wei. */
const GAS_PRICE_MAX = 2_000n * 10n ** 9n;

/** So many transactions of the relayer may wait; beyond, the first of them is replaced, which no longer lets the others through. */
const WAITING_MAX = 10;

/** Whoever relays at the same moment may take the nonce first: another one is taken then, so often, each time after up to so much more. */
const NONCE_TRIES = 10;
const NONCE_REST_MS = 100;
const NONCE_TAKEN = /nonce too low|underpriced/i;
/** The very same transaction waits already. */
const IS_KNOWN = /already known|already imported/i;

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
  for (let tries = 1; ; tries++) {
    const raw = await signed(rpc, account, { to, data, gas: (estimate * (100n + GAS_MARGIN_PERCENT)) / 100n });
    try {
      await rpc.send(raw);
      return keccak256(raw);
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      if (IS_KNOWN.test(error.message)) return keccak256(raw);
      if (tries === NONCE_TRIES || !NONCE_TAKEN.test(error.message)) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * NONCE_REST_MS * tries));
    }
  }
}

async function signed(
  rpc: ReturnType<typeof evmRpc>,
  account: PrivateKeyAccount,
  call: { readonly to: Address; readonly data: Hex; readonly gas: bigint },
): Promise<Hex> {
  const [nonce, pending] = [await rpc.nonce(account.address, 'latest'), await rpc.nonce(account.address, 'pending')];
  const { total, priority } = await rpc.fees();
  const isStuck = pending - nonce >= WAITING_MAX;
  const bump = (price: bigint) => (isStuck ? (price * (100n + BUMP_PERCENT)) / 100n : price);
  const [most, tip] = [bump(total), bump(priority)];
  return account.signTransaction({
    type: 'eip1559',
    chainId: await rpc.chainId(),
    nonce: isStuck ? nonce : pending,
    ...call,
    maxFeePerGas: most > GAS_PRICE_MAX ? GAS_PRICE_MAX : most,
    maxPriorityFeePerGas: tip > GAS_PRICE_MAX ? GAS_PRICE_MAX : tip,
  });
}
