import { isHex32 } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { addressBytes } from './cardano-address.ts';
import { cardanoAddress } from './cardano-key.ts';
import { type CardanoReference, PRICES_MAX, readReference } from './cardano-reference.ts';
import { tokenOf } from './cardano-token.ts';
import { type CardanoOutput, feeOf, lovelaceMin, transactionBody } from './cardano-transaction.ts';

/** More than there will ever be. */
export const LOVELACE_MAX = 45_000_000_000_000_000n;
export const QUANTITY_MAX = 2n ** 64n - 1n;

export interface CardanoPayment {
  /** Transaction before it is signed, in hexadecimal. */
  readonly body: string;
  /** Whose keys sign it: each transfer whose funds it spends once, and null for the vault's own. */
  readonly signers: readonly (string | null)[];
  /** Whose payment it says it is; null for a cancellation, which pays nobody. */
  readonly named: string | null;
}

/** All that a payment spends. */
interface Spent {
  readonly lovelace: bigint;
  readonly quantity: bigint;
  /** Whether every output is of the order's own transfer. */
  readonly isOwn: boolean;
}

/**
 * The transaction of an order: what is paid, and the rest to the vault's own address.
 *
 * A refund of ADA pays its fee from what goes back. One of a token takes along the ADA that came with it, less the fee, unless that is too little or something else has to be spent:
 * then it has what its output needs at least, like every payout of a token, and the fee is the vault's. What cancels pays the highest fee that a payment may have, so that it
 * lands also where fees have risen since.
 *
 * @throws RangeError where the order cannot be built
 */
export function cardanoPayment(vault: Vault, order: PaymentOrder): CardanoPayment {
  const reference = readReference(order.reference);
  const { inputs } = reference;
  const signers = [...new Set(inputs.map(({ commitment }) => commitment))];
  const outputsAt = outputsOf(vault, order, reference);
  const named = order.kind === 'cancel' ? null : order.commitment;
  if (named !== null && !isHex32(named)) throw new RangeError('a commitment of another form');
  const fee = feeOf(inputs, outputsAt(0n), signers.length, named === null ? PRICES_MAX : reference, named);
  const outputs = outputsAt(fee);
  if (outputs.some((output) => output.lovelace < lovelaceMin(output, reference)))
    throw new RangeError('the amount is too small, or the inputs are');
  return { body: transactionBody(inputs, outputs, fee, named), signers, named };
}

/** @returns what the outputs are by the fee: the more it is, the less they are */
function outputsOf(vault: Vault, order: PaymentOrder, reference: CardanoReference): (fee: bigint) => CardanoOutput[] {
  const { lovelace, quantity, isOwn } = sumOf(reference, order.commitment);
  const home = addressBytes(cardanoAddress(vault, null), vault.network);
  if (vault.token === null && quantity !== 0n) throw new RangeError('the vault has no token');
  const output = outputOf(vault);
  if (order.kind === 'cancel') return (fee) => [output(home, lovelace - fee, quantity)];
  const to = addressBytes(order.to, vault.network);
  if (vault.token === null) {
    const amount = wholeUnits(order.amount, LOVELACE_MAX);
    if (order.kind === 'payout') return (fee) => [output(to, amount, 0n), output(home, lovelace - amount - fee, 0n)];
    const rest = lovelace === amount ? [] : [output(home, lovelace - amount, 0n)];
    return (fee) => [output(to, amount - fee, 0n), ...rest];
  }
  const amount = wholeUnits(order.amount, QUANTITY_MAX);
  const least = lovelaceMin(output(to, 0n, amount), reference);
  if (order.kind === 'refund' && isOwn && quantity === amount) return (fee) => [output(to, lovelace - fee, amount)];
  return (fee) => [output(to, least, amount), output(home, lovelace - least - fee, quantity - amount)];
}

function sumOf({ inputs }: CardanoReference, own: string): Spent {
  return {
    lovelace: inputs.reduce((sum, input) => sum + BigInt(input.lovelace), 0n),
    quantity: inputs.reduce((sum, input) => sum + BigInt(input.quantity), 0n),
    isOwn: inputs.every(({ commitment }) => commitment === own),
  };
}

function outputOf(vault: Vault): (address: string, lovelace: bigint, quantity: bigint) => CardanoOutput {
  const token = tokenOf(vault);
  return (address, lovelace, quantity) => ({
    address,
    lovelace,
    token: token === null || quantity === 0n ? null : { ...token, quantity },
  });
}
