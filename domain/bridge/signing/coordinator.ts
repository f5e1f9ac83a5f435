import type { MessageSignature, UnsignedPayment } from '../chains/chain-adapter.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../transfer.ts';
import type {
  BridgeSigner,
  NonceOffer,
  SignerAnswer,
  SignerRefusal,
  SignerShare,
  SigningJob,
  SigningOutcome,
} from './bridge-signer.ts';
import { isEcdsaRight } from './ecdsa.ts';
import { frostSignature, isFrostShareRight } from './frost-signing.ts';
import { clusterKeys, type PublicCluster, tweakedCluster } from './key-share.ts';
import { messagesDigest } from './payment-digest.ts';
import { groupOfScheme } from './suites.ts';
import { verifySignature } from './verify-signature.ts';

export interface SigningParameters {
  /** What all signers know of the cluster, of the generation that they sign with. */
  readonly cluster: PublicCluster;
  /** The five, by number. A call that does not answer in time has to throw. */
  readonly signers: readonly BridgeSigner[];
  readonly job: SigningJob;
  /** The payment as the coordinator builds it; signers build their own. */
  readonly unsigned: UnsignedPayment;
  /** A session for each try, never one that was used before. */
  readonly newSession: () => string;
  /** Whom to ask first, so that not always the same three sign; 0 to 4. */
  readonly first?: number;
}

/** A signer that took no part, and why. */
interface Excluded {
  readonly signer: number;
  readonly isCheater: boolean;
  /** It refuses for good. */
  readonly isForGood: boolean;
  readonly isVoid?: boolean;
  readonly reason: string;
}

/**
 * A payment's signatures by three of five. A signer that is away, refuses, or answers wrongly is left out of the next try, so there are three tries at most. Who gave a share
 * that does not fit what it offered is named; nothing that a coordinator does makes a signer sign anything but what it has checked.
 */
export async function signPayment(parameters: SigningParameters): Promise<SigningOutcome> {
  const { cluster, signers, first = 0 } = parameters;
  if (signers.length !== CLUSTER_SIZE) throw new RangeError(`a cluster has ${CLUSTER_SIZE} signers`);
  const order = signers.map((_, index) => (index + first) % CLUSTER_SIZE);
  const job = { ...parameters.job, builds: messagesDigest(parameters.unsigned) };
  const asked = { ...parameters, job };
  return cluster.scheme === 'multisig-secp256k1' ? collect(asked, order) : rounds(asked, order);
}

/** FROST: three offer nonces, and the same three sign. */
async function rounds(parameters: SigningParameters, order: readonly number[]): Promise<SigningOutcome> {
  const { signers, job, newSession } = parameters;
  const excluded: Excluded[] = [];
  for (;;) {
    const three = order.filter((number) => !isExcluded(excluded, number)).slice(0, CLUSTER_THRESHOLD);
    if (three.length < CLUSTER_THRESHOLD) return failed(excluded);
    const session = newSession();
    const heard = await ask(three, (number) => (signers[number] as BridgeSigner).offer(job, session));
    excluded.push(...heard.excluded);
    const offers = heard.values.map(([, offer]) => offer);
    const wrong = heard.values.filter(([number, offer]) => !isOfferRight(parameters, session, number, offer));
    excluded.push(...wrong.map(([signer]) => cheater(signer, 'its offer is none')));
    if (offers.length < CLUSTER_THRESHOLD || wrong.length > 0) continue;
    // Shares of two generations do not go together: whoever is behind waits.
    const behind = offers.filter(({ generation }) => generation !== parameters.cluster.generation);
    excluded.push(...behind.map(({ signer }) => absent(signer, 'it has another generation of the key')));
    if (behind.length > 0) continue;
    const given = await ask(three, (number) => (signers[number] as BridgeSigner).sign(job, session, offers));
    excluded.push(...given.excluded);
    const cheaters = given.values.filter(([number, share]) => !isShareRight(parameters, offers, number, share));
    excluded.push(...cheaters.map(([signer]) => cheater(signer, 'its share is wrong')));
    if (given.values.length < CLUSTER_THRESHOLD || cheaters.length > 0) continue;
    return signed(parameters, offers, given.values, excluded);
  }
}

/** Multisignature: each signs alone, and any three do. */
async function collect(parameters: SigningParameters, order: readonly number[]): Promise<SigningOutcome> {
  const { signers, job, newSession, unsigned } = parameters;
  const excluded: Excluded[] = [];
  const right: (readonly [number, readonly string[]])[] = [];
  const session = newSession();
  for (;;) {
    const asked = order
      .filter((number) => !isExcluded(excluded, number) && !right.some(([signer]) => signer === number))
      .slice(0, CLUSTER_THRESHOLD - right.length);
    if (right.length === CLUSTER_THRESHOLD) break;
    if (right.length + asked.length < CLUSTER_THRESHOLD) return failed(excluded);
    const heard = await ask(asked, async (number): Promise<SignerAnswer<SignerShare>> => {
      const signer = signers[number] as BridgeSigner;
      const offer = await signer.offer(job, session);
      return offer.ok ? signer.sign(job, session, [offer.value]) : offer;
    });
    excluded.push(...heard.excluded);
    for (const [number, share] of heard.values) {
      if (isShareRight(parameters, [], number, share) && share.kind === 'ecdsa') right.push([number, share.signatures]);
      else excluded.push(cheater(number, 'its signature is wrong'));
    }
  }
  const bySigner = right.toSorted(([a], [b]) => a - b);
  const signatures = unsigned.messages.map((_, index): MessageSignature => {
    return { kind: 'each', signatures: bySigner.map(([signer, all]) => ({ signer, signature: all[index] ?? '' })) };
  });
  return { ok: true, signatures, by: bySigner.map(([signer]) => signer), cheaters: cheatersOf(excluded) };
}

