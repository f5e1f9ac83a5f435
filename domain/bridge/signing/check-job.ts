import type { ClusterKeys, Deposit, ReferenceCheck, UnsignedPayment, Vault } from '../chains/chain-adapter.ts';
import { namesTransfer } from '../chains/names-transfer.ts';
import { outpointsOf } from '../chains/outpoints.ts';
import { refundsFromDeposit } from '../chains/refunds-from-deposit.ts';
import { hasOneExternalSide } from '../external-chain.ts';
import { fundsOf } from '../funds-of.ts';
import { isEnough, isInScale, type TransferPlaces, vaultDigest } from '../places/transfer-places.ts';
import { RETURN_WAIT_MS } from '../return-wait.ts';
import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import type { PaidOutTransfer, SignerAnswer, SignerRefusal, SigningJob } from './bridge-signer.ts';
import type { CountedOrder } from './memory/day-bound.ts';
import { referencesOf, SIGNED_MAX, type SignedOrder, type TransferRecord } from './memory/transfer-record.ts';
import { debitDigest, paymentDigest, transactionDigest } from './payment-digest.ts';
import type { SignerEyes } from './signer-eyes.ts';
import { isAllButSpeck, sweepRefusal } from './sweep-refusal.ts';

/** Inputs of a payment that spends outputs, each of which is signed for. */
export const MESSAGES_MAX = 20;
const UNITS = /^(0|[1-9]\d{0,77})$/;

/** A signer's own view of what it is asked to sign. */
export interface CheckedJob {
  readonly unsigned: UnsignedPayment;
  readonly keys: ClusterKeys;
  /** Payments of the transfer that were signed before, and stand against this one no more. */
  readonly voided: readonly SignedOrder[];
  /** The vault that it is of (`vaultDigest`). */
  readonly vault: string;
  /** What takes a place of the day; null where it takes none. */
  readonly counted: CountedOrder | null;
  /** Whether it stands in the transfer's record: what refutes a recovery is of no transfer. */
  readonly isKept: boolean;
}

export interface JobChecks {
  readonly organization: string;
  readonly eyes: SignerEyes;
  /** Unix ms. */
  readonly now: number;
  /** What the signer remembers of the transfer, and whether it began once all five go by what the guard shows (`isUnderGuardRule`). */
  readonly record: TransferRecord & { readonly isUnderGuardRule?: boolean };
  /** Whether the bound of the day has a place for it (`hasPlace`). */
  readonly hasPlace: (counted: CountedOrder) => boolean;
  /** Whether a transfer has had its payout, by its commitment, as the signer has noted; what it sees it notes. */
  readonly paidOut: { readonly has: (commitment: string) => boolean; readonly note: (commitment: string) => void };
}

/**
 * Whether a signer may sign a payment (docs/design/bridge/signing.md#rules). It believes nothing of the job but what it is about: what its reference states is held against the signer's own
 * node, field by field.
 *
 * @throws Error where it cannot see now
 */
