import type { Database } from '../../../data/database.ts';
import { dueReversals, recordReversal } from '../../../data/partner/register/reversals.ts';

/** Reversals of one run; the next one goes on. */
const REVERSALS_PER_RUN = 50;

/**
 * Gives back in the register what recorded transfers have moved whose trades were taken back since, of one security or of all. The ledger has moved with
 * the bust. A reversal waits until the buyer is registered with what goes back: it is pending until then.
 */
export async function reverseTransfers(db: Database, security: string | null, now: number): Promise<void> {
  for (const due of await dueReversals(db, security, REVERSALS_PER_RUN)) await recordReversal(db, due, now);
}
