import type { Deposit, UnsignedPayment } from '../chains/chain-adapter.ts';
import { isCounted } from '../funds-of.ts';
import { placesDigest } from '../places/transfer-places.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../transfer.ts';
import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import { attestationDigest } from './attestation.ts';
import type {
  Attestation,
  BridgeSigner,
  NonceOffer,
  PaidOutTransfer,
  SignerAnswer,
  SignerShare,
  SigningJob,
} from './bridge-signer.ts';
import {
  type CheckedJob,
  checkJob,
  depositAnswer,
  isPaidOut,
  isSameOrder,
  knownReference,
  mayFollow,
  placesRefusal,
  scaleRefusal,
  statedDeposit,
  takenJob,
  termsRefusal,
} from './check-job.ts';
import { ecdsaSign } from './ecdsa.ts';
import { frostShare, newNonces } from './frost-signing.ts';
import { fundsClaim, fundsDigest } from './funds-claim.ts';
import { clusterKeys, type KeyShare, type PublicCluster, tweakedShare } from './key-share.ts';
import { countedChange, hasPlace } from './memory/day-bound.ts';
import { isUnderGuardRule, keepGuardRule } from './memory/guard-rule.ts';
import { IN_USE, isInUse } from './memory/in-use.ts';
import { findShare, sharesOf } from './memory/key-ring.ts';
import { isNotedPaidOut, paidOutChange } from './memory/paid-out.ts';
import { readSession, type SessionRecord, sessionChange } from './memory/session-record.ts';
import { debitChanges, isDebitOfAnother, isOfAnother, messageChanges } from './memory/signed-messages.ts';
import type { SignerMemory } from './memory/signer-memory.ts';
import { readTransfer, referencesOf, SEEN_MAX, type TransferRecord, transferChange } from './memory/transfer-record.ts';
import { messagesDigest, paymentDigest } from './payment-digest.ts';
import type { SignerEyes } from './signer-eyes.ts';
import { signAttestation, signerIdentity, statementDigest } from './signer-identity.ts';

const SCHEMES = ['frost-secp256k1', 'frost-taproot', 'frost-ed25519', 'multisig-secp256k1'] as const;
const SESSION = /^[\w.-]{1,64}$/;

export interface SignerHostParameters {
  readonly organization: string;
  /** 0 to 4. */
  readonly number: number;
  /** Encrypted (`SealedMemory`). */
  readonly memory: SignerMemory;
  readonly eyes: SignerEyes;
  readonly now: () => number;
}

const TWICE = 'another transfer is paid by the very same transaction';
const PAID_ANOTHER = 'its debit has paid other terms of the same id';
const FOREIGN_SOURCE = 'the vault of the source has a key that this signer has no share of';

/**
 * One signer of one organization. It looks for itself before each step, and what it must not forget is on disk before anything leaves: nonces before they are offered, that
 * they are gone and what is signed before the share. Between the last look and the share it does not pause, so two calls cannot use the same nonces.
 */
export class SignerHost implements BridgeSigner {
  readonly #own: SignerHostParameters;

  constructor(own: SignerHostParameters) {
    this.#own = own;
  }

  /** Public halves of its keys, each in its last generation. */
  async clusters(): Promise<readonly PublicCluster[]> {
    return SCHEMES.flatMap((scheme) => sharesOf(this.#own.memory, scheme)).map(({ cluster }) => cluster);
  }

  async knownPlaces(terms: TransferTerms): Promise<SignerAnswer<string>> {
    const { organization, eyes, memory } = this.#own;
    const refusal = termsRefusal(terms, organization);
    if (refusal !== null) return { ok: false, ...refusal };
    return this.#seen(async () => {
      const places = await eyes.places(terms);
      const isForeign = [places.source, places.destination].some(
        (vault) => vault !== null && findShare(memory, vault.keys) === null,
      );
      if (isForeign)
        return { ok: false, kind: 'refused', reason: 'a vault has a key that this signer has no share of' };
      const refused = placesRefusal(terms, places);
      return refused === null ? { ok: true, value: placesDigest(places) } : { ok: false, ...refused };
    });
  }