export async function checkJob(job: SigningJob, checks: JobChecks): Promise<SignerAnswer<CheckedJob>> {
  const { terms, payment, side } = job;
  const { eyes } = checks;
  const refusal =
    termsRefusal(terms, checks.organization) ??
    orderRefusal(job) ??
    (payment.kind === 'payout' ? placesRefusal(terms, await eyes.places(terms)) : null) ??
    (await standRefusal(job, checks)) ??
    // After the announcement: room is given back only before it, so no clearance is taken away that was seen behind it.
    (payment.kind === 'payout' ? await guardRefusal(job, checks) : null) ??
    (payment.kind === 'payout' ? await debitRefusal(job, eyes) : null) ??
    (payment.kind === 'payout' ? await coSignatureRefusal(job, eyes) : null) ??
    (payment.kind === 'payout' || isReturn(job) ? await payeeRefusal(job, eyes) : null);
  if (refusal !== null) return { ok: false, ...refusal };
  const places = await eyes.places(terms);
  const earlier = await earlierPayments(job, places, checks);
  if (!earlier.ok) return earlier;
  const spent = payment.kind === 'cancel' ? null : await spentOrVoid(terms, { side, payment }, checks);
  if (spent !== null) return { ok: false, ...spent };
  const ledgerPays = payment.kind === 'refund' ? await ledgerRefusal(terms, eyes) : null;
  if (ledgerPays !== null) return { ok: false, ...ledgerPays };
  const [keys, unsigned] = await Promise.all([eyes.vaultKeys(terms, side), built(job, eyes)]);
  if (unsigned === null) return { ok: false, ...never('the payment cannot be built') };
  const { messages } = unsigned;
  const isRight = messages.every(
    ({ bytes, tweak }) => isHex(bytes) && (tweak === null || /^[0-9a-f]{64}$/.test(tweak)),
  );
  if (messages.length === 0 || messages.length > MESSAGES_MAX || !isRight)
    return { ok: false, ...never('the payment has nothing to sign, or too much') };
  const shared = await sharedRefusal(job, unsigned, eyes);
  if (shared !== null) return { ok: false, ...shared };
  const reference = await eyes.checkReference(terms, side, payment);
  const stated = await referenceRefusal(job, reference, checks);
  if (stated !== null) return { ok: false, ...stated };
  const counted = await countedOrder(job, reference, checks);
  if (counted !== null && !checks.hasPlace(counted))
    return { ok: false, ...notYet('too many payments were cancelled within a day') };
  const isKept = counted === null || !counted.isCancel || !(await eyes.isRecovering(terms, side));
  const vault = vaultDigest(places[side]);
  return { ok: true, value: { keys, unsigned, voided: earlier.value, vault, counted, isKept } };
}

/**
 * Whether the signer's own node knows what the reference of a payment states, before the guard is shown it: whoever coordinates may have it of an indexer that errs, and what nobody can look up would be neither signed nor
 * void. What goes back has to be there, deep enough.
 *
 * @throws Error where it cannot see now
 */
export async function knownReference(
  job: SigningJob,
  checks: Pick<JobChecks, 'organization' | 'eyes' | 'now' | 'record'>,
): Promise<SignerAnswer<true>> {
  const { terms, payment, side } = job;
  const refusal =
    termsRefusal(terms, checks.organization) ??
    orderRefusal(job) ??
    (payment.kind === 'refund' ? await fundsRefusal(job, checks) : null);
  if (refusal !== null) return { ok: false, ...refusal };
  const { fault } = await checks.eyes.checkReference(terms, side, payment);
  return fault === null ? { ok: true, value: true } : { ok: false, ...faultRefusal(fault) };
}

/** Whether what is there, and what all signers see, is what such a payment goes by. */
async function standRefusal(job: SigningJob, checks: JobChecks): Promise<SignerRefusal | null> {
  const { kind } = job.payment;
  if (kind === 'cancel') return cancelRefusal(job, checks);
  if (kind !== 'sweep') return (await fundsRefusal(job, checks)) ?? announcedRefusal(job, checks);
  const { eyes, record, paidOut } = checks;
  const commitment = termsCommitment(job.terms);
  return sweepRefusal(job, eyes, {
    signed: record.signed,
    async isPaidOut() {
      if (paidOut.has(commitment)) return true;
      const told = job.paidOut?.find(({ terms }) => termsCommitment(terms) === commitment);
      const isSeen = await isPaidOut({ terms: job.terms, payment: told?.payment ?? null }, eyes);
      if (isSeen) paidOut.note(commitment);
      return isSeen;
    },
  });
}

/** The job as a signer takes it: a cancelled payment names nobody, whatever it was to pay. */
export function takenJob(job: SigningJob): SigningJob {
  if (job.payment.kind !== 'cancel') return job;
  const { memo: _, ...payment } = job.payment;
  return { ...job, payment: { ...payment, to: '', amount: '0' } };
}

/** Why terms are none of this signer's; null where they are. */
export function termsRefusal(terms: TransferTerms, organization: string): SignerRefusal | null {
  const { amount, fee, amountIn, amountOut, expiresAt } = terms;
  if (terms.organization !== organization) return never('another organization');
  if (!hasOneExternalSide(terms)) return never('not one of its sides is on another chain');
  const isWhole = [amount, fee, expiresAt].every((number) => Number.isSafeInteger(number) && number >= 0);
  if (!isWhole || fee >= amount || ![amountIn, amountOut].every((units) => UNITS.test(units) && units !== '0'))
    return never('amounts are none');
  return null;
}

