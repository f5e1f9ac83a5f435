import type { Deposit } from './chains/chain-adapter.ts';
import type { Units } from './transfer-terms.ts';

/**
 * A transfer's funds among its deposits, oldest first: the first in the quoted amount, else the first of all. Some chains do not tell who pays: there a stranger's speck takes nobody's place.
 */
export function fundsOf<Found extends Pick<Deposit, 'amount'>>(
  deposits: readonly Found[],
  quoted: Units,
): Found | undefined {
  return deposits.find(({ amount }) => amount === quoted) ?? deposits[0];
}
