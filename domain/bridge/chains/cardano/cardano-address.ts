import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { bech32 } from '@scure/base';
import { isHex32 } from '../accounts/reference-record.ts';
import type { Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

const KEY_HASH_BYTES = 28;
/** Type of an address of a key without a share in staking. */
const ENTERPRISE = 6;
/** Bytes by the type of an address: types 0 to 3 have two hashes, 6 and 7 one. */
const LENGTHS: ReadonlyMap<number, number> = new Map([
  [0, 57],
  [1, 57],
  [2, 57],
  [3, 57],
  [ENTERPRISE, 29],
  [7, 29],
]);
const CHARACTERS_MAX = 120;
/** Set in the first byte of an address that is paid to a script (CIP-19). */
const OF_SCRIPT = 0x10;

/** All networks but the main one have the same addresses. */
const NETWORKS: Readonly<Record<Vault['network'], { readonly tag: number; readonly prefix: string }>> = {
  mainnet: { tag: 1, prefix: 'addr' },
  testnet: { tag: 0, prefix: 'addr_test' },
  local: { tag: 0, prefix: 'addr_test' },
};

/** The address of a key alone: Blake2b-224 of it (CIP-19, type 6). */
export function addressOfKey(key: string, network: Vault['network']): string {
  if (!isHex32(key)) throw new RangeError('no Ed25519 key');
  const hash = blake2b(hexToBytes(key), { dkLen: KEY_HASH_BYTES });
  return written(Uint8Array.of((ENTERPRISE << 4) | NETWORKS[network].tag, ...hash), network);
}

/**
 * The bytes of an address that is paid, in hexadecimal (CIP-19). Addresses with a pointer (types 4 and 5) are refused, as Conway gives them no stake any more; those of before
 * Shelley as well, in which the main network is not named; and those of rewards, which nobody pays.
 *
 * @throws RangeError where it is none of the network, or nobody has its key
 */
export function addressBytes(text: string, network: Vault['network']): string {
  const { tag, prefix } = NETWORKS[network];
  try {
    const decoded = bech32.decode(text as `${string}1${string}`, CHARACTERS_MAX);
    const bytes = bech32.fromWords(decoded.words);
    const [header = 0xff] = bytes;
    const isWhole = decoded.prefix === prefix && (header & 0x0f) === tag && LENGTHS.get(header >> 4) === bytes.length;
    const paid = bytes.subarray(1, 1 + KEY_HASH_BYTES);
    if (isWhole && !isKeyless({ chain: 'cardano', network }, { text, bytes: paid })) return bytesToHex(bytes);
  } catch {
    // What it is not is all that matters.
  }
  throw new RangeError('no address of the network');
}

/** Whose key or script an address is paid to, whatever its share in staking. @throws RangeError as `addressBytes` */
export function paidHash(
  text: string,
  network: Vault['network'],
): { readonly hash: string; readonly isScript: boolean } {
  const bytes = hexToBytes(addressBytes(text, network));
  const [header = 0] = bytes;
  return { hash: bytesToHex(bytes.subarray(1, 1 + KEY_HASH_BYTES)), isScript: (header & OF_SCRIPT) !== 0 };
}

/** An address as wallets write it: in small letters. */
export function canonicalAddress(text: string, network: Vault['network']): string | null {
  try {
    return written(hexToBytes(addressBytes(text, network)), network);
  } catch {
    return null;
  }
}

function written(bytes: Uint8Array, network: Vault['network']): string {
  return bech32.encode(NETWORKS[network].prefix, bech32.toWords(bytes), CHARACTERS_MAX);
}