/** Why what comes and goes is not what limits count; null where it is. */
export function scaleRefusal(terms: TransferTerms, places: TransferPlaces): SignerRefusal | null {
  return isInScale(terms, places) ? null : never('the amounts on chain are not the one that is counted');
}

/** Why a transfer of these terms is not paid out, whatever comes for it; null where it may be. */
export function placesRefusal(terms: TransferTerms, places: TransferPlaces): SignerRefusal | null {
  const refusal = scaleRefusal(terms, places);
  if (refusal !== null) return refusal;
  // Whoever coordinates writes ids: an old guard has room of its own, and what was raised since did not hold.
  if (places.isOutlived === true) return never('its places were replaced long ago');
  return isEnough(terms, places) ? null : never('it brings less than its lane asks for');
}

/**
 * The funds of a transfer as far as a payout may go by them (`fundsOf`), deep enough.
 *
 * @param seenAt when the signer first saw funds of that reference, which may be long before a block had them
 */
export function depositAnswer(
  terms: TransferTerms,
  deposits: readonly Deposit[],
  needed: number,
  seenAt: (reference: string) => number,
): SignerAnswer<{ readonly deposit: Deposit; readonly isAsQuoted: boolean; readonly isLate: boolean }> {
  const deposit = fundsOf(deposits, terms.amountIn, false);
  if (deposit === undefined) return { ok: false, ...notYet('no funds have come') };
  if (deposit.confirmations < needed) return { ok: false, ...shallow(deposit, needed) };
  const cameAt = Math.min(deposit.at ?? Number.POSITIVE_INFINITY, seenAt(deposit.reference));
  // A debit is made when its transfer begins, or never.
  const isLate = terms.source.kind === 'chain' && cameAt > terms.expiresAt;
  return { ok: true, value: { deposit, isAsQuoted: deposit.amount === terms.amountIn, isLate } };
}

/** Whether the order is one that the terms allow: where, to whom, how much. */
function orderRefusal({ terms, payment, side }: SigningJob): SignerRefusal | null {
  const { kind, commitment, reference, to, amount } = payment;
  if (commitment !== termsCommitment(terms)) return never('the payment is of another transfer');
  if (reference === '' || !UNITS.test(amount)) return never('the payment has no reference, or no amount');
  const place = terms[side];
  if (place.kind !== 'chain') return never('the ledger pays there');
  const memo = isReturn({ terms, payment }) || kind === 'sweep' ? undefined : place.memo;
  if (kind !== 'cancel' && payment.memo !== memo) return never('the payment carries another memo than stated');
  switch (kind) {
    case 'payout':
      if (side !== 'destination') return never('a payout goes to the destination');
      if (to !== place.address) return never('the payment goes to somebody else');
      return amount === terms.amountOut ? null : never('another amount is to be paid');
    case 'refund':
      // Whoever else is paid has to have paid in.
      return side === 'source' ? null : never('a refund goes to the source');
    case 'cancel':
      return to === '' ? null : never('a cancelled payment pays nobody');
    case 'sweep':
      if (side !== 'source') return never('what is paid in comes from the source');
      return to === '' ? null : never('what is swept goes to the vault alone');
    // A job may come past the form of calls: what is for payouts alone is not for this.
    default:
      return never('there is no such kind of payment');
  }
}

async function fundsRefusal(
  { terms, payment, deposit }: SigningJob,
  checks: Pick<JobChecks, 'eyes' | 'record' | 'now'>,
): Promise<SignerRefusal | null> {
  const { eyes, record, now } = checks;
  const seenAt = (reference: string) => record.seen.find((funds) => funds.reference === reference)?.at ?? now;
  const needed = await eyes.confirmationsNeeded(terms, 'source');
  if (isReturn({ terms, payment })) return returnRefusal({ terms, payment }, checks, needed);
  // What it has seen, and what a refund says that it spends, is looked up by itself: strangers may pay in so much that nothing else is found.
  const stated = payment.kind === 'refund' ? outpointsOf(payment.reference) : statedDeposit(deposit);
  const deposits = await eyes.funds(terms, undefined, [...referencesOf(record.seen), ...stated]);
  if (payment.kind === 'refund') return refundRefusal(payment.amount, deposits, needed);
  const funds = depositAnswer(terms, deposits, needed, seenAt);
  if (!funds.ok) return funds;
  const { isAsQuoted, isLate } = funds.value;
  if (!isAsQuoted) return never('another amount than quoted has come');
  return isLate ? never('the funds came too late') : null;
}

