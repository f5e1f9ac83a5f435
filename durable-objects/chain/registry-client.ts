import {
  type Address,
  BaseError,
  createPublicClient,
  decodeErrorResult,
  encodeFunctionData,
  type Hex,
  http,
  isHex,
  keccak256,
  parseEventLogs,
  parseTransaction,
  type TransactionSerializedEIP1559,
} from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { type Checkpoint, checkpointHash } from '../../domain/consensus/checkpoints/checkpoint.ts';
import { REGISTRY_ABI } from '../../protocol/registry/registry-abi.ts';

/** How long the chain's RPC may take to answer. */
const RPC_WAIT_MS = 5_000;
/**
 * Gas that a transaction may use, whatever is estimated: what recording costs at most (test/node/registry/gas-snapshot.json), and a quarter more. An estimate is too
 * low where the same was handed in before, and is not in a block in the end.
 */
const GAS_BASE = 60_000n;
const GAS_PER_ENTRY = 60_000n;
const GAS_PER_CHECKPOINT = 150_000n;

/** What is to be recorded of a trade. */
export interface RegistryEntry {
  readonly tradeId: string;
  /** Of the record, in hexadecimal without `0x`. */
  readonly hash: string;
}

/** What stands in the registry of a trade. */
export interface RegistryRecord {
  readonly hash: string;
  readonly blockNumber: number;
  /** Unix ms. */
  readonly recordedAt: number;
  /** Null where the node does not give the log. */
  readonly transaction: Hex | null;
}

/** What a transaction of the recorder does. */
export type RegistryCall =
  | { readonly functionName: 'record'; readonly entries: readonly RegistryEntry[] }
  | { readonly functionName: 'recordCheckpoints'; readonly checkpoints: readonly Checkpoint[] };

/** What a transaction pays for a unit of gas at most, wei. */
export interface GasPrice {
  readonly total: bigint;
  readonly priority: bigint;
}

export interface SignedTransaction {
  readonly hash: Hex;
  readonly raw: Hex;
}

/** A transaction that stands in a block. */
export interface Inclusion {
  readonly blockNumber: number;
  readonly isSuccess: boolean;
  /** Of what it has recorded, and nothing had before it. */
  readonly recorded: readonly RegistryEntry[];
}

/** A call that the registry refuses. */
export class RegistryRefusal extends Error {
  override readonly name = 'RegistryRefusal';
  /** The trade of which it has as many records as it takes, where that is why. */
  readonly fullTrade: string | null;

  constructor(why: string, fullTrade: string | null = null) {
    super(`the registry refuses: ${why}`);
    this.fullTrade = fullTrade;
  }
}

/** Where the registry is. Empty addresses: nowhere. */
interface RegistryEnv {
  /** A secret of deployed environments, which may lack it. */
  readonly REGISTRY_RPC_URL?: string;
  readonly REGISTRY_ADDRESS: string;
  readonly RECORDER_KEY?: string;
}

/** The registry of this environment; null where none is named. */
export function registryOf({
  REGISTRY_RPC_URL = '',
  REGISTRY_ADDRESS,
}: Omit<RegistryEnv, 'RECORDER_KEY'>): Registry | null {
  if (REGISTRY_RPC_URL === '' || REGISTRY_ADDRESS === '') return null;
  return new Registry(REGISTRY_RPC_URL, REGISTRY_ADDRESS as Address);
}

/** The registry as the recorder of this environment writes it; null where none is named. */
export function writableRegistryOf(env: RegistryEnv): WritableRegistry | null {
  const { REGISTRY_RPC_URL = '', REGISTRY_ADDRESS, RECORDER_KEY = '' } = env;
  if (REGISTRY_RPC_URL === '' || REGISTRY_ADDRESS === '' || RECORDER_KEY === '') return null;
  return new WritableRegistry(REGISTRY_RPC_URL, REGISTRY_ADDRESS as Address, RECORDER_KEY as Hex);
}

/** Reads contracts/SettlementRegistry.sol. Each call throws where the RPC does not answer. */
export class Registry {
  protected readonly client: ReturnType<typeof createPublicClient>;
  readonly address: Address;