  async attestFunds(terms: TransferTerms, deposit?: string): Promise<SignerAnswer<Attestation>> {
    const { organization, eyes, memory, now } = this.#own;
    const refusal = termsRefusal(terms, organization);
    if (refusal !== null) return { ok: false, ...refusal };
    return this.#seen(async () => {
      if (!(await this.#isOwnSource(terms))) return { ok: false, kind: 'not_yet', reason: FOREIGN_SOURCE };
      const outOfScale = scaleRefusal(terms, await eyes.places(terms));
      if (outOfScale !== null) return { ok: false, ...outOfScale };
      const { seen } = readTransfer(memory, termsCommitment(terms));
      const deposits = await eyes.funds(terms, undefined, [...statedDeposit(deposit), ...referencesOf(seen)]);
      const record = this.#noted(terms, deposits);
      const seenAt = (reference: string) => record.seen.find((funds) => funds.reference === reference)?.at ?? now();
      const funds = depositAnswer(terms, deposits, await eyes.confirmationsNeeded(terms, 'source'), seenAt);
      if (!funds.ok) return funds;
      const { isAsQuoted, isLate } = funds.value;
      if (!isAsQuoted) return { ok: false, kind: 'refused', reason: 'another amount than quoted has come' };
      if (isLate) return { ok: false, kind: 'refused', reason: 'the funds came too late' };
      const place = await eyes.stake(terms);
      const claim = place === null ? null : fundsClaim(terms, place, this.#own.number);
      const digest = claim === null ? fundsDigest(terms) : attestationDigest(claim);
      const signature = signAttestation(signerIdentity(memory), digest);
      return { ok: true, value: { signer: this.#own.number, claim, digest, signature } };
    });
  }

  /** Writes down that a transfer is paid out, while the chain still tells it: its deposit is the vault's from here on. */
  async notePaidOut(paidOut: PaidOutTransfer): Promise<SignerAnswer<true>> {
    const { organization, eyes, memory } = this.#own;
    const refusal = termsRefusal(paidOut.terms, organization);
    if (refusal !== null) return { ok: false, ...refusal };
    const commitment = termsCommitment(paidOut.terms);
    return this.#seen(async () => {
      if (isNotedPaidOut(memory, commitment)) return { ok: true, value: true };
      if (!(await isPaidOut(paidOut, eyes))) return { ok: false, kind: 'not_yet', reason: 'it is not paid out' };
      memory.write([paidOutChange(commitment)]);
      return { ok: true, value: true };
    });
  }

  /** Whether its own node knows what a reference states. It signs nothing, and nothing follows from it but that it is asked to sign. */
  async knowsReference(job: SigningJob): Promise<SignerAnswer<true>> {
    const { organization, eyes, memory, now } = this.#own;
    return this.#seen(async () => {
      const record = readTransfer(memory, termsCommitment(job.terms));
      return knownReference(job, { organization, eyes, now: now(), record });
    });
  }

  async offer(asked: SigningJob, session: string): Promise<SignerAnswer<NonceOffer>> {
    if (!SESSION.test(session)) return { ok: false, kind: 'refused', reason: 'no session' };
    const job = takenJob(asked);
    return this.#seen(async () => {
      const checked = await this.#check(job);
      if (!checked.ok) return checked;
      const { share, unsigned } = checked.value;
      const { memory, number } = this.#own;
      const known = readSession(memory, session);
      if (known !== null) {
        if (known.job !== jobDigest(job, share))
          return { ok: false, kind: 'refused', reason: 'the session is of another job' };
        return { ok: true, value: known.offer };
      }
      const { cluster } = share;
      const made = cluster.scheme === 'multisig-secp256k1' ? [] : unsigned.messages.map(() => newNonces(share));
      const commitments = made.map(({ commitment }) => commitment);
      const offer: NonceOffer = { signer: number, session, generation: cluster.generation, commitments };
      const nonces = made.map(({ secret }) => secret);
      memory.write([sessionChange({ session, job: jobDigest(job, share), offer, nonces, answered: null })]);
      return { ok: true, value: offer };
    });
  }

  async sign(asked: SigningJob, session: string, offers: readonly NonceOffer[]): Promise<SignerAnswer<SignerShare>> {
    const job = takenJob(asked);
    return this.#seen(async () => {
      const checked = await this.#check(job);
      return checked.ok ? this.#signNow(job, session, offers, checked.value) : checked;
    });
  }

  /** Without a pause from the first read of its memory to the share. */
  #signNow(
    job: SigningJob,
    session: string,
    offers: readonly NonceOffer[],
    { share, unsigned, voided, vault, counted, isKept }: CheckedJob & { readonly share: KeyShare },
  ): SignerAnswer<SignerShare> {
    const { memory, now } = this.#own;
    const { terms, side, payment } = job;
    const known = readSession(memory, session);
    if (known?.job !== jobDigest(job, share)) return { ok: false, kind: 'refused', reason: 'no such session' };
    const commitment = termsCommitment(terms);
    const record = readTransfer(memory, commitment);
    const order = { side, payment, vault };
    if (!mayFollow(record, order, voided))
      return { ok: false, kind: 'not_yet', reason: 'another payment of the transfer was signed meanwhile' };
    if (counted !== null && known.answered === null && !hasPlace(memory, counted, now()))
      return { ok: false, kind: 'not_yet', reason: 'too many payments were cancelled meanwhile' };
    // What pays nobody is nobody's.
    if (payment.kind !== 'cancel' && isOfAnother(memory, commitment, unsigned))
      return { ok: false, kind: 'refused', reason: TWICE };
    if (payment.kind === 'payout' && isDebitOfAnother(memory, commitment, terms))
      return { ok: false, kind: 'refused', reason: PAID_ANOTHER };
    const isFrost = share.cluster.scheme !== 'multisig-secp256k1';
    const fault = isFrost ? offersFault(known, offers) : null;
    if (fault !== null) return { ok: false, kind: 'refused', reason: fault };
    const offered = isFrost ? JSON.stringify(offers) : '';
    if (known.answered !== null) {
      if (known.answered.offers !== offered)
        return { ok: false, kind: 'refused', reason: 'its nonces have answered other offers' };
      return { ok: true, value: known.answered.share };
    }
    const made = isFrost ? frostShares(share, unsigned, known, offers) : ecdsaShares(share, unsigned);
    if (made === null) return { ok: false, kind: 'refused', reason: 'an offer cannot be read' };
    const isNoted = !isKept || record.signed.some((earlier) => isSameOrder(earlier, order));
    const signed = isNoted ? record.signed : [...record.signed, order];
    memory.write([
      ...(counted === null ? [] : [countedChange(memory, counted, now())]),
      transferChange(commitment, { ...record, signed }),
      ...(payment.kind === 'cancel' ? [] : messageChanges(commitment, unsigned)),
      ...(payment.kind === 'payout' ? debitChanges(commitment, terms) : []),
      sessionChange({ ...known, nonces: null, answered: { offers: offered, share: made } }),
    ]);
    return { ok: true, value: made };
  }

  async #check(job: SigningJob): Promise<SignerAnswer<CheckedJob & { readonly share: KeyShare }>> {
    const { organization, eyes, memory, now } = this.#own;
    const commitment = termsCommitment(job.terms);
    keepGuardRule(memory, now());
    const checked = await checkJob(job, {
      organization,
      eyes,
      now: now(),
      record: {
        ...readTransfer(memory, commitment),
        isUnderGuardRule: isUnderGuardRule(memory, job.terms, now()),
      },
      hasPlace: (counted) => hasPlace(memory, counted, now()),
      paidOut: {
        has: (of) => isNotedPaidOut(memory, of),
        note: (of) => memory.write([paidOutChange(of)]),
      },
    });
    if (!checked.ok) return checked;
    if (job.payment.kind !== 'cancel' && isOfAnother(memory, commitment, checked.value.unsigned))
      return { ok: false, kind: 'refused', reason: TWICE };
    if (job.payment.kind === 'payout' && isDebitOfAnother(memory, commitment, job.terms))
      return { ok: false, kind: 'refused', reason: PAID_ANOTHER };
    if (job.builds !== undefined && job.builds !== messagesDigest(checked.value.unsigned))
      return { ok: false, kind: 'not_yet', reason: 'it would sign something else' };
    if (job.payment.kind === 'payout' && !(await this.#isOwnSource(job.terms)))
      return { ok: false, kind: 'refused', reason: FOREIGN_SOURCE };
    const share = findShare(memory, checked.value.keys);
    if (share === null)
      return { ok: false, kind: 'refused', reason: 'the vault has a key that this signer has no share of' };
    return { ok: true, value: { ...checked.value, share } };
  }

  /** Whether the vault that funds are paid into is the cluster's: of one that is somebody else's, funds would be paid for that are not there. */
  async #isOwnSource(terms: TransferTerms): Promise<boolean> {
    const { eyes, memory } = this.#own;
    return terms.source.kind === 'account' || findShare(memory, await eyes.vaultKeys(terms, 'source')) !== null;
  }

  /** Keeps when it first saw funds: chains do not always say when they came. */
  #noted(terms: TransferTerms, deposits: readonly Deposit[]): TransferRecord {
    const { memory, now } = this.#own;
    const commitment = termsCommitment(terms);
    const record = readTransfer(memory, commitment);
    const fresh = deposits
      // Specks would leave no room for the funds.
      .filter((deposit) => isCounted(deposit, terms.amountIn))
      .filter(({ reference }) => !record.seen.some((funds) => funds.reference === reference))
      .slice(0, SEEN_MAX - record.seen.length)
      .map(({ reference }) => ({ reference, at: now() }));
    if (fresh.length === 0) return record;
    const noted = { ...record, seen: [...record.seen, ...fresh] };
    memory.write([transferChange(commitment, noted), ...(isInUse(memory) ? [] : [IN_USE])]);
    return noted;
  }

  /** What it cannot see now it may see later. */
  async #seen<Value>(look: () => Promise<SignerAnswer<Value>>): Promise<SignerAnswer<Value>> {
    try {
      return await look();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      return { ok: false, kind: 'not_yet', reason: `it cannot see: ${reason.slice(0, 200)}` };
    }
  }
}