/** What whoever coordinates says that the funds are: the node says whether they are. */
export function statedDeposit(deposit: string | undefined): readonly string[] {
  return deposit === undefined ? [] : [deposit];
}

/** Whether a refund goes to somebody else than the payer of the terms: who has paid in all the same. */
export function isReturn({ terms: { source }, payment: { kind, to } }: Pick<SigningJob, 'terms' | 'payment'>): boolean {
  return kind === 'refund' && source.kind === 'chain' && to !== source.address;
}

/**
 * What somebody else has paid in goes back to them alone, by the word of the signer's own node, once the payer of the terms can no longer have the transfer paid. The payer's own funds come first: of a
 * transfer one payment is signed.
 */
async function returnRefusal(
  { terms, payment }: Pick<SigningJob, 'terms' | 'payment'>,
  { eyes, now }: Pick<JobChecks, 'eyes' | 'now'>,
  needed: number,
): Promise<SignerRefusal | null> {
  const deposits = await eyes.funds(terms, payment.to);
  const own = deposits.filter(({ payer }) => payer === payment.to);
  if (deposits.length > 0 && own.length === 0) return never('the payment goes to somebody else');
  if (now <= terms.expiresAt + RETURN_WAIT_MS) return notYet('its payer may still pay');
  const fault = refundRefusal(payment.amount, own, needed);
  if (fault !== null) return fault;
  return (await eyes.funds(terms)).length === 0 ? null : never('its own payer has paid');
}

/** Whatever has come whole goes back: which deposit the transfer took for its funds, no signer has to know. */
function refundRefusal(amount: string, deposits: readonly Deposit[], needed: number): SignerRefusal | null {
  if (deposits.length === 0) return notYet('no funds have come');
  const [deepest] = deposits
    .filter((deposit) => isWhole(amount, deposit))
    .toSorted((one, other) => other.confirmations - one.confirmations);
  if (deepest === undefined) return never('another amount than came would go back');
  return deepest.confirmations < needed ? shallow(deepest, needed) : null;
}

/**
 * To a balance a stranger may add between the reference of a refund, which fixes its amount, and its signatures. So a speck may stay behind; more than that changes the amount, and the next
 * refund takes it along.
 */
function isWhole(amount: string, { amount: there, isBalance }: Pick<Deposit, 'amount' | 'isBalance'>): boolean {
  return isBalance === true ? isAllButSpeck(amount, there) : amount === there;
}

async function guardRefusal({ terms }: SigningJob, { eyes, now }: JobChecks): Promise<SignerRefusal | null> {
  const clearance = await eyes.clearance(terms);
  if (clearance === null) return notYet('the guard has not counted it');
  if (clearance.amount !== terms.amount) return never('the guard has counted another amount');
  if (clearance.isVetoed) return never('it was vetoed');
  return now < clearance.clearAt ? notYet('it may still be challenged') : null;
}

/**
 * All signers see the same list of payments, so it is no matter who has signed which: one is signed once each before it is void.
 */
async function announcedRefusal(job: SigningJob, { eyes, record }: JobChecks): Promise<SignerRefusal | null> {
  const { terms, payment, side, earlier = [] } = job;
  const announced = await eyes.announced(terms);
  if (announced === null) return null;
  const number = announced.indexOf(paymentDigest(side, payment));
  if (number < 0) return notYet('the guard does not show the payment');
  for (const digest of announced.slice(0, number)) {
    const before = earlier.find((order) => paymentDigest(order.side, order.payment) === digest);
    if (before === undefined) return notYet('an earlier payment of the transfer is not told');
    // What the node cannot look at may be void all the same by what has become of its reference.
    if (await isSignedByNobody(terms, before, { eyes, record }).catch(() => false)) continue;
    const refusal = await standingRefusal(job, before, eyes);
    if (refusal !== null) return refusal;
  }
  return null;
}

