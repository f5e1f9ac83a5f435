import { type Address, createPublicClient, getAbiItem, http, type PublicClient } from 'viem';
import { type Checkpoint, checkpointHash } from '../../domain/consensus/checkpoints/checkpoint.ts';
import { REGISTRY_ABI } from '../../protocol/registry/registry-abi.ts';

/** Blocks of one question for logs: what nodes of strangers answer. */
const LOG_BLOCKS = 500n;
/** Questions for logs at most: of a chain with a block every two seconds some five hours. */
const LOG_QUESTIONS_MAX = 20;

const RECORDED = [
  getAbiItem({ abi: REGISTRY_ABI, name: 'SettlementRecorded' }),
  getAbiItem({ abi: REGISTRY_ABI, name: 'CheckpointRecorded' }),
];

interface ChainBlock {
  readonly number: bigint;
  /** Unix ms. */
  readonly at: number;
}

/** What the registry on chain has, all of it as of one block. */
export interface RegistryReading {
  readonly head: ChainBlock;
  /** The last block in which it has taken in a settlement or a checkpoint; null where none of the last 10,000 is. */
  readonly lastRecord: ChainBlock | null;
  /** All records of the trade. */
  readonly hashes: readonly string[];
  /** Of each checkpoint that was asked for, in that order: whether it has this one, or another; null where it has none of that number yet. Two of one number may be asked for. */
  readonly checkpoints: readonly (boolean | null)[];
}

/** @throws Error where the chain does not answer, or has no registry there */
export async function readRegistry(
  { address, rpc }: { readonly address: Address; readonly rpc: string },
  tradeId: string,
  checkpoints: readonly Checkpoint[],
): Promise<RegistryReading> {
  const client = createPublicClient({ transport: http(rpc) });
  const head = await client.getBlock();
  const at = { address, abi: REGISTRY_ABI, blockNumber: head.number } as const;
  const records = await client.readContract({ ...at, functionName: 'getTxsByUUID', args: [tradeId] });
  const last = await client.readContract({ ...at, functionName: 'lastCheckpoint' });
  const has = async (checkpoint: Checkpoint): Promise<boolean | null> => {
    if (BigInt(checkpoint.number) > last) return null;
    const args = [BigInt(checkpoint.number)] as const;
    const { hash, keysHash } = await client.readContract({ ...at, functionName: 'checkpoint', args });
    return hash === `0x${checkpointHash(checkpoint)}` && keysHash === `0x${checkpoint.keys}`;
  };
  return {
    head: { number: head.number, at: Number(head.timestamp) * 1_000 },
    lastRecord: await lastRecordOf(client, address, head.number),
    hashes: records.map(({ hash }) => hash.slice(2)),
    checkpoints: await Promise.all(checkpoints.map(has)),
  };
}

async function lastRecordOf(client: PublicClient, address: Address, head: bigint): Promise<ChainBlock | null> {
  let toBlock = head;
  for (let questions = 0; questions < LOG_QUESTIONS_MAX && toBlock >= 0n; questions++) {
    const fromBlock = toBlock < LOG_BLOCKS ? 0n : toBlock - LOG_BLOCKS + 1n;
    const logs = await client.getLogs({ address, events: RECORDED, fromBlock, toBlock });
    const blockNumber = logs.at(-1)?.blockNumber;
    if (blockNumber !== undefined) {
      const { timestamp } = await client.getBlock({ blockNumber });
      return { number: blockNumber, at: Number(timestamp) * 1_000 };
    }
    toBlock = fromBlock - 1n;
  }
  return null;
}