function signed(
  { cluster, unsigned }: SigningParameters,
  offers: readonly NonceOffer[],
  given: readonly (readonly [number, SignerShare])[],
  excluded: readonly Excluded[],
): SigningOutcome {
  const signatures: MessageSignature[] = [];
  for (const [index, { bytes, tweak }] of unsigned.messages.entries()) {
    const tweaked = tweakedCluster(cluster, tweak);
    const parts = given.map(([signer, share]) => ({ signer, share: shareAt(share, index) }));
    const signature = frostSignature(tweaked, offeredAt(offers, index), bytes, parts);
    if (!verifySignature(cluster.scheme, clusterKeys(tweaked).groupKey, bytes, signature))
      return failed(excluded, 'the signature is not one of the cluster’s key');
    signatures.push({ kind: 'group', signature });
  }
  const by = given.map(([signer]) => signer).toSorted((a, b) => a - b);
  return { ok: true, signatures, by, cheaters: cheatersOf(excluded) };
}

function isOfferRight(
  { cluster, unsigned }: SigningParameters,
  session: string,
  number: number,
  offer: NonceOffer,
): boolean {
  if (offer.signer !== number || offer.session !== session) return false;
  if (offer.commitments.length !== unsigned.messages.length) return false;
  return offer.commitments.every(({ hiding, binding }) => isNonce(cluster, hiding) && isNonce(cluster, binding));
}

function isNonce({ scheme }: PublicCluster, hex: string): boolean {
  try {
    groupOfScheme(scheme).point(hex);
    return true;
  } catch {
    return false;
  }
}

function isShareRight(
  { cluster, unsigned }: SigningParameters,
  offers: readonly NonceOffer[],
  number: number,
  share: SignerShare,
): boolean {
  const isMultisig = cluster.scheme === 'multisig-secp256k1';
  const parts = share.kind === 'share' ? share.shares : share.signatures;
  if ((share.kind === 'ecdsa') !== isMultisig || parts.length !== unsigned.messages.length) return false;
  return unsigned.messages.every(({ bytes, tweak }, index) => {
    const tweaked = tweakedCluster(cluster, tweak);
    const part = parts[index] ?? '';
    if (isMultisig) return isEcdsaRight(tweaked.verifyingShares[number] ?? '', bytes, part);
    return isFrostShareRight(tweaked, offeredAt(offers, index), bytes, number, part);
  });
}

function offeredAt(offers: readonly NonceOffer[], index: number) {
  return offers.map(({ signer, commitments }) => ({
    signer,
    hiding: commitments[index]?.hiding ?? '',
    binding: commitments[index]?.binding ?? '',
  }));
}

function shareAt(share: SignerShare, index: number): string {
  return (share.kind === 'share' ? share.shares : share.signatures)[index] ?? '';
}

async function ask<Value>(
  numbers: readonly number[],
  call: (number: number) => Promise<SignerAnswer<Value>>,
): Promise<{ values: (readonly [number, Value])[]; excluded: Excluded[] }> {
  const answers = await Promise.all(
    numbers.map(async (number): Promise<SignerAnswer<Value>> => {
      try {
        return await call(number);
      } catch (error) {
        return { ok: false, kind: 'not_yet', reason: error instanceof Error ? error.message : String(error) };
      }
    }),
  );
  return {
    values: answers.flatMap((answer, index) => (answer.ok ? [[numbers[index] as number, answer.value] as const] : [])),
    excluded: answers.flatMap((answer, index) => (answer.ok ? [] : [refusing(numbers[index] as number, answer)])),
  };
}

function failed(excluded: readonly Excluded[], what = 'too few signers'): SigningOutcome {
  const reasons = excluded.map(({ signer, reason }) => `signer ${signer}: ${reason}`).join('; ');
  const isSaid = (says: (each: Excluded) => boolean) => excluded.filter(says).length > CLUSTER_SIZE - CLUSTER_THRESHOLD;
  const isForGood = isSaid((each) => each.isForGood);
  const isVoid = isSaid((each) => each.isVoid === true);
  return { ok: false, reason: `${what}: ${reasons}`, cheaters: cheatersOf(excluded), isForGood, isVoid };
}

function cheatersOf(excluded: readonly Excluded[]): number[] {
  return excluded
    .filter(({ isCheater }) => isCheater)
    .map(({ signer }) => signer)
    .toSorted((a, b) => a - b);
}

function isExcluded(excluded: readonly Excluded[], number: number): boolean {
  return excluded.some(({ signer }) => signer === number);
}

function absent(signer: number, reason: string): Excluded {
  return { signer, isCheater: false, isForGood: false, reason };
}

function cheater(signer: number, reason: string): Excluded {
  return { signer, isCheater: true, isForGood: false, reason };
}

function refusing(signer: number, refusal: SignerRefusal): Excluded {
  const { kind, reason } = refusal;
  const isVoid = kind === 'refused' && refusal.isVoid === true;
  return { signer, isCheater: false, isForGood: kind === 'refused', isVoid, reason: `${kind} ${reason}` };
}