/**
 * Whether what a payment's reference states is wrong for good by the signer's own node: no signer whose node tells the truth ever signs it, and two that lie are too few. So it is void, whatever becomes of
 * its reference. One that the signer has signed itself is none of these.
 */
async function isSignedByNobody(
  terms: TransferTerms,
  order: SignedOrder,
  { eyes, record }: Pick<JobChecks, 'eyes' | 'record'>,
): Promise<boolean> {
  if (record.signed.some((signed) => isSameOrder(signed, order))) return false;
  if (record.isUnderGuardRule === true && (await isShownForAnother(terms, order, eyes))) return true;
  const { fault } = await eyes.checkReference(terms, order.side, order.payment);
  return fault?.isForGood === true;
}

/**
 * Whether the guard was shown a transaction, which does not say whose payment it is, for another transfer first: nobody signs it for this one, and it pays that one. Where another guard was shown it for this one, it may have been
 * signed for this one.
 */
async function isShownForAnother(terms: TransferTerms, order: SignedOrder, eyes: SignerEyes): Promise<boolean> {
  const [own = null, ...others] = await shownGuards(terms, order, eyes);
  const { commitment } = order.payment;
  return own !== null && own !== commitment && !others.includes(commitment);
}

/** Whether any guard was shown the transaction for another transfer: then nobody can tell whom it pays. */
async function isClaimedByAnother(terms: TransferTerms, order: SignedOrder, eyes: SignerEyes): Promise<boolean> {
  return (await shownGuards(terms, order, eyes)).some((shown) => isAnother(shown, order.payment.commitment));
}

async function shownGuards(
  terms: TransferTerms,
  { side, payment }: SignedOrder,
  eyes: SignerEyes,
): Promise<readonly (string | null)[]> {
  const vault = (await eyes.places(terms))[side];
  if (vault === null || namesTransfer(vault)) return [];
  const unsigned = await built({ terms, side, payment }, eyes);
  return (unsigned && (await eyes.shownFor(terms, transactionDigest(unsigned)))) ?? [];
}

function isAnother(shown: string | null, commitment: string): boolean {
  return shown !== null && shown !== commitment;
}

/** Why a payment stands against another of the transfer; null where it is void, or has returned what somebody else has paid in, deep enough. */
async function standingRefusal(
  job: SigningJob,
  { side, payment }: SignedOrder,
  eyes: SignerEyes,
): Promise<SignerRefusal | null> {
  const { terms } = job;
  const status = await eyes.status(terms, side, payment);
  // Its payout is what makes a deposit the vault's, and what came since is swept by another.
  const isSweptAfter = job.payment.kind === 'sweep' && (payment.kind === 'sweep' || payment.kind === 'payout');
  if (status.state === 'paid' && !isSweptAfter && !(await paysOtherFundsBack(job, payment, eyes)))
    return never('the transfer was paid');
  if (status.state === 'unspent' || status.confirmations < (await eyes.confirmationsNeeded(terms, side)))
    return notYet('another payment of the transfer may still go through');
  return null;
}

/**
 * Whether a refund pays back what another payer has paid in than a return that has landed: two deposits, each of which goes back once. Nothing follows a payout, nor a refund to the payer of the terms.
 */
async function paysOtherFundsBack(
  { terms, payment }: SigningJob,
  landed: SignedOrder['payment'],
  eyes: SignerEyes,
): Promise<boolean> {
  if (payment.kind !== 'refund' || payment.to === landed.to || !isReturn({ terms, payment: landed })) return false;
  const isAgainReturn = isReturn({ terms, payment });
  const deposits = await eyes.funds(terms, isAgainReturn ? payment.to : undefined);
  const back = deposits.filter((deposit) => isWhole(payment.amount, deposit));
  // An address may have several forms: what has gone back is told by its deposits as well.
  const gone = new Set((await eyes.funds(terms, landed.to)).map(({ reference }) => reference));
  return (
    back.length > 0 &&
    // What several have signed names no payer: it was looked for as that of the terms, and no return pays it.
    back.every(
      ({ payer, reference }) => (payer !== undefined || !isAgainReturn) && payer !== landed.to && !gone.has(reference),
    )
  );
}

