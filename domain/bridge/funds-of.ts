import type { Deposit } from './chains/chain-adapter.ts';
import type { Units } from './transfer-terms.ts';

/** Of the quoted amount, what nobody is known to have paid has to be one part in so many at least: who would settle a transfer of somebody else pays its payer that much. */
export const LEAST_PARTS = 10n;

/**
 * A transfer's funds among its deposits, oldest first: the first in the quoted amount, else the first that is no speck. Some chains do not tell who pays: there a stranger's speck takes nobody's place, and settles nothing
 * while the payer may still pay.
 *
 * @param isOver whether the quote has ended long ago: then whatever is there goes back
 */
export function fundsOf<Found extends Pick<Deposit, 'amount' | 'payer'>>(
  deposits: readonly Found[],
  quoted: Units,
  isOver: boolean,
): Found | undefined {
  const counted = deposits.filter((deposit) => isCounted(deposit, quoted));
  return deposits.find(({ amount }) => amount === quoted) ?? counted[0] ?? (isOver ? deposits[0] : undefined);
}

/** Whether a deposit is no speck. */
export function isCounted({ amount, payer }: Pick<Deposit, 'amount' | 'payer'>, quoted: Units): boolean {
  return payer !== undefined || BigInt(amount) * LEAST_PARTS >= BigInt(quoted);
}
