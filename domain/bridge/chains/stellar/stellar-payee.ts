import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import type { PayeeFault } from '../payees/payee-fault.ts';

const Weight = z.int().min(0).max(255);
const Account = z.object({
  signers: z.array(z.object({ weight: Weight })),
  thresholds: z.object({ med_threshold: Weight }),
});

/** By what Horizon says of the account: whether all its signers together may make a payment. */
export function stellarAccountFault(answer: unknown): PayeeFault | null {
  const { signers, thresholds } = answerOf(Account, answer, 'an account');
  const weight = signers.reduce((sum, one) => sum + one.weight, 0);
  return weight >= Math.max(1, thresholds.med_threshold) ? null : 'locked';
}