/** Why the reference of a payment is none that it can be paid by; null where it may be. @throws Error where the vault's network does not know such a reference */
async function spentRefusal(
  terms: TransferTerms,
  { side, payment }: SignedOrder,
  eyes: SignerEyes,
): Promise<SignerRefusal | null> {
  const status = await eyes.status(terms, side, payment);
  if (status.state === 'unspent') return null;
  if (status.confirmations < (await eyes.confirmationsNeeded(terms, side))) return notYet('its reference is spent');
  return never(status.state === 'paid' ? 'the transfer was paid' : 'its reference is spent');
}

/** The same. Where the node cannot say what has become of the reference, that may be so as there never was one: such a payment is void. */
async function spentOrVoid(
  terms: TransferTerms,
  order: SignedOrder,
  checks: Pick<JobChecks, 'eyes' | 'record'>,
): Promise<SignerRefusal | null> {
  try {
    return await spentRefusal(terms, order, checks.eyes);
  } catch (error) {
    if (!(await isSignedByNobody(terms, order, checks))) throw error;
    return { kind: 'refused', reason: 'its reference is wrong for good', isVoid: true };
  }
}

/** What the ledger was to pay goes back only once it can no longer pay it. */
async function ledgerRefusal(terms: TransferTerms, eyes: SignerEyes): Promise<SignerRefusal | null> {
  if (terms.destination.kind !== 'account') return null;
  return (await eyes.voidPayout(terms)) ? null : never('the transfer was paid');
}

async function coSignatureRefusal({ terms, coSignature }: SigningJob, eyes: SignerEyes): Promise<SignerRefusal | null> {
  if (!(await eyes.needsCoSignature(terms))) return null;
  if (coSignature === null) return notYet('the hardware module has not signed');
  return (await eyes.isCoSigned(terms, coSignature)) ? null : never('the hardware module has not signed this');
}

/** Who is paid may have begun to ask for a memo since. What goes back goes back: it would come to nobody while it waits. */
async function payeeRefusal({ terms, payment, side }: SigningJob, eyes: SignerEyes): Promise<SignerRefusal | null> {
  const fault = await eyes.payeeMemoFault(terms, side, payment);
  return fault && never(`the memo ${fault.reason}`);
}

/**
 * A cancellation costs a fee, and takes what its reference names for good. It is for a payment of this transfer that could be signed, by this very reference: one that the signer has signed
 * itself, or that the guard lists. The guard is not asked where the signer knows it, so an outage of the exchange's chain stops no cancellation of what was signed; the bound of the day holds then as well.
 */
async function cancelRefusal(job: SigningJob, checks: JobChecks): Promise<SignerRefusal | null> {
  const { terms, side, earlier = [] } = job;
  const { eyes, record } = checks;
  const vault = (await eyes.places(terms))[side];
  // Nothing would be left to give back.
  if (side === 'source' && vault !== null && refundsFromDeposit(vault))
    return never('what goes back out of its deposit is not cancelled');
  // What refutes a recovery is of no payment: that of a contract costs the vault nothing.
  if (hasSigned(record, job, vault) || (await eyes.isRecovering(terms, side))) return null;
  const announced = await eyes.announced(terms);
  const isListed = earlier.some(
    (order) => isCancelledBy(job, order) && announced?.includes(paymentDigest(order.side, order.payment)) === true,
  );
  return isListed ? null : notYet('no payment of this reference is known');
}

/** Whether a cancellation is of this payment. */
function isCancelledBy({ side, payment }: Pick<SigningJob, 'side' | 'payment'>, order: SignedOrder): boolean {
  return (
    order.side === side &&
    order.payment.kind !== 'cancel' &&
    order.payment.commitment === payment.commitment &&
    order.payment.reference === payment.reference
  );
}

