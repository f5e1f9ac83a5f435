import { secp256k1_FROST } from '@noble/curves/secp256k1.js';
import type { Address, Hex } from 'viem';
import { decodeEventLog, decodeFunctionResult, encodeFunctionData } from 'viem';
import { encodeEventTopics, getAddress, isAddress, keccak256, stringToHex } from 'viem/utils';
import { z } from 'zod';
import {
  type ChainAdapter,
  type ChainView,
  type Deposit,
  InsufficientFunds,
  type MessageSignature,
  type PaymentOrder,
  type PaymentStatus,
  type ReferenceCheck,
  RpcRefusal,
  type SignedPayment,
  type Vault,
} from '../chain-adapter.ts';
import type { ChainName } from '../chain-name.ts';
import { isKeyless } from '../payees/is-keyless.ts';
import { checkedReference, neverSo, notSo } from '../reference-check.ts';
import { contractSignature, groupKeyOf } from './cluster-key.ts';
import { clusterMessage } from './cluster-message.ts';
import { BRIDGE_ABI } from './evm-abi.ts';
import { evmApprovals } from './evm-approvals.ts';
import { EVM_CHAINS, evmChainId } from './evm-chains.ts';
import { evmDepth } from './evm-depth.ts';
import { evmPayeeFault } from './evm-payee.ts';
import { readEvmContract, readEvmDecimals } from './evm-place.ts';
import { evmRpc } from './evm-rpc.ts';
import { evmPayoutCost, payoutGasMax } from './payout-gas.ts';
import { fateOf, relay } from './relay.ts';

const COIN: Address = '0x0000000000000000000000000000000000000000';
const DEPOSITS_MAX = 20;
/** Tries of one transfer whose ids signers know: each time that funds are lost, or a payment is cancelled, another begins. */
const ATTEMPTS_MAX = 256;
const USE = { none: 0, paid: 1, cancelled: 2 } as const;

/** A payment's own bytes32, and the generation of the contract's key that it is signed by. */
const REFERENCE = /^(0x[0-9a-f]{64})@([1-9]\d{0,8})$/;

const Call = z.object({ to: z.string(), data: z.string(), paymentRef: z.string() });

/** What differs between a vault on an external chain and wrapped tokens on the exchange's. */
interface Kind {
  readonly pay: 'release' | 'mint';
  /** Whether the contract knows of funds of a commitment from an address. */
  readonly hasCome: (vault: Vault, transport: ChainView['transport'], of: Payer) => Promise<boolean>;
  readonly came: 'Deposited' | 'Burned';
  readonly paid: 'Released' | 'Minted';
}

type Payer = readonly [commitment: Hex, from: Address];

const VAULT: Kind = {
  pay: 'release',
  async hasCome(vault, transport, args) {
    const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'isDeposited', args });
    const answer = await evmRpc(transport).call(contractOf(vault), data);
    return decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'isDeposited', data: answer });
  },
  came: 'Deposited',
  paid: 'Released',
};

const WRAPPED: Kind = {
  pay: 'mint',
  async hasCome(vault, transport, args) {
    const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'burnOf', args });
    const answer = await evmRpc(transport).call(contractOf(vault), data);
    return decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'burnOf', data: answer }) > 0n;
  },
  came: 'Burned',
  paid: 'Minted',
};

/** Vaults on an external EVM chain. */
export function evmVault(chain: ChainName): ChainAdapter {
  return adapterOf(chain, VAULT);
}

/** Wrapped tokens on the exchange's own chain: funds are burns, payments mints. */
export function evmWrapped(chain: ChainName): ChainAdapter {
  return adapterOf(chain, WRAPPED);
}

