import { database } from '../../data/database.ts';
import { findAdjustmentOf } from '../../data/settlements/settled-trades.ts';
import type { CheckpointProof } from '../../domain/consensus/checkpoints/checkpoint-proof.ts';
import type { Receipt, RecordProof } from '../../domain/consensus/receipt.ts';
import {
  adjustmentRecordHash,
  type Party,
  partyOpening,
  type SettledTrade,
  settlementRecord,
  settlementRecordHash,
} from '../../domain/settlement/settlement-record.ts';
import { checkpointerOf } from '../../durable-objects/checkpointer/api.ts';
import { sequencerOf } from '../../durable-objects/sequencer/api.ts';

type ReceiptEnv = Pick<Env, 'DB' | 'SEQUENCER' | 'CHECKPOINTER' | 'SETTLEMENT_SALT_KEY'>;

/**
 * What proves that a trade is final to whoever may know these sides of it, and what was made of it since, as D1 has it; null while one of the two is not final. With checkpoints,
 * where those are there or can be made at once.
 *
 * @throws Error where a final block has another record of the trade, or of its adjustment, than this
 */
export async function receiptOf(
  env: ReceiptEnv,
  trade: SettledTrade,
  known: readonly Party[],
): Promise<Receipt | null> {
  const settlement = settlementRecord(env.SETTLEMENT_SALT_KEY, trade);
  const record = await findAdjustmentOf(database(env.DB), trade.tradeId);
  const proof = await recordProof(env, trade.tradeId, settlementRecordHash(settlement));
  if (proof === null) return null;
  const parties = known.map((party) => partyOpening(env.SETTLEMENT_SALT_KEY, trade, party));
  const receipt = { ...proof, settlement, parties };
  if (record === null) return receipt;
  const adjusted = await recordProof(env, record.adjustmentId, adjustmentRecordHash(record));
  return adjusted === null ? null : { ...receipt, adjustment: { record, ...adjusted } };
}

/** Of a trade or an adjustment; null while it is not final. */
async function recordProof(env: ReceiptEnv, id: string, hash: string): Promise<RecordProof | null> {
  const proof = await sequencerOf(env).proof(id);
  if (proof === null) return null;
  const { recordHash, ...shown } = proof;
  if (hash !== recordHash) throw new Error(`the block of ${id} has another record of it`);
  return { ...shown, checkpoint: await checkpointOver(env, shown.headers) };
}

/** A receipt without it proves that its records are final all the same. */
async function checkpointOver(env: ReceiptEnv, [block]: RecordProof['headers']): Promise<CheckpointProof | undefined> {
  if (block === undefined) return undefined;
  const proof = await checkpointerOf(env)
    .proof(block.height)
    .catch(() => null);
  return proof ?? undefined;
}
