import { schnorr } from '@noble/curves/secp256k1.js';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../transfer.ts';
import { evenShare, type KeyShare, type PublicCluster, tweakedShare } from '../key-share.ts';
import { type FrostScheme, type GroupPoint, type SigningSuite, suiteOf } from '../suites.ts';

/** A dealer's secret: coefficients of a polynomial of degree two, in hexadecimal; the first is what it shares. */
export interface Polynomial {
  readonly coefficients: readonly string[];
  readonly commitments: readonly string[];
}

/** @param secret what is shared; null for one of its own */
export function newPolynomial(scheme: FrostScheme, secret: string | null): Polynomial {
  const { frost, base, scalar, scalarHex } = suiteOf(scheme);
  const shared = secret === null ? undefined : Uint8Array.from(Buffer.from(secret, 'hex'));
  const made = frost.utils.generateSecretPolynomial({ min: CLUSTER_THRESHOLD, max: CLUSTER_SIZE }, shared);
  const coefficients = made.coefficients.map(scalarHex);
  return { coefficients, commitments: coefficients.map((hex) => base.multiply(scalar(hex)).toHex()) };
}

/** What a dealer gives a signer: the polynomial at the signer's number and one. */
export function shareFor(scheme: FrostScheme, { coefficients }: Polynomial, signer: number): string {
  const { order, scalar, scalarHex } = suiteOf(scheme);
  const x = BigInt(signer + 1);
  return scalarHex(coefficients.toReversed().reduce((sum, c) => (sum * x + scalar(c)) % order, 0n));
}

/** Whether a share lies on the polynomial that was committed to. */
export function isDealtShareRight(
  scheme: FrostScheme,
  commitments: readonly string[],
  signer: number,
  share: string,
): boolean {
  try {
    const suite = suiteOf(scheme);
    const points = commitments.map(suite.point);
    return suite.base.multiply(suite.scalar(share)).toHex() === valueAt(points, signer)?.toHex();
  } catch {
    return false;
  }
}

/** A dealer, and what it gave. */
export interface Dealt {
  readonly dealer: number;
  readonly commitments: readonly string[];
  readonly share: string;
}

/**
 * A signer's share of a new key: the sum of what five dealers gave. A key of Taproot commits to a script path that nobody can spend, as BIP-341 advises: one dealer
 * could otherwise have hidden one in it.
 */
export function combineNew(scheme: FrostScheme, generation: number, signer: number, dealt: readonly Dealt[]): KeyShare {
  const share = evenShare(combine(scheme, generation, signer, dealt, () => 1n));
  if (scheme !== 'frost-taproot') return share;
  const [key = ''] = share.cluster.commitments;
  const tweak = schnorr.utils.taggedHash('TapTweak', Buffer.from(key.slice(2), 'hex'));
  return tweakedShare(share, Buffer.from(tweak).toString('hex'));
}

/** A signer's share of the same key on another polynomial: the sum of what the dealers gave, as their own shares weigh. */
export function combineReshared(
  scheme: FrostScheme,
  generation: number,
  signer: number,
  dealt: readonly Dealt[],
): KeyShare {
  const { order } = suiteOf(scheme);
  const numbers = dealt.map(({ dealer }) => BigInt(dealer + 1));
  return combine(scheme, generation, signer, dealt, (dealer) => weightAtZero(numbers, BigInt(dealer + 1), order));
}

function combine(
  scheme: FrostScheme,
  generation: number,
  signer: number,
  dealt: readonly Dealt[],
  weightOf: (dealer: number) => bigint,
): KeyShare {
  const suite = suiteOf(scheme);
  const { order, scalar, scalarHex } = suite;
  const weights = dealt.map(({ dealer }) => weightOf(dealer));
  const secret = dealt.reduce((sum, { share }, index) => (sum + scalar(share) * (weights[index] ?? 0n)) % order, 0n);
  const commitments = Array.from({ length: CLUSTER_THRESHOLD }, (_, power) =>
    sum(dealt.map((each, index) => suite.point(each.commitments[power] ?? '').multiplyUnsafe(weights[index] ?? 0n))),
  );
  const cluster: PublicCluster = {
    scheme,
    generation,
    commitments: commitments.map((point) => point.toHex()),
    verifyingShares: Array.from({ length: CLUSTER_SIZE }, (_, number) => valueAt(commitments, number).toHex()),
  };
  checkPoints(suite, cluster);
  return { cluster, signer, secret: scalarHex(secret) };
}

/** Whether what a cluster's shares are checked against follows from what it is committed to. Keys of signers' own follow from nothing. */
export function hasSharesOfItsKey({ scheme, commitments, verifyingShares }: PublicCluster): boolean {
  if (scheme === 'multisig-secp256k1') return true;
  if (commitments.length !== CLUSTER_THRESHOLD || verifyingShares.length !== CLUSTER_SIZE) return false;
  try {
    const points = commitments.map(suiteOf(scheme).point);
    return verifyingShares.every((share, signer) => valueAt(points, signer).toHex() === share);
  } catch {
    return false;
  }
}

/** @throws Error where a key would be no key: the dealers' sums cancel each other out */
function checkPoints({ point }: SigningSuite, { commitments, verifyingShares }: PublicCluster): void {
  for (const hex of [...commitments, ...verifyingShares]) point(hex);
}

function valueAt(commitments: readonly GroupPoint[], signer: number): GroupPoint {
  const x = BigInt(signer + 1);
  return sum(commitments.map((point, power) => point.multiplyUnsafe(x ** BigInt(power))));
}

function sum([first, ...others]: readonly GroupPoint[]): GroupPoint {
  if (first === undefined) throw new RangeError('nothing to add');
  return others.reduce((total, point) => total.add(point), first);
}

/** Lagrange's coefficient at zero. */
function weightAtZero(numbers: readonly bigint[], own: bigint, order: bigint): bigint {
  const others = numbers.filter((number) => number !== own);
  const above = others.reduce((product, number) => (product * number) % order, 1n);
  const below = others.reduce((product, number) => (product * (number - own + order)) % order, 1n);
  return (above * power(below, order - 2n, order)) % order;
}

function power(base: bigint, exponent: bigint, order: bigint): bigint {
  let [result, square] = [1n, base];
  for (let rest = exponent; rest > 0n; rest >>= 1n) {
    if (rest & 1n) result = (result * square) % order;
    square = (square * square) % order;
  }
  return result;
}