  constructor(url: string, address: Address) {
    this.client = createPublicClient({ transport: http(url, { timeout: RPC_WAIT_MS, retryCount: 0 }) });
    this.address = address;
  }

  /** Number of the last block. */
  async height(): Promise<number> {
    return Number(await this.client.getBlockNumber({ cacheTime: 0 }));
  }

  /** Number of the last checkpoint that is recorded; 0 before the first. */
  async lastCheckpoint(): Promise<number> {
    const number = await this.client.readContract({
      address: this.address,
      abi: REGISTRY_ABI,
      functionName: 'lastCheckpoint',
    });
    return Number(number);
  }

  /** All that is recorded of a trade, the settlement first. */
  async recordsOf(tradeId: string): Promise<RegistryRecord[]> {
    const found = await this.client.readContract({
      address: this.address,
      abi: REGISTRY_ABI,
      functionName: 'getTxsByUUID',
      args: [tradeId],
    });
    const numbers = [...new Set(found.map(({ blockNumber }) => blockNumber))];
    const transactions = new Map<Hex, Hex>();
    const uuid = uuidBytes(tradeId);
    for (const number of numbers) {
      const logs = await this.client.getContractEvents({
        address: this.address,
        abi: REGISTRY_ABI,
        eventName: 'SettlementRecorded',
        args: { uuid },
        fromBlock: number,
        toBlock: number,
      });
      for (const { args, transactionHash } of logs)
        if (args.hash !== undefined) transactions.set(args.hash, transactionHash);
    }
    return found.map(({ hash, blockNumber, recordedAt }) => ({
      hash: hash.slice(2),
      blockNumber: Number(blockNumber),
      recordedAt: Number(recordedAt) * 1_000,
      transaction: transactions.get(hash) ?? null,
    }));
  }
}

/** Writes it, by transactions of the recorder's account. */
export class WritableRegistry extends Registry {
  readonly #account: ReturnType<typeof privateKeyToAccount>;

  constructor(url: string, address: Address, key: Hex) {
    super(url, address);
    this.#account = privateKeyToAccount(key);
  }

