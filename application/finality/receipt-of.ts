import type { CheckpointProof } from '../../domain/consensus/checkpoints/checkpoint-proof.ts';
import type { Receipt } from '../../domain/consensus/receipt.ts';
import {
  type Party,
  partyOpening,
  type SettledTrade,
  settlementRecord,
  settlementRecordHash,
} from '../../domain/settlement/settlement-record.ts';
import { checkpointerOf } from '../../durable-objects/checkpointer/api.ts';
import { sequencerOf } from '../../durable-objects/sequencer/api.ts';

type ReceiptEnv = Pick<Env, 'SEQUENCER' | 'CHECKPOINTER' | 'SETTLEMENT_SALT_KEY'>;

/**
 * What proves that a trade is final to whoever may know these sides of it; null while it is not final. With its checkpoint, where that is there or can be
 * made at once.
 *
 * @throws Error where the final block has another record of the trade than this
 */
export async function receiptOf(
  env: ReceiptEnv,
  trade: SettledTrade,
  known: readonly Party[],
): Promise<Receipt | null> {
  const proof = await sequencerOf(env).proof(trade.tradeId);
  if (proof === null) return null;
  const { recordHash, ...shown } = proof;
  const settlement = settlementRecord(env.SETTLEMENT_SALT_KEY, trade);
  if (settlementRecordHash(settlement) !== recordHash)
    throw new Error(`the block of trade ${trade.tradeId} has another record of it`);
  const parties = known.map((party) => partyOpening(env.SETTLEMENT_SALT_KEY, trade, party));
  return { ...shown, settlement, parties, checkpoint: await checkpointOver(env, shown.headers) };
}

/** A receipt without it proves that its trade is final all the same. */
async function checkpointOver(env: ReceiptEnv, [block]: Receipt['headers']): Promise<CheckpointProof | undefined> {
  if (block === undefined) return undefined;
  const proof = await checkpointerOf(env)
    .proof(block.height)
    .catch(() => null);
  return proof ?? undefined;
}
