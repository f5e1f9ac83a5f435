import { database } from '../../../data/database.ts';
import { listChainRecords } from '../../../data/settlements/chain-records.ts';
import { findAdjustmentOf } from '../../../data/settlements/settled-trades.ts';
import { adjustmentRecordHash } from '../../../domain/settlement/settlement-record.ts';
import { type RegistryRecord, registryOf } from '../../../durable-objects/chain/registry-client.ts';

type RegistryReadEnv = Pick<Env, 'DB' | 'REGISTRY_RPC_URL' | 'REGISTRY_ADDRESS'>;

/** A transaction that has recorded something of a trade. */
interface RecordingTransaction {
  readonly transaction: string;
  readonly blockNumber: number;
  /** Unix ms. */
  readonly recordedAt: number;
}

/** `not_recorded` also while its block is on the way to the chain. */
type AdjustmentStatus = 'not_recorded' | 'verified' | 'unavailable';

/**
 * What the registry itself says of a settlement, now. `not_recorded`: nothing of the trade stands there. `mismatch`: something does, and not this record.
 * `unavailable`: the chain does not answer.
 */
export interface RegistryReading {
  readonly status: 'not_recorded' | 'verified' | 'mismatch' | 'unavailable';
  /** Of what was made of the trade since; left out where nothing was. */
  readonly adjustmentStatus?: AdjustmentStatus;
  readonly transactions: readonly RecordingTransaction[];
}

/** @param hash of the settlement record, with 0x */
export async function readRegistry(env: RegistryReadEnv, tradeId: string, hash: string): Promise<RegistryReading> {
  const adjustment = await findAdjustmentOf(database(env.DB), tradeId);
  const adjusted = (adjustmentStatus: AdjustmentStatus) => (adjustment === null ? {} : { adjustmentStatus });
  const registry = registryOf(env);
  if (registry === null) return { status: 'not_recorded', ...adjusted('not_recorded'), transactions: [] };
  let records: readonly RegistryRecord[];
  try {
    records = await registry.recordsOf(tradeId);
  } catch {
    return { status: 'unavailable', ...adjusted('unavailable'), transactions: await notedTransactions(env, tradeId) };
  }
  const isThere = records.some((record) => `0x${record.hash}` === hash);
  const status = records.length === 0 ? 'not_recorded' : isThere ? 'verified' : 'mismatch';
  const isAdjusted = adjustment !== null && records.some((record) => record.hash === adjustmentRecordHash(adjustment));
  return {
    status,
    ...adjusted(isAdjusted ? 'verified' : 'not_recorded'),
    transactions: distinct(records.flatMap(transactionOf)),
  };
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