  /** Transactions of the recorder that stand in blocks, which is the nonce of its next one. */
  nonce(): Promise<number> {
    return this.client.getTransactionCount({ address: this.#account.address, blockTag: 'latest' });
  }

  async gasPrice(): Promise<GasPrice> {
    const { maxFeePerGas, maxPriorityFeePerGas } = await this.client.estimateFeesPerGas();
    return { total: maxFeePerGas, priority: maxPriorityFeePerGas };
  }

  /**
   * A transaction that makes this call.
   *
   * @throws RegistryRefusal where the registry would refuse it as things stand
   */
  async sign(call: RegistryCall, nonce: number, { total, priority }: GasPrice): Promise<SignedTransaction> {
    const data = callData(call);
    const estimated = { account: this.#account.address, to: this.address, data, blockTag: 'latest' } as const;
    const gas = await this.client.estimateGas(estimated).catch((error: unknown) => {
      throw refusalOf(error) ?? error;
    });
    const raw = await this.#account.signTransaction({
      type: 'eip1559',
      chainId: await this.client.getChainId(),
      nonce,
      to: this.address,
      data,
      gas: gasLimit(call, gas),
      maxFeePerGas: total,
      maxPriorityFeePerGas: priority,
    });
    return { raw, hash: keccak256(raw) };
  }

  /** How many transactions with so many settlements the recorder's account can pay, at the price of this moment. */
  async affordable(settlements: number): Promise<number> {
    const balance = await this.client.getBalance({ address: this.#account.address });
    const { total } = await this.gasPrice();
    return Number(balance / (total * (GAS_BASE + GAS_PER_ENTRY * BigInt(settlements))));
  }

  /** Whether the recorder's account has what this transaction costs at most, at another price. */
  async canPay({ raw }: SignedTransaction, { total }: GasPrice): Promise<boolean> {
    const { gas = 0n } = parseTransaction(raw as TransactionSerializedEIP1559);
    return (await this.client.getBalance({ address: this.#account.address })) >= gas * total;
  }

  /** The same transaction at another price: at most one of the two gets into a block. */
  async signAgain({ raw }: SignedTransaction, { total, priority }: GasPrice): Promise<SignedTransaction> {
    const { chainId, nonce, to, data, gas } = parseTransaction(raw as TransactionSerializedEIP1559);
    const terms = { type: 'eip1559', chainId, nonce, to, data, gas } as const;
    const again = await this.#account.signTransaction({
      ...terms,
      maxFeePerGas: total,
      maxPriorityFeePerGas: priority,
    });
    return { raw: again, hash: keccak256(again) };
  }

  /** Hands a transaction to the node. One that the node knows already, or that stands in a block, is no error. */
  async broadcast({ raw, hash }: SignedTransaction): Promise<void> {
    try {
      await this.client.sendRawTransaction({ serializedTransaction: raw });
    } catch (error) {
      if ((await this.client.getTransaction({ hash }).catch(() => null)) === null) throw error;
    }
  }

  /** Where a transaction stands; null while it stands in no block. */
  async inclusion(hash: Hex): Promise<Inclusion | null> {
    const receipt = await this.client.getTransactionReceipt({ hash }).catch((error: unknown) => {
      if (error instanceof BaseError && error.name === 'TransactionReceiptNotFoundError') return null;
      throw error;
    });
    if (receipt === null) return null;
    const events = parseEventLogs({ abi: REGISTRY_ABI, logs: receipt.logs, eventName: 'SettlementRecorded' });
    return {
      blockNumber: Number(receipt.blockNumber),
      isSuccess: receipt.status === 'success',
      recorded: events.map(({ args }) => ({ tradeId: uuidText(args.uuid), hash: args.hash.slice(2) })),
    };
  }
}

/** What the registry says against a call, by the name of its error; null where the call failed for another reason. */
function refusalOf(error: unknown): RegistryRefusal | null {
  const found = error instanceof BaseError ? error.walk((inner) => revertData(inner) !== null) : null;
  const data = revertData(found);
  if (data === null) return null;
  try {
    const { errorName, args } = decodeErrorResult({ abi: REGISTRY_ABI, data });
    return new RegistryRefusal(errorName, errorName === 'TooManyRecords' ? uuidText(args[0]) : null);
  } catch {
    return new RegistryRefusal('reverted');
  }
}

/** As nodes give it beside the error of a call that reverts. */
function revertData(error: unknown): Hex | null {
  const data = typeof error === 'object' && error !== null && 'data' in error ? error.data : null;
  return isHex(data) ? data : null;
}

function callData(call: RegistryCall): Hex {
  const abi = REGISTRY_ABI;
  const { functionName } = call;
  if (functionName === 'record') {
    const settlements = call.entries.map(({ tradeId, hash }) => ({ uuid: uuidBytes(tradeId), hash: bytes32(hash) }));
    return encodeFunctionData({ abi, functionName, args: [settlements] });
  }
  const checkpoints = call.checkpoints.map((checkpoint) => ({
    hash: bytes32(checkpointHash(checkpoint)),
    blocksRoot: bytes32(checkpoint.blocksRoot),
    keysHash: bytes32(checkpoint.keys),
    firstHeight: BigInt(checkpoint.firstHeight),
    lastHeight: BigInt(checkpoint.lastHeight),
  }));
  return encodeFunctionData({ abi, functionName, args: [BigInt(call.checkpoints[0]?.number ?? 0), checkpoints] });
}

function gasLimit(call: RegistryCall, estimate: bigint): bigint {
  const least =
    call.functionName === 'record'
      ? GAS_BASE + GAS_PER_ENTRY * BigInt(call.entries.length)
      : GAS_BASE + GAS_PER_CHECKPOINT * BigInt(call.checkpoints.length);
  if (estimate > least) return estimate;
  return least;
}

function bytes32(hash: string): Hex {
  return `0x${hash}`;
}

function uuidBytes(text: string): Hex {
  return `0x${text.replaceAll('-', '').toLowerCase()}`;
}

function uuidText(bytes: Hex): string {
  const digits = bytes.slice(2);
  return [8, 12, 16, 20, 32].map((to, at) => digits.slice([0, 8, 12, 16, 20][at], to)).join('-');
}
