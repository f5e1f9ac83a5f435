import type { Vault } from '../chains/chain-adapter.ts';
import { earnsFees } from '../fees/earned-fee.ts';
import { feesNumber } from '../fees/fee-terms.ts';
import type { TransferPlaces } from '../places/transfer-places.ts';
import type { TransferTerms } from '../transfer-terms.ts';
import type { SignerAnswer, SignerRefusal, SigningJob } from './bridge-signer.ts';
import type { VaultFees } from './memory/vault-fees.ts';
import type { SignerEyes } from './signer-eyes.ts';

/** A signer's own sums of fees. */
export interface KnownFees {
  of(vault: Vault): VaultFees;
  /** Writes down what payouts of fees below `next` have paid. */
  notePaid(vault: Vault, paid: Pick<VaultFees, 'paid' | 'next'>): void;
}

interface FeesView {
  readonly eyes: Pick<SignerEyes, 'places' | 'confirmationsNeeded' | 'feesPaid'>;
  readonly fees: KnownFees;
}

/** Why fees are not paid out to where terms say; null where they may be: to the one address that is stated of their lane, by a vault whose fees are known. */
export function feesPlaceRefusal(
  { destination }: Pick<TransferTerms, 'destination'>,
  { destination: vault, least }: Pick<TransferPlaces, 'destination' | 'least'>,
): SignerRefusal | null {
  if (vault === null || !earnsFees(vault)) return never('the fees of that vault are not known');
  const isStated = destination.kind === 'chain' && destination.address.toLowerCase() === least?.feesTo?.toLowerCase();
  return isStated ? null : never('fees of its lane go to another address');
}

/**
 * What a vault has earned, and what has been paid of it: by the chain, where each number is used once, so that it is the same for all signers. Each counts for itself what was earned.
 *
 * @throws Error where it cannot see now
 */
export async function feesOf(terms: TransferTerms, { eyes, fees }: FeesView): Promise<SignerAnswer<VaultFees>> {
  const { destination: vault } = await eyes.places(terms);
  if (vault === null || !earnsFees(vault)) return { ok: false, ...never('the fees of that vault are not known') };
  const from = fees.of(vault).next;
  const found = await eyes.feesPaid(terms, from);
  if (found.next > from && found.confirmations < (await eyes.confirmationsNeeded(terms, 'destination')))
    return { ok: false, ...notYet('an earlier payout of fees is not deep enough') };
  // Without a pause from here on: another call may have looked as far meanwhile.
  const known = fees.of(vault);
  if (known.next === from && found.next > from)
    fees.notePaid(vault, { next: found.next, paid: known.paid + BigInt(found.paid) });
  const now = fees.of(vault);
  if (now.next !== found.next || found.isCut)
    return { ok: false, ...notYet('it has not looked at all earlier payouts of fees yet') };
  return { ok: true, value: now };
}

/**
 * Why the fees of a payout are not there; null where they are. Numbers follow each other: one is signed once each before it is used on the chain, deep enough. Two honest signers that each know of another
 * payout would else let through both, and together more than was earned.
 */
export async function feesRefusal(
  { terms, payment }: Pick<SigningJob, 'terms' | 'payment'>,
  view: FeesView,
): Promise<SignerRefusal | null> {
  const known = await feesOf(terms, view);
  if (!known.ok) return known;
  const { earned, paid, next } = known.value;
  const number = feesNumber(payment.reference) ?? -1;
  if (number < next) return never('another payout of fees has its number');
  if (number > next) return notYet('an earlier payout of fees is not settled');
  return paid + BigInt(payment.amount) > earned ? notYet('the vault has earned less') : null;
}

function notYet(reason: string): SignerRefusal {
  return { kind: 'not_yet', reason };
}

function never(reason: string): SignerRefusal {
  return { kind: 'refused', reason };
}
