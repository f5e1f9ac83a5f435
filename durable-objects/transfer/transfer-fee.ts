import { isWatchOver } from '../../domain/bridge/next-look.ts';
import type { TransferPorts } from './ports.ts';
import { feeCreditOf } from './transfer-orders.ts';
import type { PayingTransfer } from './transfer-payments.ts';
import type { TransferRecord } from './transfer-store.ts';

/** Whether its organization is still to be credited with what a transfer has earned: it was paid out, and its funds are there. */
export function isFeeOwed(record: TransferRecord): boolean {
  const { state, payment, funds } = record.transfer;
  const isEarned = state === 'confirmed' && payment?.kind === 'payout' && funds?.isLost === false;
  return isEarned && record.feeCreditedAt === undefined && feeCreditOf(record) !== null;
}

/** Credits it once its funds have been there for a day after the end. Its id lets the ledger do that once, so what was lost before it was noted is asked for again. */
export async function creditFee(
  { store, waitFor, point }: Pick<PayingTransfer, 'store' | 'waitFor' | 'point'>,
  ports: Pick<TransferPorts, 'ledger'>,
): Promise<void> {
  const record = store.begun;
  const credit = feeCreditOf(record);
  const now = Date.now();
  if (credit === null || !isFeeOwed(record) || !isWatchOver(record.transfer, { createdAt: record.createdAt, now }))
    return;
  await point('before fee');
  const outcome = await ports.ledger(credit).catch(() => null);
  await point('after fee');
  if (outcome?.type === 'done') return store.save({ feeCreditedAt: now });
  const why = outcome === null ? 'does not answer' : `refuses: ${outcome.type}`;
  waitFor(`its fee is not credited: the ledger ${why}`);
}