function adapterOf(chain: ChainName, kind: Kind): ChainAdapter {
  const { confirmations = 0 } = EVM_CHAINS[chain] ?? {};
  return {
    scheme: 'frost-secp256k1',
    confirmations,
    addressOf: (text, network) => addressOf({ chain, network }, text),
    payeeFault: ({ vault, transport }, to) => evmPayeeFault(vault, transport, getAddress(to)),
    payoutCost: ({ transport }) => evmPayoutCost(chain, transport),
    readContract: readEvmContract,
    readDecimals: readEvmDecimals,

    countsBy: contractOf,

    depositPlace: ({ vault }, commitment, amount) => {
      const [to, token] = [contractOf(vault), kind === VAULT ? tokenOf(vault.token) : null];
      const id = bytes32(commitment);
      const data =
        token === null
          ? encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'burn', args: [id, BigInt(amount)] })
          : encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'deposit', args: [id, token, BigInt(amount)] });
      const approve = token === null || token === COIN ? null : { token, spender: to };
      return { address: to, memo: null, call: { to, data, value: token === COIN ? amount : '0', approve } };
    },
    approvals: async (view, owner, amount) => {
      const token = kind === VAULT ? tokenOf(view.vault.token) : COIN;
      if (token === COIN) return [];
      const of = { owner: getAddress(owner), spender: contractOf(view.vault), amount: BigInt(amount) };
      return evmApprovals(view, token, of);
    },
    deposits: (view, commitment, from) => deposits(view, kind, commitment, from),
    referenceFor: async ({ vault, transport }, { commitment, kind: purpose, attempt, amount }) => {
      if (kind === VAULT && purpose !== 'cancel' && (await balanceOf(vault, transport)) < BigInt(amount))
        throw new InsufficientFunds(`the vault on ${chain} has less than ${amount}`);
      const generation = await numberOf('generation', vault, transport);
      return `${paymentId(commitment, purpose, attempt)}@${generation}`;
    },
    build: (vault, order) => ({ messages: [{ bytes: messageOf(vault, kind, order).slice(2), tweak: null }] }),
    complete: (vault, order, signatures) => complete(vault, kind, order, signatures),
    broadcast,
    relayedFate: ({ transport }, transaction) => fateOf(transport, hashOf(transaction)),
    statusOf: (view, order) => statusOf(view, kind, order),
    checkReference,
    isRecovering: async ({ vault, transport }) => (await numberOf('recoveryUntil', vault, transport)) > 0n,
    keysInForce: async ({ vault, transport }) => {
      const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'key' });
      const answer = await evmRpc(transport).call(contractOf(vault), data);
      const key = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'key', data: answer });
      return { ...vault.keys, groupKey: groupKeyOf(key) };
    },
  };
}

async function numberOf(
  functionName: 'generation' | 'recoveryUntil',
  vault: Vault,
  transport: ChainView['transport'],
): Promise<bigint> {
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName });
  const answer = await evmRpc(transport).call(contractOf(vault), data);
  return decodeFunctionResult({ abi: BRIDGE_ABI, functionName, data: answer });
}

async function balanceOf(vault: Vault, transport: ChainView['transport']): Promise<bigint> {
  const [contract, token] = [contractOf(vault), tokenOf(vault.token)];
  if (token === COIN) return evmRpc(transport).balance(contract);
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'balanceOf', args: [contract] });
  const answer = await evmRpc(transport).call(token, data);
  return decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'balanceOf', data: answer });
}

/** @throws Error where the contract knows of funds, and the node has no log of them */
async function deposits(view: ChainView, kind: Kind, commitment: string, from: string | null): Promise<Deposit[]> {
  const { vault, transport } = view;
  const rpc = evmRpc(transport);
  const of = bytes32(commitment);
  const payer = from === null ? null : getAddress(from);
  if (payer !== null && !(await kind.hasCome(vault, transport, [of, payer]))) return [];
  const topics = topicsOf({ eventName: kind.came, args: { commitment: of, from: payer } });
  const logs = await rpc.findLogs(contractOf(vault), topics);
  if (logs.length === 0 && payer === null) return [];
  if (logs.length === 0) throw new Error('the node has no log of funds that have come');
  const depthOf = await evmDepth(view);
  const first = logs.slice(0, DEPOSITS_MAX);
  const times = await Promise.all(first.map(({ blockNumber }) => rpc.blockTime(blockNumber)));
  return first.flatMap(({ data, topics: logged, transaction, blockNumber }, index): Deposit[] => {
    const { args } = decodeEventLog({ abi: BRIDGE_ABI, data, topics: [...logged] as [Hex, ...Hex[]] });
    const {
      amount,
      token,
      from: paidBy,
    } = args as {
      readonly amount: bigint;
      readonly token?: Address;
      readonly from: Address;
    };
    // Funds of another token are none of the transfer's.
    if (token !== undefined && token !== tokenOf(vault.token)) return [];
    const confirmations = depthOf(blockNumber);
    const at = times[index] as number;
    return [{ reference: transaction, amount: String(amount), confirmations, at, payer: paidBy }];
  });
}

