import { hexToBytes } from '@noble/curves/utils.js';
import { ripemd160 } from '@noble/hashes/legacy.js';
import { sha256 } from '@noble/hashes/sha2.js';
import {
  decodeAccountID,
  encodeAccountID,
  isValidClassicAddress,
  isValidXAddress,
  xAddressToClassicAddress,
} from 'ripple-address-codec';
import { isHex32 } from '../accounts/reference-record.ts';
import type { Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** An account, and the tag by which an exchange tells whose a payment is. */
export interface XrplRecipient {
  readonly account: string;
  readonly tag: number | null;
}

const TAG_MAX = 2n ** 32n - 1n;

/** Whether a text is a destination tag: a whole number, in digits alone. */
export function isXrplTag(text: string): boolean {
  return /^(0|[1-9][0-9]{0,9})$/.test(text) && BigInt(text) <= TAG_MAX;
}

/** Null where the text is no address of that network, or nobody has its key. An X-address names its network; a classic one is the same on all. */
export function xrplRecipient(text: string, network: Vault['network']): XrplRecipient | null {
  const recipient = recipientIn(text, network);
  if (recipient === null) return null;
  const { account } = recipient;
  return isKeyless({ chain: 'xrpl', network }, { text: account, bytes: decodeAccountID(account) }) ? null : recipient;
}

function recipientIn(text: string, network: Vault['network']): XrplRecipient | null {
  if (isValidClassicAddress(text)) return { account: text, tag: null };
  if (!isValidXAddress(text)) return null;
  const { classicAddress, tag, test } = xAddressToClassicAddress(text);
  if (test !== (network !== 'mainnet')) return null;
  return { account: classicAddress, tag: tag === false ? null : tag };
}

/** A key as transactions name it: those of Ed25519 begin with a byte of their own. */
export function xrplSigningKey(key: string): string {
  return `ED${key.toUpperCase()}`;
}

export function xrplAccountOf(key: string): string {
  if (!isHex32(key)) throw new RangeError('the vault has no Ed25519 key');
  return encodeAccountID(ripemd160(sha256(hexToBytes(xrplSigningKey(key)))));
}
