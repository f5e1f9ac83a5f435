import { ByteWriter, fromHex, type Hash, isHash, sha256, toHex } from './bytes.ts';

/** Members of a committee, K of the specification's consensus constants. */
export const COMMITTEE_SIZE = 20;
/** Signatures that make a block final: 80 % of the committee. Two such sets share at least 12 members. */
export const QUORUM = 16;
/** How far the epoch of a committee may be above that of the one before: a mistake, or a made-up committee, leaves room for those that follow. */
export const EPOCHS_AHEAD_MAX = 100;
/** Rounds of one attempt. */
export const ROUNDS_MAX = 10;

const BASIS_POINTS = 10_000;
const THRESHOLD_FIRST_BP = 5_500;
const THRESHOLD_GROWTH_BP = 1_000;

/**
 * Members that must prefer a block in this round, 0 to 9, for others to prefer it: 55 % of the committee at first, 65 % from the tenth round on,
 * rounded up. In integer basis points: in floating point 60 % of 20 is a little more than 12.
 */
export function preferencesNeeded(round: number): number {
  const growth_bp = Math.floor((THRESHOLD_GROWTH_BP * Math.min(ROUNDS_MAX, round)) / ROUNDS_MAX);
  return Math.ceil((COMMITTEE_SIZE * (THRESHOLD_FIRST_BP + growth_bp)) / BASIS_POINTS);
}

/** Who votes in an epoch. */
export interface Committee {
  /** From 1. */
  readonly epoch: number;
  /** Ed25519 public keys (RFC 8032), 32 bytes in hexadecimal, by the member's number. All differ. */
  readonly keys: readonly string[];
}

/** Null where it is one; else what is wrong. */
export function committeeFault({ epoch, keys }: Committee): string | null {
  if (!Number.isSafeInteger(epoch) || epoch < 1) return 'its epoch is no number above 0';
  if (keys.length !== COMMITTEE_SIZE) return `it has ${keys.length} members and not ${COMMITTEE_SIZE}`;
  if (!keys.every(isHash)) return 'a key is not 32 bytes in lower-case hexadecimal';
  if (new Set(keys).size !== keys.length) return 'two members have one key';
  return null;
}

/** Of committees that were hashed before: a member compares those that it believes at each question. */
const hashes = new WeakMap<Committee, Hash>();

/** Names a committee, which is never changed: SHA-256 over epoch and keys. */
export function committeeHash(committee: Committee): Hash {
  const known = hashes.get(committee) ?? computedHash(committee);
  hashes.set(committee, known);
  return known;
}

function computedHash({ epoch, keys }: Committee): Hash {
  const writer = new ByteWriter().tag('edge.committee.v1').u32(epoch).u32(keys.length);
  for (const key of keys) writer.bytes(fromHex(key));
  return toHex(sha256(writer.end()));
}