/** What a session is for: the payment, and the very key that signs it. */
function jobDigest({ terms, side, payment }: SigningJob, { cluster }: KeyShare): string {
  const key = [clusterKeys(cluster), cluster.generation];
  return statementDigest(['edge.bridge.job.v1', termsCommitment(terms), paymentDigest(side, payment), key]);
}

/** Three offers of the session, its own among them and unchanged; null where they are. */
function offersFault(known: SessionRecord, offers: readonly NonceOffer[]): string | null {
  if (offers.length !== CLUSTER_THRESHOLD) return `not ${CLUSTER_THRESHOLD} offers`;
  const { signer: own, session, generation, commitments } = known.offer;
  const numbers = offers.map(({ signer }) => signer);
  const areSigners = numbers.every((signer) => Number.isInteger(signer) && signer >= 0 && signer < CLUSTER_SIZE);
  if (!areSigners || new Set(numbers).size !== offers.length) return 'offers are not of three signers';
  const isOfSession = offers.every(
    (offer) =>
      offer.session === session && offer.generation === generation && offer.commitments.length === commitments.length,
  );
  if (!isOfSession) return 'offers are of another session or generation';
  const mine = offers.find(({ signer }) => signer === own)?.commitments ?? [];
  const isMine = commitments.every(
    ({ hiding, binding }, index) => mine[index]?.hiding === hiding && mine[index]?.binding === binding,
  );
  return mine.length === commitments.length && isMine ? null : 'its own offer is not among them';
}

/** Null where an offer is none. */
function frostShares(
  share: KeyShare,
  { messages }: UnsignedPayment,
  { nonces }: SessionRecord,
  offers: readonly NonceOffer[],
): SignerShare | null {
  if (nonces === null || nonces.length !== messages.length) return null;
  try {
    const shares = messages.map(({ bytes, tweak }, index) => {
      const offered = offers.map(({ signer, commitments }) => ({
        signer,
        hiding: commitments[index]?.hiding ?? '',
        binding: commitments[index]?.binding ?? '',
      }));
      const own = nonces[index] ?? { hiding: '', binding: '' };
      return frostShare(tweakedShare(share, tweak), own, offered, bytes);
    });
    return { kind: 'share', shares };
  } catch {
    return null;
  }
}

function ecdsaShares(share: KeyShare, { messages }: UnsignedPayment): SignerShare {
  const signatures = messages.map(({ bytes, tweak }) => ecdsaSign(tweakedShare(share, tweak).secret, bytes));
  return { kind: 'ecdsa', signatures };
}
