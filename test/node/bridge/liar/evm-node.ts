import { secp256k1, secp256k1_FROST } from '@noble/curves/secp256k1.js';
import {
  type Address,
  decodeFunctionData,
  encodeAbiParameters,
  encodeEventTopics,
  type Hex,
  keccak256,
  recoverTransactionAddress,
} from 'viem';
import { getAddress, parseTransaction } from 'viem/utils';
import { type ChainTransport, RpcRefusal } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { contractKey } from '../../../../domain/bridge/chains/evm/cluster-key.ts';
import { clusterMessage } from '../../../../domain/bridge/chains/evm/cluster-message.ts';
import { BRIDGE_ABI } from '../../../../domain/bridge/chains/evm/evm-abi.ts';

const NONE = '0x0000000000000000000000000000000000000000';
/** Arbitrum's own contract, which says what of a transaction's gas is for its bytes. */
const NODE_INTERFACE = '0x00000000000000000000000000000000000000c8';
const WORD = (value: bigint): Hex => `0x${value.toString(16).padStart(64, '0')}`;

interface Log {
  readonly topics: readonly Hex[];
  readonly data: Hex;
  readonly blockNumber: number;
  readonly transaction: Hex;
}

/** All that a block leaves behind: what a reorganization takes away is gone with it. */
interface State {
  readonly balances: ReadonlyMap<string, bigint>;
  readonly uses: ReadonlyMap<Hex, 1 | 2>;
  readonly deposits: ReadonlyMap<string, bigint>;
  readonly logs: readonly Log[];
  readonly nonces: ReadonlyMap<string, number>;
}

type Signature = { readonly rx: bigint; readonly ry: bigint; readonly z: bigint };

export interface EvmNodeOf {
  readonly chainId: number;
  readonly contract: Address;
  readonly token: Address;
  readonly groupKey: string;
}

/**
 * An EVM chain with a vault's contract and one token, in memory: BridgeVault as its source has it, as far as adapters use it. Each transaction has a block of its own; blocks that are not settled may be taken away.
 */
export class EvmNode {
  readonly #of: EvmNodeOf;
  #state: State = { balances: new Map(), uses: new Map(), deposits: new Map(), logs: [], nonces: new Map() };
  #height = 1_000;
  /** What is final, and at which height. */
  #final: { readonly state: State; readonly height: number } = { state: this.#state, height: this.#height };
  #payments = 0;

  constructor(of: EvmNodeOf) {
    this.#of = of;
  }

