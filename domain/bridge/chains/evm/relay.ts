import type { Address, Hex } from 'viem';
import { type PrivateKeyAccount, privateKeyToAccount } from 'viem/accounts';
import { keccak256 } from 'viem/utils';
import { type ChainTransport, RpcRefusal, Unpayable } from '../chain-adapter.ts';
import type { RelayedFate } from '../relayed-fate.ts';
import { evmRpc, type Waiting } from './evm-rpc.ts';

/** Gas beyond the estimate, in percent: what is estimated may be dearer one block later. */
const GAS_MARGIN_PERCENT = 25n;
/** Fees beyond the usual, in percent, where a transaction is replaced: nodes ask for a tenth more, and above. */
const BUMP_PERCENT = 20n;
/** What a unit of gas may cost, wei. */
export const GAS_PRICE_MAX = 2_000n * 10n ** 9n;

/** So many transactions of the relayer may wait; beyond, the first of them is replaced, which no longer lets the others through. */
const WAITING_MAX = 10;

/** Whoever relays at the same moment may take the nonce first: another one is taken then, so often, each time after up to so much more. */
const NONCE_TRIES = 10;
const NONCE_REST_MS = 100;
const NONCE_TAKEN = /nonce too low|underpriced/i;
/** The very same transaction waits already. */
const IS_KNOWN = /already known|already imported/i;

/** How long is waited for what a call does; a chain that is slower is asked again. */
const EFFECT_POLLS = 20;
const EFFECT_POLL_MS = 250;

interface Call {
  readonly to: Address;
  readonly data: Hex;
}

/** How a call of a payment is sent, whose payee has a say in what it costs. */
interface PaymentBounds {
  /** Gas that its quote has paid for: a transaction is given no more. */
  readonly gasMax: bigint;
  /** The transaction that it takes the place of, under the same nonce; absent for none. */
  readonly instead?: Hex | undefined;
}

/** A transaction that a node has taken. */
interface Sent {
  readonly hash: Hex;
  readonly nonce: number;
}

/**
 * Sends a call as the relayer, which has no rights. It goes behind those that wait; where too many do, it takes the place of the first, for more: what that one did is asked for
 * again by whoever wanted it, and a reference that is used already lets nothing through twice.
 *
 * @param bounds of a payment; absent for calls of contracts of our own alone
 * @throws RpcRefusal where the call would be refused as things stand; Unpayable where it takes more gas than was paid for
 */
export async function relay(
  transport: ChainTransport,
  relayer: string | null,
  call: Call,
  bounds?: PaymentBounds,
): Promise<Hex> {
  const { hash } = await send(evmRpc(transport), accountOf(relayer), call, bounds);
  return hash;
}

/** What has become of a transaction of the relayer. */
export async function fateOf(transport: ChainTransport, hash: Hex): Promise<RelayedFate> {
  const rpc = evmRpc(transport);
  const receipt = await rpc.receipt(hash);
  if (receipt !== null) return receipt.isSuccess ? 'landed' : 'failed';
  const waiting = await rpc.waiting(hash);
  if (waiting === null) return 'unknown';
  return waiting.maxFee < GAS_PRICE_MAX && waiting.maxFee < (await rpc.gasPrice()) ? 'outbid' : 'waits';
}

/**
 * Sends a call as the relayer, and waits for what it does. A transaction whose nonce another one has used, since somebody replaced it, will never be in a block: then the call is sent anew.
 *
 * @param effect what is asked for; null where it is not there yet
 * @throws RpcRefusal where the call would be refused as things stand; Error with `otherwise` where it is in no block after some seconds
 */
export async function relayUntil<Effect>(
  transport: ChainTransport,
  relayer: string | null,
  call: Call,
  { effect, otherwise }: { readonly effect: () => Promise<Effect | null>; readonly otherwise: string },
): Promise<Effect> {
  const rpc = evmRpc(transport);
  const account = accountOf(relayer);
  let sent = await send(rpc, account, call);
  for (let poll = 0; poll < EFFECT_POLLS; poll++) {
    const isNonceUsed = (await rpc.nonce(account.address, 'latest')) > sent.nonce;
    const found = await effect();
    if (found !== null) return found;
    if (isNonceUsed && (await rpc.receipt(sent.hash)) === null) sent = await send(rpc, account, call);
    else await rest(EFFECT_POLL_MS);
  }
  throw new Error(otherwise);
}

function accountOf(relayer: string | null): PrivateKeyAccount {
  if (relayer === null) throw new Error('there is no relayer');
  return privateKeyToAccount(relayer as Hex);
}

const larger = (one: bigint, other: bigint): bigint => (one > other ? one : other);

const rest = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** The gas that a call is given. @throws Unpayable where it takes more than it may */
async function gasOf(
  rpc: ReturnType<typeof evmRpc>,
  account: PrivateKeyAccount,
  { to, data }: Call,
  gasMax: bigint | undefined,
): Promise<bigint> {
  const estimate = await rpc.estimateGas(account.address, to, data);
  const gas = (estimate * (100n + GAS_MARGIN_PERCENT)) / 100n;
  if (gasMax === undefined) return gas;
  if (estimate > gasMax) throw new Unpayable(`its payee takes more gas than the ${gasMax} that are paid for`);
  return gas > gasMax ? gasMax : gas;
}

async function send(
  rpc: ReturnType<typeof evmRpc>,
  account: PrivateKeyAccount,
  { to, data }: Call,
  { gasMax, instead }: Partial<PaymentBounds> = {},
): Promise<Sent> {
  const gas = await gasOf(rpc, account, { to, data }, gasMax);
  const replaced = instead === undefined ? null : await rpc.waiting(instead);
  for (let tries = 1; ; tries++) {
    const { raw, nonce } = await signed(rpc, account, { to, data, gas }, replaced);
    const sent = { hash: keccak256(raw), nonce };
    try {
      await rpc.send(raw);
      return sent;
    } catch (error) {
      if (!(error instanceof RpcRefusal)) throw error;
      if (IS_KNOWN.test(error.message)) return sent;
      // What was to be replaced may be in a block by now.
      if (replaced !== null || tries === NONCE_TRIES || !NONCE_TAKEN.test(error.message)) throw error;
      await rest(Math.random() * NONCE_REST_MS * tries);
    }
  }
}

async function signed(
  rpc: ReturnType<typeof evmRpc>,
  account: PrivateKeyAccount,
  call: Call & { readonly gas: bigint },
  replaced: Waiting | null,
): Promise<{ readonly raw: Hex; readonly nonce: number }> {
  const [first, next] = [await rpc.nonce(account.address, 'latest'), await rpc.nonce(account.address, 'pending')];
  const { total, priority } = await rpc.fees();
  const isStuck = next - first >= WAITING_MAX;
  const nonce = replaced?.nonce ?? (isStuck ? first : next);
  const bump = (price: bigint) => (price * (100n + BUMP_PERCENT)) / 100n;
  const most = replaced === null ? (isStuck ? bump(total) : total) : larger(total, bump(replaced.maxFee));
  const tip = replaced === null ? (isStuck ? bump(priority) : priority) : larger(priority, bump(replaced.tip));
  const raw = await account.signTransaction({
    type: 'eip1559',
    chainId: await rpc.chainId(),
    nonce,
    ...call,
    maxFeePerGas: most > GAS_PRICE_MAX ? GAS_PRICE_MAX : most,
    maxPriorityFeePerGas: tip > GAS_PRICE_MAX ? GAS_PRICE_MAX : tip,
  });
  return { raw, nonce };
}