/** @throws RangeError where one of its parts is none */
function messageOf(vault: Vault, kind: Kind, { kind: purpose, reference, to, amount }: PaymentOrder): Hex {
  const { id, generation } = referenceOf(reference);
  const at = { chainId: evmChainId(vault.chain, vault.network), contract: contractOf(vault), generation, id };
  if (purpose === 'cancel') return clusterMessage({ ...at, action: 'cancel', token: null, to: null, amount: 0n });
  if (addressOf(vault, to) === null) throw new RangeError(`${to} is no address`);
  if (!/^[1-9]\d{0,77}$/.test(amount)) throw new RangeError('no amount');
  const token = kind === VAULT ? tokenOf(vault.token) : contractOf(vault);
  return clusterMessage({ ...at, action: kind.pay, token, to: getAddress(to), amount: BigInt(amount) });
}

/** The call that anybody may send; its transaction is whose hash is known once it is sent. */
function complete(
  vault: Vault,
  kind: Kind,
  order: PaymentOrder,
  signatures: readonly MessageSignature[],
): SignedPayment {
  const [signed] = signatures;
  if (signed?.kind !== 'group' || signatures.length !== 1) throw new RangeError('one signature of the cluster');
  const message = messageOf(vault, kind, order);
  const signature = contractSignature(signed.signature);
  if (!isRight(signed.signature, message, vault.keys.groupKey)) throw new RangeError('the signature is wrong');
  const { id } = referenceOf(order.reference);
  const data = callOf(vault, kind, order, id, signature);
  return { raw: JSON.stringify({ to: contractOf(vault), data, paymentRef: id }), transaction: null };
}

function callOf(
  vault: Vault,
  kind: Kind,
  { kind: purpose, to, amount }: PaymentOrder,
  id: Hex,
  signature: ReturnType<typeof contractSignature>,
): Hex {
  if (purpose === 'cancel')
    return encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'cancel', args: [id, signature] });
  const [whom, units] = [getAddress(to), BigInt(amount)];
  if (kind === WRAPPED)
    return encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'mint', args: [id, whom, units, signature] });
  const args = [id, tokenOf(vault.token), whom, units, signature] as const;
  return encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'release', args });
}

/** One whose reference was used meanwhile is no error: what has used it is told. */
async function broadcast(
  { vault, transport, relayer }: ChainView,
  { raw }: SignedPayment,
  before?: string,
): Promise<string> {
  const { to, data, paymentRef } = Call.parse(JSON.parse(raw));
  const call = { to: getAddress(to), data: data as Hex };
  try {
    const gasMax = await payoutGasMax(vault.chain, transport, call);
    return await relay(transport, relayer, call, { gasMax, instead: before === undefined ? before : hashOf(before) });
  } catch (error) {
    if (!(error instanceof RpcRefusal)) throw error;
    const used = await usedBy(transport, contractOf(vault), paymentRef as Hex);
    if (used === null) throw error;
    return used.transaction;
  }
}

async function statusOf(view: ChainView, kind: Kind, order: PaymentOrder): Promise<PaymentStatus> {
  const { vault, transport } = view;
  const { id, generation } = referenceOf(order.reference);
  // What another transfer was paid by is no payment of this one, also where payee and amount are the same.
  if (!isOwnId(order, id)) throw new RangeError('the reference is of another payment');
  const contract = contractOf(vault);
  // Asked for before the use: a reference that is unused after its key is gone is never used.
  const isOutlived = (await numberOf('generation', vault, transport)) > BigInt(generation);
  const used =
    (await usedBy(transport, contract, id)) ?? (isOutlived ? await rotationAfter(vault, transport, generation) : null);
  if (used === null) return { state: 'unspent' };
  const confirmations = (await evmDepth(view))(used.blockNumber);
  const { transaction } = used;
  if (used.event === 'Cancelled' || used.event === 'KeyRotated') return { state: 'void', transaction, confirmations };
  const isAsOrdered = used.event === kind.paid && used.to === order.to && String(used.amount) === order.amount;
  // Whoever has signed two payments for one reference has to be looked at: neither of them may be paid again.
  if (!isAsOrdered) throw new Error('the reference has paid something else');
  return { state: 'paid', transaction, confirmations };
}

/** The rotation that has made signatures of a generation worthless. @throws Error where the node knows of it, and has no log of it */
async function rotationAfter(vault: Vault, transport: ChainView['transport'], generation: number) {
  const topics = topicsOf({ eventName: 'KeyRotated', args: { generation: BigInt(generation) + 1n } });
  const [log] = await evmRpc(transport).findLogs(contractOf(vault), topics);
  if (log === undefined) throw new Error('the node has no log of a rotation');
  const { transaction, blockNumber } = log;
  return { event: 'KeyRotated' as const, to: undefined, amount: undefined, transaction, blockNumber };
}

