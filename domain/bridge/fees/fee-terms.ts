import type { TransferTerms } from '../transfer-terms.ts';

/** What stands as the account of terms whose funds are the fees that a vault has earned. It is no account of the ledger: those have UUIDs. */
export const FEES_ACCOUNT = 'fees';

/** A number of a vault's payouts of fees, and the generation of the contract's key. */
const FEES_REFERENCE = /^fees-(0|[1-9]\d{0,8})@[1-9]\d{0,8}$/;

/** Whether terms pay out fees that a vault has earned (docs/design/bridge/fees.md). */
export function isOfFees({ source }: Pick<TransferTerms, 'source'>): boolean {
  return source.kind === 'account' && source.account === FEES_ACCOUNT;
}

/** What references of payouts of fees begin with, and no others. */
export const FEES_PREFIX = 'fees-';

export function feesReference(number: number, generation: bigint | number): string {
  return `${FEES_PREFIX}${number}@${generation}`;
}

/** Which of its vault's payouts of fees a reference is; null where it is none. */
export function feesNumber(reference: string): number | null {
  const [, number] = FEES_REFERENCE.exec(reference) ?? [];
  return number === undefined ? null : Number(number);
}
