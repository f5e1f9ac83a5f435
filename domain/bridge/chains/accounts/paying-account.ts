import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { type PayingKey, transferKey, vaultKey } from './paying-key.ts';

/** Field of references on chains where each transfer has an account of its own: whose sequence it is. */
export const FROM = /vault|transfer/;

/**
 * Where an order's payment comes from: a payout, and what cancels one, from the vault; a refund and a sweep from the transfer's own account, of which nothing is cancelled: it lapses.
 *
 * @param from as the reference says
 * @throws RangeError where the reference is of another account
 */
export function payingAccount(vault: Vault, order: PaymentOrder, from: string): PayingKey {
  if (from !== fromOf(order.kind)) throw new RangeError('a reference of another account');
  return from === 'vault' ? vaultKey(vault) : transferKey(vault, order.commitment);
}

/** Which account the reference of an order has to be of. */
export function fromOf(kind: PaymentOrder['kind']): 'vault' | 'transfer' {
  return kind === 'payout' || kind === 'cancel' ? 'vault' : 'transfer';
}

/**
 * Whom an order pays: a cancellation the account itself, and a sweep the vault's, whatever is stated.
 *
 * @param accounts addresses of the account that pays, and of the vault's
 * @throws RangeError where a sweep names somebody
 */
export function paidAccount(
  { kind, to }: PaymentOrder,
  accounts: { readonly own: string; readonly home: string },
): string {
  if (kind === 'cancel') return accounts.own;
  if (kind !== 'sweep') return to;
  if (to !== '') throw new RangeError('what is swept goes to the vault alone');
  return accounts.home;
}
