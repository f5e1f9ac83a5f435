import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import type { Payment, Transfer } from '../../domain/bridge/transfer.ts';
import type { Place, TransferTerms } from '../../domain/bridge/transfer-terms.ts';

/** Fields of a transfer as answers and events of the bridge spell them. */

type PlaceOnWire =
  | { readonly account_id: string }
  | { readonly chain: ChainName; readonly address: string; readonly memo?: string };

export function placeOnWire(place: Place): PlaceOnWire {
  if (place.kind === 'account') return { account_id: place.account };
  const { chain, address, memo } = place;
  return { chain, address, ...(memo !== undefined && { memo }) };
}

/** The quote without who runs the signers: that is the tenant's. */
export function quoteOnWire(terms: TransferTerms) {
  return {
    amount_in: terms.amountIn,
    fee: feeIn(terms),
    amount_out: terms.amountOut,
    expires_at: new Date(terms.expiresAt).toISOString(),
  };
}

export function fundsOnWire(funds: Transfer['funds']) {
  return funds && { reference: funds.reference, amount: funds.amount, is_lost: funds.isLost };
}

export function paymentOnWire(payment: Pick<Payment, 'kind' | 'reference' | 'transaction'> | null) {
  return payment && { kind: payment.kind, reference: payment.reference, transaction: payment.transaction };
}

/** When its state ends by itself. */
export function waitsUntilOnWire({ state, expiresAt, until }: Pick<Transfer, 'state' | 'expiresAt' | 'until'>) {
  const at = state === 'awaiting_funds' ? expiresAt : until;
  return at === null ? null : new Date(at).toISOString();
}

/** The fee is counted in the ledger's decimals; a quote is exact in those of the source. */
function feeIn({ amount, amountIn, fee }: TransferTerms): string {
  return String((BigInt(amountIn) * BigInt(fee)) / BigInt(amount));
}
