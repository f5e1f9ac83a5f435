import type { Address, Hex } from 'viem';
import { hexToBigInt, isHex, numberToHex } from 'viem/utils';
import { z } from 'zod';
import { type ChainTransport, RpcRefusal } from '../chain-adapter.ts';

const Quantity = z
  .string()
  .regex(/^0x[0-9a-f]{1,64}$/i)
  .transform((text) => hexToBigInt(text as Hex));
const Bytes = z.string().refine((text): text is Hex => isHex(text));
const Log = z.object({
  data: Bytes,
  topics: z.array(Bytes),
  blockNumber: Quantity.nullable(),
  transactionHash: Bytes.nullable(),
  logIndex: Quantity.nullable(),
  removed: z.boolean().optional(),
});
const Block = z.object({ timestamp: Quantity });
const Numbered = z.object({ number: Quantity });
const Receipt = z.object({ blockNumber: Quantity, status: Quantity, transactionHash: Bytes }).nullable();

export interface EvmLog {
  readonly data: Hex;
  readonly topics: readonly Hex[];
  readonly blockNumber: number;
  readonly transaction: Hex;
  readonly index: number;
}

const Transaction = z
  .object({
    nonce: Quantity,
    blockNumber: Quantity.nullish(),
    maxFeePerGas: Quantity,
    maxPriorityFeePerGas: Quantity,
  })
  .nullable();

/** A transaction that is in no block yet, and what it offers for a unit of gas, wei. */
export interface Waiting {
  readonly nonce: number;
  readonly maxFee: bigint;
  readonly tip: bigint;
}

/** Blocks of one question for logs: many nodes answer no more. Others are asked for twice as many each time. */
const LOG_BLOCKS = 10_000;
const LOG_BLOCKS_MAX = 1_000_000;
/** How far back is looked for a log, in questions. */
const LOG_QUESTIONS_MAX = 50;

/** What is asked of a node of an EVM chain, each answer held to its form. */
export function evmRpc({ rpc }: ChainTransport) {
  const call = async (to: Address, data: Hex, from?: Address, block?: number): Promise<Hex> => {
    const at = block === undefined ? 'latest' : numberToHex(block);
    return Bytes.parse(await rpc('eth_call', [{ to, data, ...(from && { from }) }, at]));
  };
  const height = async (): Promise<number> => Number(Quantity.parse(await rpc('eth_blockNumber', [])));
  return {
    call,
    height,
    chainId: async (): Promise<number> => Number(Quantity.parse(await rpc('eth_chainId', []))),
    /** Logs with these topics in the newest blocks, oldest first: until one is found, or so far back as a search goes. */
    async findLogs(address: Address, topics: readonly (Hex | null)[]): Promise<EvmLog[]> {
      let toBlock = await height();
      let [blocks, most] = [LOG_BLOCKS, LOG_BLOCKS_MAX];
      for (let question = 0; question < LOG_QUESTIONS_MAX && toBlock >= 0; question++) {
        const fromBlock = Math.max(0, toBlock - blocks + 1);
        const range = { fromBlock: numberToHex(fromBlock), toBlock: numberToHex(toBlock) };
        const answer = await rpc('eth_getLogs', [{ address, topics, ...range }]).catch((error: unknown) => {
          if (blocks > LOG_BLOCKS && error instanceof RpcRefusal) return null;
          throw error;
        });
        if (answer === null) {
          blocks = LOG_BLOCKS;
          most = LOG_BLOCKS;
          continue;
        }
        const found = z.array(Log).parse(answer);
        const logs = found.flatMap(({ blockNumber, transactionHash, logIndex, removed, data, topics: of }) =>
          blockNumber === null || transactionHash === null || logIndex === null || removed === true
            ? []
            : [
                {
                  data,
                  topics: of,
                  blockNumber: Number(blockNumber),
                  transaction: transactionHash,
                  index: Number(logIndex),
                },
              ],
        );
        if (logs.length > 0) return logs;
        toBlock = fromBlock - 1;
        blocks = Math.min(blocks * 2, most);
      }
      return [];
    },
    /** `0x` where there is no contract. */
    code: async (account: Address): Promise<Hex> => Bytes.parse(await rpc('eth_getCode', [account, 'latest'])),
    /** The newest block that the chain never takes back. */
    async finalizedHeight(): Promise<number> {
      const block = Numbered.nullable().parse(await rpc('eth_getBlockByNumber', ['finalized', false]));
      if (block === null) throw new Error('the node does not say what is final');
      return Number(block.number);
    },
    /** Unix ms. */
    async blockTime(number: number): Promise<number> {
      const { timestamp } = Block.parse(await rpc('eth_getBlockByNumber', [numberToHex(number), false]));
      return Number(timestamp) * 1_000;
    },
    balance: async (account: Address): Promise<bigint> =>
      Quantity.parse(await rpc('eth_getBalance', [account, 'latest'])),
    nonce: async (account: Address, block: 'latest' | 'pending'): Promise<number> =>
      Number(Quantity.parse(await rpc('eth_getTransactionCount', [account, block]))),
    estimateGas: async (from: Address, to: Address, data: Hex): Promise<bigint> =>
      Quantity.parse(await rpc('eth_estimateGas', [{ from, to, data }])),
    gasPrice: async (): Promise<bigint> => Quantity.parse(await rpc('eth_gasPrice', [])),
    async fees(): Promise<{ readonly total: bigint; readonly priority: bigint }> {
      const [base, tip] = [
        await rpc('eth_gasPrice', []),
        await rpc('eth_maxPriorityFeePerGas', []).catch(() => '0x3b9aca00'),
      ];
      const priority = Quantity.parse(tip);
      return { total: Quantity.parse(base) * 2n + priority, priority };
    },
    send: async (raw: Hex): Promise<Hex> => Bytes.parse(await rpc('eth_sendRawTransaction', [raw])),
    /** One that waits to be in a block; null where the node has none that does. */
    async waiting(hash: Hex): Promise<Waiting | null> {
      const found = Transaction.parse(await rpc('eth_getTransactionByHash', [hash]));
      if (found === null || (found.blockNumber ?? null) !== null) return null;
      return { nonce: Number(found.nonce), maxFee: found.maxFeePerGas, tip: found.maxPriorityFeePerGas };
    },
    async receipt(hash: Hex): Promise<{ readonly blockNumber: number; readonly isSuccess: boolean } | null> {
      const receipt = Receipt.parse(await rpc('eth_getTransactionReceipt', [hash]));
      return receipt && { blockNumber: Number(receipt.blockNumber), isSuccess: receipt.status === 1n };
    },
  };
}
