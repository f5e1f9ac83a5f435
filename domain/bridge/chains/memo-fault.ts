import type { ChainAdapter, ChainView, PaymentOrder } from './chain-adapter.ts';

/** Who is paid, and what the payment has to carry for them. */
export interface Payee extends Pick<PaymentOrder, 'memo'> {
  readonly address: string;
}

/**
 * Why a payee cannot be paid with what is stated. `not_carried`: payments of that chain carry nothing for their payee. `in_address`: the address says itself what they carry. `wrong_form`:
 * it is no memo of that chain. `required`: the payee's account asks for one.
 */
export interface MemoFault {
  readonly kind: 'not_carried' | 'in_address' | 'wrong_form' | 'required';
  /** What follows "the memo", for the customer. */
  readonly reason: string;
}

/** What follows from the chain and the texts alone. */
export function memoFault({ payeeMemo }: Pick<ChainAdapter, 'payeeMemo'>, { address, memo }: Payee): MemoFault | null {
  if (memo === undefined) return null;
  if (payeeMemo === undefined)
    return { kind: 'not_carried', reason: 'cannot be carried: payments of this chain have no place for it' };
  if (payeeMemo.isInAddress?.(address) === true)
    return {
      kind: 'in_address',
      reason: 'cannot stand beside this address, which says itself what its payments carry',
    };
  return payeeMemo.isRight(memo)
    ? null
    : { kind: 'wrong_form', reason: `has another form than this chain’s: ${payeeMemo.form}` };
}

/** The same, and what the chain says of the payee. @throws Error where it has to be asked, and does not answer */
export async function payeeMemoFault(
  adapter: Pick<ChainAdapter, 'payeeMemo'>,
  view: Pick<ChainView, 'transport'>,
  payee: Payee,
): Promise<MemoFault | null> {
  const { payeeMemo } = adapter;
  if (payee.memo !== undefined) return memoFault(adapter, payee);
  return payeeMemo?.isAskedFor !== undefined && (await payeeMemo.isAskedFor(view, payee.address))
    ? { kind: 'required', reason: `is asked for by the payee’s account: state ${payeeMemo.form}` }
    : null;
}
