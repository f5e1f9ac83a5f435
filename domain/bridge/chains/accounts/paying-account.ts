import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { type PayingKey, transferKey, vaultKey } from './paying-key.ts';

/** Field of references on chains where each transfer has an account of its own: whose sequence it is. */
export const FROM = /vault|transfer/;

/**
 * Where an order's payment comes from: a payout from the vault, a refund from the transfer's own account, and what is cancelled from where it would have been paid.
 *
 * @param from as the reference says
 * @throws RangeError where the reference is of another account, or a transfer's own account would be emptied to anybody but the vault
 */
export function payingAccount(vault: Vault, order: PaymentOrder, from: string, home: string): PayingKey {
  const expected = order.kind === 'payout' ? 'vault' : order.kind === 'refund' ? 'transfer' : from;
  if (from !== expected) throw new RangeError('a reference of another account');
  if (from === 'vault') return vaultKey(vault);
  if (order.kind === 'cancel' && order.to !== home) throw new RangeError('what is swept goes to the vault alone');
  return transferKey(vault, order.commitment);
}

/** Which account the reference of an order has to be of. */
export function fromOf(kind: PaymentOrder['kind']): 'vault' | 'transfer' {
  return kind === 'payout' ? 'vault' : 'transfer';
}