/** Whether the signer has signed itself, for this vault, what the job cancels. */
function hasSigned(record: TransferRecord, job: SigningJob, vault: Vault | null): boolean {
  const isOwn = (order: SignedOrder) => isCancelledBy(job, order) && isOfVault(order, vault);
  return job.payment.kind === 'cancel' && record.signed.some(isOwn);
}

/** Whether a payment was signed for a vault. Of what was signed before vaults were kept nobody knows another one. */
function isOfVault({ vault: signedFor }: SignedOrder, vault: Vault | null): boolean {
  return signedFor === undefined || signedFor === vaultDigest(vault);
}

/**
 * What takes a place of the day: a cancellation of what the signer has not signed itself, which anybody may have made up, and a refund by a fee of a dearer day. What it has signed was bounded by what has
 * come in, and what is signed again costs nothing.
 */
async function countedOrder(
  job: SigningJob,
  reference: ReferenceCheck,
  { eyes, record }: JobChecks,
): Promise<CountedOrder | null> {
  const { terms, side, payment } = job;
  const isCancel = payment.kind === 'cancel';
  const isDear = reference.isDear === true;
  if (!isCancel && !isDear) return null;
  const vault = (await eyes.places(terms))[side];
  const isAgain = record.signed.some((signed) => isSameOrder(signed, { side, payment }) && isOfVault(signed, vault));
  if (isAgain || hasSigned(record, job, vault)) return null;
  return vault && { vault, order: paymentDigest(side, payment), isDear, isCancel };
}

/**
 * Bytes that do not say whose payment they are may be those of two transfers. A signer's memory alone would not tell (`isOfAnother`): two that lie could have them signed for each by another honest one. So all go by the transfer for
 * which the guard was shown them first, and by every guard that the signer keeps.
 */
async function sharedRefusal(
  { terms, payment, side }: SigningJob,
  unsigned: UnsignedPayment,
  eyes: SignerEyes,
): Promise<SignerRefusal | null> {
  const vault = (await eyes.places(terms))[side];
  // What pays nobody is nobody's, and what comes from a transfer's own account into the vault pays nobody else.
  if (payment.kind === 'cancel' || payment.kind === 'sweep' || vault === null || namesTransfer(vault)) return null;
  const shown = await eyes.shownFor(terms, transactionDigest(unsigned));
  // Without a list there is its memory alone, as of payments (`announcedRefusal`).
  if (shown === null) return null;
  if (shown.some((commitment) => isAnother(commitment, payment.commitment)))
    return never('the guard shows its transaction for another transfer');
  return shown[0] === payment.commitment ? null : notYet('the guard does not show its transaction');
}

/**
 * A debit of before named no terms: terms of its transfer's id with another payee have the same one. A signer's memory of what it has paid would not tell where two lie: each set of terms could have another honest signer. So
 * all go by the terms for which the guard was shown the debit first.
 */
async function debitRefusal({ terms, payment }: SigningJob, eyes: SignerEyes): Promise<SignerRefusal | null> {
  if (terms.source.kind !== 'account') return null;
  const shown = await eyes.shownFor(terms, debitDigest(terms));
  if (shown === null) return null;
  if (shown.some((commitment) => isAnother(commitment, payment.commitment)))
    return never('the guard shows its debit for other terms');
  return shown[0] === payment.commitment ? null : notYet('the guard does not show its debit');
}

/** Whether what the reference states is so by the signer's own node, and whose deposits it spends. */
async function referenceRefusal(
  job: SigningJob,
  { fault, spends }: ReferenceCheck,
  { eyes, record, paidOut: noted }: JobChecks,
): Promise<SignerRefusal | null> {
  const { terms, side, paidOut = [] } = job;
  if (fault !== null) return faultRefusal(fault);
  // What it has signed it has looked at, and a cancellation keeps all that it spends.
  if (hasSigned(record, job, (await eyes.places(terms))[side])) return null;
  for (const commitment of spends) {
    if (noted.has(commitment)) continue;
    const other = paidOut.find((each) => termsCommitment(each.terms) === commitment);
    if (other === undefined) return notYet('it spends the deposit of a transfer that is not told');
    if (other.terms.organization !== terms.organization) return never('it spends the deposit of another organization');
    if (!(await isPaidOut(other, eyes))) return notYet('it spends the deposit of a transfer that is not paid out');
    noted.note(commitment);
  }
  return null;
}

