import type { PaymentOrder, PaymentStatus } from '../chain-adapter.ts';

/**
 * What an order is whose reference a transaction has used, for good or not.
 *
 * @param spender `isThis`: what the order builds. `hasFailed`: it used the reference and did nothing
 * @throws Error where a cancelled reference paid somebody before: whoever asks does not know of that payment
 */
export function spentBy(
  { kind }: PaymentOrder,
  spender: { readonly isThis: boolean; readonly hasFailed: boolean },
  transaction: string,
  confirmations: number,
): PaymentStatus {
  const { isThis, hasFailed } = spender;
  if (kind !== 'cancel') return { state: isThis && !hasFailed ? 'paid' : 'void', transaction, confirmations };
  if (!isThis && !hasFailed) throw new Error('the reference was used by another payment');
  return { state: 'void', transaction, confirmations };
}
