import { z } from 'zod';
import { type ChainTransport, RpcRefusal } from '../chain-adapter.ts';

const Status = z.object({ confirmed: z.boolean(), block_height: z.int().optional(), block_time: z.int().optional() });
/** Amounts beyond 2^53 have lost digits as JSON numbers: null. Others may have such ones beside a deposit, on Dogecoin from 90 million coins on. */
const Value = z
  .number()
  .min(0)
  .transform((value) => (Number.isSafeInteger(value) ? value : null));
const Tx = z.object({
  txid: z.string(),
  status: Status,
  vin: z.array(z.object({ txid: z.string(), vout: z.int() })),
  vout: z.array(z.object({ scriptpubkey: z.string(), value: Value })),
});
const Utxo = z.object({ txid: z.string(), vout: z.int(), value: z.int(), status: Status });
const Outspend = z.object({ spent: z.boolean(), txid: z.string().nullish(), status: Status.nullish() });

export type EsploraTx = z.infer<typeof Tx>;
export type EsploraUtxo = z.infer<typeof Utxo>;

/** Transactions of blocks that one answer has; fewer are the last. */
const PAGE_TRANSACTIONS = 25;
/** Answers that an address is followed through. */
const PAGES_MAX = 40;
const NOT_FOUND = 404;
/** What indexers answer that list no more than 500 outputs of an address. */
const TOO_MANY = 400;
/** Outputs of one answer that are looked at: the largest, so that specks hide none. */
const UNSPENT_MAX = 100;

/** An indexer with the interface of Esplora (Blockstream), each answer held to its form. */
export function esplora({ get, post }: ChainTransport) {
  /** The newest transactions of an address. `isCut`: there are more. */
  async function newestOf(address: string): Promise<{ readonly all: EsploraTx[]; readonly isCut: boolean }> {
    const all: EsploraTx[] = [];
    for (let page = 0, after = ''; page < PAGES_MAX; page++) {
      const listed = z.array(Tx).parse(await get(`/address/${address}/txs${after}`));
      all.push(...listed);
      const mined = listed.filter(({ status }) => status.confirmed);
      const last = mined.at(-1);
      if (last === undefined || mined.length < PAGE_TRANSACTIONS) return { all, isCut: false };
      after = `/chain/${last.txid}`;
    }
    return { all, isCut: true };
  }

  return {
    height: async (): Promise<number> =>
      z.coerce
        .number()
        .int()
        .min(0)
        .parse(await get('/blocks/tip/height')),
    newestOf,
    /**
     * The largest outputs of an address. An indexer refuses to list those of an address that has very many: then they are read off its newest transactions, by which each of theirs that is spent would be spent as well.
     */
    async unspentOf({
      address,
      script,
    }: {
      readonly address: string;
      readonly script: string;
    }): Promise<EsploraUtxo[]> {
      const listed = await get(`/address/${address}/utxo`).catch((refusal: unknown) => {
        if (refusal instanceof RpcRefusal && refusal.code === TOO_MANY) return null;
        throw refusal;
      });
      if (listed !== null) return largest(z.array(Utxo).parse(listed));
      const { all } = await newestOf(address);
      const spent = new Set(all.flatMap(({ vin }) => vin.map(({ txid, vout }) => `${txid}:${vout}`)));
      const unspent = all.flatMap(({ txid, vout: outputs, status }) =>
        outputs.flatMap(({ scriptpubkey, value }, vout) =>
          scriptpubkey === script && value !== null && !spent.has(`${txid}:${vout}`)
            ? [{ txid, vout, value, status }]
            : [],
        ),
      );
      return largest(unspent);
    },
    transaction: async (txid: string): Promise<EsploraTx> => Tx.parse(await get(`/tx/${txid}`)),
    /** Null for one that is neither in a block nor waits for one. */
    async find(txid: string): Promise<EsploraTx | null> {
      try {
        return Tx.parse(await get(`/tx/${txid}`));
      } catch (error) {
        if (error instanceof RpcRefusal && error.code === NOT_FOUND) return null;
        throw error;
      }
    },
    /** Also of an output that is none, which nobody has spent. */
    outspend: async (txid: string, vout: number) => Outspend.parse(await get(`/tx/${txid}/outspend/${vout}`)),
    /** Of a virtual byte, for the block after the next two. */
    async feeRate(): Promise<number> {
      const estimates = z.record(z.string(), z.number()).parse(await get('/fee-estimates'));
      return Math.max(1, Math.ceil(estimates['3'] ?? estimates['6'] ?? 1));
    },
    send: async (raw: string): Promise<string> => z.string().parse(await post('/tx', raw)),
  };
}

function largest(unspent: readonly EsploraUtxo[]): EsploraUtxo[] {
  return unspent.toSorted((one, other) => other.value - one.value).slice(0, UNSPENT_MAX);
}