function faultRefusal({ reason, isForGood }: NonNullable<ReferenceCheck['fault']>): SignerRefusal {
  return isForGood ? { kind: 'refused', reason, isVoid: true } : notYet(reason);
}

/** Whether a transfer has had its payout, deep enough: only then is its deposit the vault's own. */
export async function isPaidOut({ terms, payment }: PaidOutTransfer, eyes: SignerEyes): Promise<boolean> {
  const { destination } = terms;
  if (destination.kind === 'account') return eyes.hasPaidOut(terms);
  const isItsPayout =
    payment?.kind === 'payout' &&
    payment.commitment === termsCommitment(terms) &&
    payment.to === destination.address &&
    payment.memo === destination.memo &&
    payment.amount === terms.amountOut;
  if (!isItsPayout || (await isClaimedByAnother(terms, { side: 'destination', payment }, eyes))) return false;
  const status = await eyes.status(terms, 'destination', payment);
  return status.state === 'paid' && status.confirmations >= (await eyes.confirmationsNeeded(terms, 'destination'));
}

/**
 * Of the payments that were signed before, those that stand against this one no more. Any other does. What was signed for another vault can be handed in there, whatever becomes of its reference here: nothing that this vault says
 * makes it void.
 */
async function earlierPayments(
  job: SigningJob,
  places: TransferPlaces,
  checks: JobChecks,
): Promise<SignerAnswer<SignedOrder[]>> {
  const { payment, side } = job;
  const { eyes, record } = checks;
  const isOfPlaces = (signed: SignedOrder) => isOfVault(signed, places[signed.side]);
  const others = record.signed.filter((signed) => !isSameOrder(signed, { side, payment }) || !isOfPlaces(signed));
  if (others.length >= SIGNED_MAX) return { ok: false, ...never('too many payments of one transfer') };
  if (payment.kind === 'cancel') return { ok: true, value: [] };
  const voided: SignedOrder[] = [];
  for (const other of others) {
    const isSameReference = other.side === side && other.payment.reference === payment.reference;
    if (isSameReference) return { ok: false, ...never('its reference was signed for something else') };
    if (other.payment.kind === 'cancel') continue;
    if (!isOfPlaces(other))
      return { ok: false, ...notYet('an earlier payment of the transfer was signed for another vault') };
    const refusal = await standingRefusal(job, other, eyes);
    if (refusal !== null) return { ok: false, ...refusal };
    voided.push(other);
  }
  return { ok: true, value: voided };
}

/** Whether a payment may follow those that were signed: each of them is void, a cancellation, or the same. */
export function mayFollow(record: TransferRecord, order: SignedOrder, voided: readonly SignedOrder[]): boolean {
  if (order.payment.kind === 'cancel') return true;
  return record.signed.every(
    (signed) =>
      (isSameOrder(signed, order) && (signed.vault ?? order.vault) === order.vault) ||
      (signed.payment.kind === 'cancel' &&
        !(signed.side === order.side && signed.payment.reference === order.payment.reference)) ||
      voided.some((gone) => isSameOrder(gone, signed)),
  );
}

export function isSameOrder(a: SignedOrder, b: SignedOrder): boolean {
  return paymentDigest(a.side, a.payment) === paymentDigest(b.side, b.payment);
}

/** Null where it cannot be built at all. */
async function built(
  { terms, side, payment }: Pick<SigningJob, 'terms' | 'side' | 'payment'>,
  eyes: SignerEyes,
): Promise<UnsignedPayment | null> {
  try {
    return await eyes.build(terms, side, payment);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}

function isHex(text: string): boolean {
  return /^([0-9a-f]{2})+$/.test(text);
}

function shallow({ confirmations }: Deposit, needed: number): SignerRefusal {
  return notYet(`funds have ${confirmations} of ${needed} confirmations`);
}

function notYet(reason: string): SignerRefusal {
  return { kind: 'not_yet', reason };
}

function never(reason: string): SignerRefusal {
  return { kind: 'refused', reason };
}
