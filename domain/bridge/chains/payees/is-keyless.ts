import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex } from '@noble/curves/utils.js';
import type { Vault } from '../chain-adapter.ts';
import type { ChainName } from '../chain-name.ts';
import { KEYLESS_ACCOUNTS, POLKADOT_MODULES, SYSTEM_RANGES } from './keyless-accounts.ts';
import { isPublished } from './published-keys.ts';

/** An account, as its chain's adapter read it from an address. */
export interface ReadAccount {
  /** As programs of the chain write it, without a tag or flags. */
  readonly text: string;
  /** The key or hash that it stands for; null of a name. */
  readonly bytes: Uint8Array | null;
  /** Whether those bytes are the Ed25519 key by which alone the account signs. */
  readonly isEd25519?: true;
}

/**
 * So many bytes of zeros, or of ones, at the beginning of a hash or key are no chance: the 96 bits are out of reach of whoever tries keys. Precompiles, objects of a system and numbers are all there.
 */
const PLAIN_BYTES = 12;
const ED25519_BYTES = 32;
/** Chains that write accounts with 32 or more different characters. There a text that repeats one to four of them for so long was chosen by a person, to whom no key of it can be known. */
const REPEATS = /(.)\1{11}|(..)\2{6}|(...)\3{4}|(....)\4{3}/;
const WITH_DIGITS_OF_HEX = /^(0x)?[0-9a-f]+$/i;
/** In hexadecimal the same is said of a whole account: one part of it four times or more, and nothing beside it. */
const REPEATS_IN_HEX = /^(.+?)\1{3,}$/;
/** Chains whose accounts a person writes in hexadecimal are all that are read so, except TON, whose accounts are written in base64. */
const HEX_IS_NOT_WRITTEN: readonly ChainName[] = ['ton'];

const listed = new Map<ChainName, ReadonlySet<string>>();

/**
 * Whether nobody can have the key of an account, or anybody can pay from it: what is paid to it is lost. Every adapter asks this of each address that it reads.
 *
 * @example isKeyless({ chain: 'xrpl', network: 'mainnet' }, { text: 'rrrrrrrrrrrrrrrrrrrrrhoLvTp', bytes: new Uint8Array(20) }) // true
 */
export function isKeyless(
  { chain, network }: Pick<Vault, 'chain' | 'network'>,
  { text, bytes, isEd25519 }: ReadAccount,
): boolean {
  if (isListed(chain, text.toLowerCase())) return true;
  if (bytes === null) return false;
  const hex = bytesToHex(bytes);
  if (network === 'mainnet' && isPublished(hex)) return true;
  if (isListed(chain, hex) || isPlain(bytes) || SYSTEM_RANGES[chain]?.test(hex)) return true;
  if (chain === 'polkadot' && POLKADOT_MODULES.some((prefix) => hex.startsWith(prefix))) return true;
  if (isChosen(chain, text, hex)) return true;
  return bytes.length === ED25519_BYTES && !isKey(bytes, isEd25519 === true);
}

/** Whether a person has written the account, rather than a program found it for a key. */
function isChosen(chain: ChainName, text: string, hex: string): boolean {
  if (!WITH_DIGITS_OF_HEX.test(text)) return REPEATS.test(text);
  return !HEX_IS_NOT_WRITTEN.includes(chain) && REPEATS_IN_HEX.test(hex);
}

function isListed(chain: ChainName, text: string): boolean {
  const known = listed.get(chain) ?? new Set(KEYLESS_ACCOUNTS[chain].map(({ of }) => of.toLowerCase()));
  listed.set(chain, known);
  return known.has(text);
}

function isPlain(bytes: Uint8Array): boolean {
  const [first] = bytes;
  return (first === 0 || first === 0xff) && bytes.subarray(0, PLAIN_BYTES).every((byte) => byte === first);
}

/** A point of small order is signed for by anybody. What is no point is signed for by nobody; of a chain whose accounts may be hashes that says nothing. */
function isKey(bytes: Uint8Array, hasToBePoint: boolean): boolean {
  try {
    if (ed25519.Point.fromBytes(bytes, true).isSmallOrder()) return false;
  } catch {
    return !hasToBePoint;
  }
  if (!hasToBePoint) return true;
  try {
    ed25519.Point.fromBytes(bytes);
    return true;
  } catch {
    return false;
  }
}
