import { wholeUnits } from '../accounts/whole-units.ts';
import { InsufficientFunds, type PaymentOrder, type Vault } from '../chain-adapter.ts';
import { addressBytes } from './cardano-address.ts';
import { cardanoPayment, LOVELACE_MAX, QUANTITY_MAX } from './cardano-payment.ts';
import { INPUTS_MAX, outpoint, type ReferenceInput, writeReference } from './cardano-reference.ts';
import { type CardanoPrices, lovelaceMin } from './cardano-transaction.ts';

/**
 * The reference of the fewest outputs that pay an order and what cancels it: those with most of the vault's token first, until there is enough of it, then those with most ADA.
 * What a refund gives back of a token is out of its own deposit.
 *
 * @param free outputs that no other payment spends
 * @throws InsufficientFunds where they are too little
 * @throws RangeError where nothing could pay the order
 */
export function chosenInputs(
  vault: Vault,
  order: Omit<PaymentOrder, 'reference'>,
  free: readonly ReferenceInput[],
  prices: CardanoPrices,
): string {
  const amount = payableAmount(vault, order, prices);
  const wanted = vault.token === null ? 0n : amount;
  const chosen: ReferenceInput[] = [];
  for (let rest = free, quantity = 0n; chosen.length < INPUTS_MAX; ) {
    const next =
      quantity >= wanted
        ? largest(rest, 'lovelace')
        : largest(
            order.kind === 'refund' ? rest.filter((one) => one.commitment === order.commitment) : rest,
            'quantity',
          );
    if (next === undefined) break;
    chosen.push(next);
    quantity += BigInt(next.quantity);
    rest = rest.filter((one) => one !== next);
    const reference = writeReference(chosen, prices);
    const isEnough = isBuilt(vault, { ...order, reference }) && isBuilt(vault, { ...order, reference, kind: 'cancel' });
    if (isEnough) return reference;
  }
  throw new InsufficientFunds('the vault has too little that is confirmed and free');
}

/** @throws RangeError where the address is none, or the amount is none or below what an output has to hold */
function payableAmount(vault: Vault, order: Omit<PaymentOrder, 'reference'>, prices: CardanoPrices): bigint {
  if (order.kind === 'cancel') return 0n;
  const address = addressBytes(order.to, vault.network);
  if (vault.token !== null) return wholeUnits(order.amount, QUANTITY_MAX);
  const lovelace = wholeUnits(order.amount, LOVELACE_MAX);
  if (lovelace < lovelaceMin({ address, lovelace, token: null }, prices))
    throw new RangeError('an output has to hold more');
  return lovelace;
}

function largest(of: readonly ReferenceInput[], by: 'quantity' | 'lovelace'): ReferenceInput | undefined {
  const [first] = of.toSorted(
    (one, other) => compared(BigInt(other[by]), BigInt(one[by])) || compared(outpoint(one), outpoint(other)),
  );
  return first;
}

function compared<Of extends bigint | string>(one: Of, other: Of): number {
  return one < other ? -1 : Number(one > other);
}

function isBuilt(vault: Vault, order: PaymentOrder): boolean {
  try {
    cardanoPayment(vault, order);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
