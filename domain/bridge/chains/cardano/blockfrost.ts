import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { type ChainTransport, RpcRefusal } from '../chain-adapter.ts';

/** Of one answer. */
const PAGE_MAX = 100;
/** Of an address's unspent outputs: whoever fills it with more has paid for each of them. */
const PAGES_MAX = 10;
const OUTPUTS_MAX = 1_000;
const NOT_FOUND = 404;

const Hash = z.string().regex(/^[0-9a-f]{64}$/);
const Digits = z.string().regex(/^(0|[1-9]\d{0,19})$/);
const Height = z.int().nonnegative();
const Index = z.int().min(0).max(0xffff);
const Amount = z.array(z.object({ unit: z.string(), quantity: Digits })).min(1);
const Holding = { output_index: Index, amount: Amount, reference_script_hash: z.string().nullable() };
const Block = z.object({ height: Height });
const Unspent = z.array(z.object({ tx_hash: Hash, ...Holding })).max(PAGE_MAX);
const Transactions = z.array(z.object({ tx_hash: Hash, block_height: Height, block_time: Height })).max(PAGE_MAX);
const Transaction = z.object({ block_height: Height, block_time: Height, valid_contract: z.boolean() });
const Output = z.object({ address: z.string(), ...Holding, collateral: z.boolean(), consumed_by_tx: Hash.nullable() });
const Outputs = z.object({ outputs: z.array(Output).max(OUTPUTS_MAX) });
const Input = z.object({ tx_hash: Hash, output_index: Index, collateral: z.boolean(), reference: z.boolean() });
const Inputs = z.object({ inputs: z.array(Input).max(OUTPUTS_MAX) });
const Script = z.object({ type: z.string() });
const Parameters = z.object({ min_fee_a: Height, min_fee_b: Height, coins_per_utxo_size: Digits });

export type BlockfrostAmount = z.infer<typeof Amount>;
export type BlockfrostOutput = z.infer<typeof Output>;

/** An indexer with the interface of Blockfrost, each answer held to its form. */
export function blockfrost({ get, post }: Pick<ChainTransport, 'get' | 'post'>) {
  /** Null where there is none: of that an indexer says 404, as of everything that it does not serve. */
  async function found<Schema extends z.ZodType>(schema: Schema, path: string): Promise<z.output<Schema> | null> {
    try {
      return answerOf(schema, await get(path), path);
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === NOT_FOUND) return null;
      throw error;
    }
  }

  return {
    height: async (): Promise<number> => answerOf(Block, await get('/blocks/latest'), 'blocks/latest').height,
    parameters: async () => answerOf(Parameters, await get('/epochs/latest/parameters'), 'epochs/latest/parameters'),
    /** Unspent outputs of an address, the newest thousand. */
    async unspentOf(address: string): Promise<z.infer<typeof Unspent>> {
      const all: z.infer<typeof Unspent> = [];
      for (let page = 1; page <= PAGES_MAX; page += 1) {
        const query = `count=${PAGE_MAX}&page=${page}&order=desc`;
        const some = (await found(Unspent, `/addresses/${address}/utxos?${query}`)) ?? [];
        all.push(...some);
        if (some.length < PAGE_MAX) break;
      }
      return all;
    },
    /** Transactions that touch an address, oldest first. */
    transactionsOf: async (address: string, count: number): Promise<z.infer<typeof Transactions>> =>
      (await found(Transactions, `/addresses/${address}/transactions?count=${count}&page=1&order=asc`)) ?? [],
    /** Null for a transaction that is in no block. */
    transaction: (hash: string) => found(Transaction, `/txs/${hash}`),
    outputsOf: async (hash: string): Promise<BlockfrostOutput[]> =>
      answerOf(Outputs, await get(`/txs/${hash}/utxos`), `txs/${hash}/utxos`).outputs,
    /** Null of a transaction that is in no block. */
    findOutputs: async (hash: string): Promise<BlockfrostOutput[] | null> =>
      (await found(Outputs, `/txs/${hash}/utxos`))?.outputs ?? null,
    /** What a transaction whose script did not fail has spent; null for one that is in no block. */
    async spentBy(hash: string): Promise<z.infer<typeof Input>[] | null> {
      const spent = await found(Inputs, `/txs/${hash}/utxos`);
      return spent?.inputs.filter(({ collateral, reference }) => !collateral && !reference) ?? null;
    },
    /** `timelock`, or the version of Plutus; null of a script that the chain has never seen. */
    scriptType: async (hash: string): Promise<string | null> => (await found(Script, `/scripts/${hash}`))?.type ?? null,
    isWaiting: async (hash: string): Promise<boolean> => (await found(z.object({}), `/mempool/${hash}`)) !== null,
    send: async (raw: Uint8Array<ArrayBuffer>): Promise<string> =>
      answerOf(Hash, await post('/tx/submit', new Blob([raw], { type: 'application/cbor' })), 'tx/submit'),
  };
}
