import { hkdfSync } from 'node:crypto';
import { ByteWriter, sha256 } from './bytes.ts';

/** The secrets of one member in one epoch, 32 bytes each. */
export interface MemberSecrets {
  /** Ed25519 private key (RFC 8032 section 5.1.5): of votes. */
  readonly ed25519: Uint8Array<ArrayBuffer>;
  /** BLS12-381 secret scalar, big-endian, above 0 and below the group's order: of checkpoints. */
  readonly bls: Uint8Array<ArrayBuffer>;
  /** Seed of an ML-DSA-65 key pair (FIPS 204 algorithm 6, ξ): of checkpoints. */
  readonly mlDsa: Uint8Array<ArrayBuffer>;
}

const SEED_BYTES = 32;
/** Order of the groups of BLS12-381 (draft-irtf-cfrg-pairing-friendly-curves section 4.2.1). */
const BLS_ORDER = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n;
const BLS_KEYGEN_BYTES = 48;

/**
 * Derives a member's secrets from its seed of 32 random bytes by HKDF-SHA-256 (RFC 5869) without a salt: the info names the kind of the key, the
 * epoch and the member, so no two of them share a secret. The same seed gives the same secrets.
 *
 * @param epoch of the committee, from 1
 * @param member its number in the committee
 */
export function memberSecrets(seed: Uint8Array, epoch: number, member: number): MemberSecrets {
  if (seed.length !== SEED_BYTES) throw new RangeError(`a seed has ${SEED_BYTES} bytes and not ${seed.length}`);
  const secret = (kind: string) => {
    const info = new ByteWriter().tag(`edge.member-secret.${kind}.v1`).u32(epoch).u32(member).end();
    return hkdf(seed, new Uint8Array(), info, SEED_BYTES);
  };
  return { ed25519: secret('ed25519'), bls: blsKeyGen(secret('bls')), mlDsa: secret('ml-dsa') };
}

/** KeyGen of draft-irtf-cfrg-bls-signature section 2.3, with no key_info: a secret scalar from at least 32 secret bytes. */
export function blsKeyGen(ikm: Uint8Array): Uint8Array<ArrayBuffer> {
  const material = Uint8Array.from([...ikm, 0]);
  const info = Uint8Array.of(0, BLS_KEYGEN_BYTES);
  let salt = new TextEncoder().encode('BLS-SIG-KEYGEN-SALT-') as Uint8Array;
  for (;;) {
    salt = sha256(salt);
    const scalar = bigEndian(hkdf(material, salt, info, BLS_KEYGEN_BYTES)) % BLS_ORDER;
    if (scalar !== 0n) return scalarBytes(scalar);
  }
}

function hkdf(key: Uint8Array, salt: Uint8Array, info: Uint8Array, length: number): Uint8Array<ArrayBuffer> {
  return new Uint8Array(hkdfSync('sha256', key, salt, info, length));
}

function bigEndian(bytes: Uint8Array): bigint {
  return bytes.reduce((value, byte) => (value << 8n) | BigInt(byte), 0n);
}

function scalarBytes(scalar: bigint): Uint8Array<ArrayBuffer> {
  return Uint8Array.from({ length: SEED_BYTES }, (_, at) => Number((scalar >> BigInt(8 * (31 - at))) & 0xffn));
}
