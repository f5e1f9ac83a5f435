import { database } from '../../../data/database.ts';
import { listChainRecords } from '../../../data/settlements/chain-records.ts';
import { type RegistryRecord, registryOf } from '../../../durable-objects/chain/registry-client.ts';

type RegistryReadEnv = Pick<Env, 'DB' | 'REGISTRY_RPC_URL' | 'REGISTRY_ADDRESS'>;

/** A transaction that has recorded something of a trade. */
interface RecordingTransaction {
  readonly transaction: string;
  readonly blockNumber: number;
  /** Unix ms. */
  readonly recordedAt: number;
}

/**
 * What the registry itself says of a settlement, now. `not_recorded`: nothing of the trade stands there. `mismatch`: something does, and not this record.
 * `unavailable`: the chain does not answer.
 */
export interface RegistryReading {
  readonly status: 'not_recorded' | 'verified' | 'mismatch' | 'unavailable';
  readonly transactions: readonly RecordingTransaction[];
}

/** @param hash of the settlement record, with 0x */
export async function readRegistry(env: RegistryReadEnv, tradeId: string, hash: string): Promise<RegistryReading> {
  const registry = registryOf(env);
  if (registry === null) return { status: 'not_recorded', transactions: [] };
  let records: readonly RegistryRecord[];
  try {
    records = await registry.recordsOf(tradeId);
  } catch {
    return { status: 'unavailable', transactions: await notedTransactions(env, tradeId) };
  }
  const isThere = records.some((record) => `0x${record.hash}` === hash);
  const status = records.length === 0 ? 'not_recorded' : isThere ? 'verified' : 'mismatch';
  return { status, transactions: distinct(records.flatMap(transactionOf)) };
}

function transactionOf({ transaction, blockNumber, recordedAt }: RegistryRecord): RecordingTransaction[] {
  return transaction === null ? [] : [{ transaction, blockNumber, recordedAt }];
}

/** As the recorder has noted them. */
async function notedTransactions({ DB }: RegistryReadEnv, tradeId: string): Promise<RecordingTransaction[]> {
  const noted = await listChainRecords(database(DB), tradeId);
  return distinct(
    noted.map(({ transaction, blockNumber, notedAt }) => ({ transaction, blockNumber, recordedAt: notedAt })),
  );
}

/** One transaction may have recorded a trade and its bust. */
function distinct(transactions: readonly RecordingTransaction[]): RecordingTransaction[] {
  return [...new Map(transactions.map((each) => [each.transaction, each])).values()];
}