  get transport(): ChainTransport {
    const none = () => Promise.reject(new Error('JSON-RPC alone'));
    return { rpc: async (method, params) => this.#rpc(method, params as readonly unknown[]), get: none, post: none };
  }

  /** Of the vault's contract, of the coin for no token. */
  held(token: string | null): bigint {
    return this.#balance(token, this.#of.contract);
  }

  fund(token: string | null, amount: bigint): void {
    this.#moved(token, null, this.#of.contract, amount);
  }

  /** What a payer's own transaction does. */
  deposit(commitment: string, token: string | null, from: Address, amount: bigint): void {
    const key = depositKey(`0x${commitment}`, from);
    // A payer pays a transfer once.
    if (this.#state.deposits.has(key)) return;
    this.fund(token, amount);
    this.#state = { ...this.#state, deposits: new Map(this.#state.deposits).set(key, amount) };
    const args = { commitment: `0x${commitment}` as const, token: getAddress(token ?? NONE), from };
    this.#log('Deposited', args, amount, this.#mined());
  }

  settle(blocks: number): void {
    this.#height += blocks;
    this.#final = { state: this.#state, height: this.#height };
  }

  mine(): void {
    this.#height += 1;
  }

  /** What is not final is gone, and other blocks are in its place. */
  reorganize(): void {
    this.#state = this.#final.state;
    this.#height += 1;
  }

  #balance(token: string | null, of: string): bigint {
    return this.#state.balances.get(balanceKey(token, of)) ?? 0n;
  }

  #moved(token: string | null, from: string | null, to: string, amount: bigint): void {
    const balances = new Map(this.#state.balances);
    if (from !== null) balances.set(balanceKey(token, from), this.#balance(token, from) - amount);
    balances.set(balanceKey(token, to), (balances.get(balanceKey(token, to)) ?? 0n) + amount);
    this.#state = { ...this.#state, balances };
  }

  #mined(): Hex {
    this.#height += 1;
    this.#payments += 1;
    return keccak256(WORD(BigInt(this.#payments)));
  }

  #log(eventName: 'Deposited' | 'Released' | 'Cancelled', args: object, amount: bigint | null, transaction: Hex): void {
    const topics = encodeEventTopics({ abi: BRIDGE_ABI, eventName, args } as never) as Hex[];
    const data = amount === null ? '0x' : encodeAbiParameters([{ type: 'uint256' }], [amount]);
    const log: Log = { topics, data, blockNumber: this.#height, transaction };
    this.#state = { ...this.#state, logs: [...this.#state.logs, log] };
  }

  async #rpc(method: string, params: readonly unknown[]): Promise<unknown> {
    const [first, second] = params as readonly [never, never];
    switch (method) {
      case 'eth_chainId':
        return hex(this.#of.chainId);
      case 'eth_blockNumber':
        return hex(this.#height);
      case 'eth_getBlockByNumber':
        return {
          number: hex(first === 'finalized' ? this.#final.height : Number(first)),
          timestamp: hex(1_700_000_000),
        };
      case 'eth_call':
        return this.#call(first);
      case 'eth_getLogs':
        return this.#logs(first);
      case 'eth_getCode':
        return '0x';
      case 'eth_getBalance':
        return hex(this.#balance(null, first));
      case 'eth_getTransactionCount':
        return hex(this.#state.nonces.get((first as string).toLowerCase()) ?? 0);
      case 'eth_gasPrice':
      case 'eth_maxPriorityFeePerGas':
        return hex(1_000_000_000);
      case 'eth_estimateGas':
        this.#execute(first, null);
        return hex(200_000);
      case 'eth_sendRawTransaction':
        return this.#take(first);
      default:
        throw new Error(`${method} is not asked for, ${String(second)}`);
    }
  }

  #call({ to, data }: { readonly to: Address; readonly data: Hex }): Hex {
    const { contract, token } = this.#of;
    if (to.toLowerCase() === NODE_INTERFACE)
      return `${WORD(30_000n)}${WORD(1_000_000_000n).slice(2)}${WORD(1_000_000_000n).slice(2)}`;
    // What an account without code returns.
    if (![contract, token].some((known) => known.toLowerCase() === to.toLowerCase())) return '0x';
    const { functionName, args = [] } = decodeFunctionData({ abi: BRIDGE_ABI, data });
    const [one, other] = args as readonly [never, never];
    const isVault = to.toLowerCase() === contract.toLowerCase();
    switch (functionName) {
      case 'balanceOf':
        return WORD(this.#balance(to, one));
      case 'generation':
        return WORD(isVault ? 1n : 0n);
      case 'key': {
        const { x, isOdd } = contractKey(this.#of.groupKey);
        return `${WORD(x)}${WORD(isOdd ? 1n : 0n).slice(2)}`;
      }
      case 'recoveryUntil':
        return WORD(0n);
      case 'useOf':
        return WORD(BigInt(this.#state.uses.get(one) ?? 0));
      case 'isDeposited':
        return WORD(this.#state.deposits.has(depositKey(one, other)) ? 1n : 0n);
      default:
        throw new RpcRefusal(3, 'execution reverted');
    }
  }

  #logs(of: { readonly topics: readonly (Hex | null)[]; readonly fromBlock: Hex; readonly toBlock: Hex }): unknown {
    const isAsked = ({ topics, blockNumber }: Log) =>
      blockNumber >= Number(of.fromBlock) &&
      blockNumber <= Number(of.toBlock) &&
      of.topics.every((topic, index) => topic === null || topic === topics[index]);
    return this.#state.logs.filter(isAsked).map(({ topics, data, blockNumber, transaction }, index) => ({
      ...{ topics, data, logIndex: hex(index), transactionHash: transaction, blockNumber: hex(blockNumber) },
    }));
  }

  async #take(raw: Hex): Promise<Hex> {
    const { to, data, nonce } = parseTransaction(raw);
    const from = (await recoverTransactionAddress({ serializedTransaction: raw as never })).toLowerCase();
    const hash = keccak256(raw);
    if (nonce !== (this.#state.nonces.get(from) ?? 0)) throw new RpcRefusal(-32_000, 'nonce too low');
    this.#execute({ to: to as Address, data: data as Hex }, hash);
    const nonces = new Map(this.#state.nonces).set(from, (nonce ?? 0) + 1);
    this.#state = { ...this.#state, nonces };
    return hash;
  }

  /** @param hash null for a trial @throws RpcRefusal where the contract reverts */
  #execute({ to, data }: { readonly to: Address; readonly data: Hex }, hash: Hex | null): void {
    const { chainId, contract, groupKey } = this.#of;
    const { functionName, args = [] } = decodeFunctionData({ abi: BRIDGE_ABI, data });
    const isCancel = functionName === 'cancel';
    if (to.toLowerCase() !== contract.toLowerCase() || (!isCancel && functionName !== 'release')) throw reverted();
    const [id, token, payee, amount] = (isCancel ? [args[0], NONE, NONE, 0n] : args) as [Hex, Address, Address, bigint];
    const of = isCancel ? { token: null, to: null } : { token, to: payee };
    const message = clusterMessage({ chainId, contract, generation: 1, action: functionName, id, ...of, amount });
    if (!isSigned(args.at(-1) as Signature, message, groupKey) || this.#state.uses.has(id)) throw reverted();
    const paid = token === NONE ? null : token;
    if (!isCancel && this.held(paid) < amount) throw reverted();
    if (hash === null) return;
    this.#height += 1;
    this.#state = { ...this.#state, uses: new Map(this.#state.uses).set(id, isCancel ? 2 : 1) };
    if (isCancel) {
      this.#log('Cancelled', { paymentRef: id }, null, hash);
      return;
    }
    this.#moved(paid, contract, payee, amount);
    this.#log('Released', { paymentRef: id, token, to: payee }, amount, hash);
  }
}

function isSigned({ rx, ry, z }: Signature, message: Hex, groupKey: string): boolean {
  try {
    const point = secp256k1.Point.fromAffine({ x: rx, y: ry }).toHex(true);
    const bytes = (text: string) => Uint8Array.from(Buffer.from(text, 'hex'));
    return secp256k1_FROST.verify(bytes(point + WORD(z).slice(2)), bytes(message.slice(2)), bytes(groupKey));
  } catch {
    return false;
  }
}

function reverted(): RpcRefusal {
  return new RpcRefusal(3, 'execution reverted');
}

function hex(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

function balanceKey(token: string | null, of: string): string {
  return `${token?.toLowerCase() ?? ''} ${of.toLowerCase()}`;
}

function depositKey(commitment: Hex, from: string): string {
  return `${commitment} ${from.toLowerCase()}`;
}
