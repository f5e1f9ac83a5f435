import { sweepsDeposits } from '../chains/sweeps-deposits.ts';
import type { SignerRefusal, SigningJob } from './bridge-signer.ts';
import type { SignedOrder } from './memory/transfer-record.ts';
import type { SignerEyes } from './signer-eyes.ts';

/** Of one transfer: each takes all that there is, so that more come of what fails, or of what strangers add. */
export const SWEEPS_MAX = 16;
/** Of a balance one part in so many may stay behind. */
const SPECK_PARTS = 1_000n;

/** What a signer goes by besides its eyes. */
interface SweepSight {
  readonly signed: readonly SignedOrder[];
  /** Whether the transfer has had its payout, deep enough, as it sees now or has noted. */
  readonly isPaidOut: () => Promise<boolean>;
}

/**
 * Why what lies in a transfer's own account is not brought into the vault's; null where it is (docs/design/bridge/signing.md#sweeps). Once the ledger has paid the transfer out, its deposit is owed to nobody: no refund of it is
 * signed any more, as that asks the ledger to take the payout away first. Whose vault it goes to is not asked: the signer builds it by its own places.
 */
export async function sweepRefusal(
  { terms, payment, side }: Pick<SigningJob, 'terms' | 'payment' | 'side'>,
  eyes: Pick<SignerEyes, 'places' | 'sweepable'>,
  { signed, isPaidOut }: SweepSight,
): Promise<SignerRefusal | null> {
  const vault = side === 'source' ? (await eyes.places(terms)).source : null;
  if (vault === null || !sweepsDeposits(vault)) return { kind: 'refused', reason: 'no deposits are swept there' };
  const others = signed.filter(
    (order) => order.payment.kind === 'sweep' && order.payment.reference !== payment.reference,
  );
  if (others.length >= SWEEPS_MAX) return { kind: 'refused', reason: 'its deposit was swept often enough' };
  if (!(await isPaidOut())) return { kind: 'not_yet', reason: 'its transfer is not paid out: the deposit may go back' };
  const isAll = isAllButSpeck(payment.amount, await eyes.sweepable(terms));
  return isAll ? null : { kind: 'not_yet', reason: 'another amount lies in its account' };
}

/** Whether so much is all of a balance, but for a speck: a stranger may add that between an order, which fixes its amount, and its signatures. */
export function isAllButSpeck(amount: string, there: string): boolean {
  const left = BigInt(there) - BigInt(amount);
  return left >= 0n && left * SPECK_PARTS <= BigInt(there);
}
