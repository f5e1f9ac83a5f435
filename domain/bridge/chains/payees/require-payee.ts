import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import type { chainCalls } from '../chain-calls.ts';
import { PAYEE_FAULTS } from './payee-fault.ts';

/**
 * A signer's own look at who is paid. What goes back goes where it came from, whatever has become of that account.
 *
 * @throws RangeError where nobody could use a payout
 * @throws Error where it cannot be seen now
 */
export async function requirePayee(
  { payeeFault }: Pick<ReturnType<typeof chainCalls>, 'payeeFault'>,
  vault: Vault,
  { kind, to }: Pick<PaymentOrder, 'kind' | 'to'>,
): Promise<void> {
  const fault = kind === 'payout' ? await payeeFault(vault, to) : null;
  if (fault !== null) throw new RangeError(`the address ${PAYEE_FAULTS[fault]}`);
}