/** What has used a reference; null for nothing. @throws Error where the node knows that it is used, and has no log of it */
async function usedBy(transport: ChainView['transport'], contract: Address, paymentRef: Hex) {
  const rpc = evmRpc(transport);
  const data = encodeFunctionData({ abi: BRIDGE_ABI, functionName: 'useOf', args: [paymentRef] });
  const answer = await rpc.call(contract, data);
  const use = decodeFunctionResult({ abi: BRIDGE_ABI, functionName: 'useOf', data: answer });
  if (use === USE.none) return null;
  const names = use === USE.cancelled ? (['Cancelled'] as const) : (['Released', 'Minted'] as const);
  for (const eventName of names) {
    const [log] = await rpc.findLogs(contract, topicsOf({ eventName, args: { paymentRef } }));
    if (log === undefined) continue;
    const { args } = decodeEventLog({ abi: BRIDGE_ABI, data: log.data, topics: [...log.topics] as [Hex, ...Hex[]] });
    const { to, amount } = args as { readonly to?: Address; readonly amount?: bigint };
    return { event: eventName, to, amount, transaction: log.transaction, blockNumber: log.blockNumber };
  }
  throw new Error('the node has no log of a reference that is used');
}

type EventName = 'Deposited' | 'Burned' | 'Released' | 'Minted' | 'Cancelled' | 'KeyRotated';

function topicsOf(of: {
  readonly eventName: EventName;
  readonly args: Readonly<Record<string, unknown>>;
}): (Hex | null)[] {
  return encodeEventTopics({ abi: BRIDGE_ABI, ...of } as never) as (Hex | null)[];
}

function isRight(signature: string, message: Hex, groupKey: string): boolean {
  try {
    return secp256k1_FROST.verify(bytesOf(signature), bytesOf(message.slice(2)), bytesOf(groupKey));
  } catch {
    return false;
  }
}

function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}

function referenceOf(reference: string): { readonly id: Hex; readonly generation: number } {
  const [, id, generation] = REFERENCE.exec(reference) ?? [];
  if (id === undefined) throw new RangeError('no reference of an EVM chain');
  return { id: id as Hex, generation: Number(generation) };
}

function contractOf({ contract }: Vault): Address {
  if (contract === null || !isAddress(contract, { strict: false })) throw new RangeError('the vault has no contract');
  return getAddress(contract);
}

function tokenOf(token: string | null): Address {
  if (token === null) return COIN;
  if (!isAddress(token, { strict: false })) throw new RangeError(`${token} is no token`);
  return getAddress(token);
}

function hashOf(transaction: string): Hex {
  if (!/^0x[0-9a-f]{64}$/.test(transaction)) throw new Error('no hash of a transaction');
  return transaction as Hex;
}

function bytes32(commitment: string): Hex {
  if (!/^[0-9a-f]{64}$/.test(commitment)) throw new RangeError('no commitment');
  return `0x${commitment}`;
}

function addressOf(at: Pick<Vault, 'chain' | 'network'>, text: string): Address | null {
  if (!isAddress(text, { strict: isMixedCase(text) })) return null;
  const address = getAddress(text);
  return isKeyless(at, { text: address, bytes: bytesOf(address.slice(2)) }) ? null : address;
}

/** Where capitals are used they are the checksum of ERC-55. */
function isMixedCase(text: string): boolean {
  const digits = text.slice(2);
  return digits !== digits.toLowerCase() && digits !== digits.toUpperCase();
}

/** The id follows from the transfer and the number of the try; gas is the relayer's. */
async function checkReference({ vault, transport }: ChainView, order: PaymentOrder): Promise<ReferenceCheck> {
  const { id, generation } = referenceOf(order.reference);
  const current = await numberOf('generation', vault, transport);
  return checkedReference(
    neverSo(isOwnId(order, id), 'an id of another payment'),
    notSo(BigInt(generation) <= current, 'no key has that generation yet'),
  );
}

/** Whether an id is one of the order's transfer, and of what it does. */
function isOwnId({ commitment, kind }: Pick<PaymentOrder, 'commitment' | 'kind'>, id: Hex): boolean {
  // One of no payment is cancelled to refute a recovery.
  const purposes = kind === 'cancel' ? (['payout', 'refund', 'cancel'] as const) : [kind];
  return purposes.some((purpose) =>
    Array.from({ length: ATTEMPTS_MAX }, (_, attempt) => paymentId(commitment, purpose, attempt)).includes(id),
  );
}

function paymentId(commitment: string, purpose: PaymentOrder['kind'], attempt: number): Hex {
  return keccak256(stringToHex(JSON.stringify(['edge.bridge.reference.v1', commitment, purpose, attempt])));
}
