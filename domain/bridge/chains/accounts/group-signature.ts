import { ed25519 } from '@noble/curves/ed25519.js';
import { hexToBytes } from '@noble/curves/utils.js';
import type { MessageSignature } from '../chain-adapter.ts';

/**
 * The signature of a payment that has one message, once it is checked by the strict rules of RFC 8032: nothing leaves that some node could refuse.
 *
 * @param key Ed25519 key in hexadecimal, tweaked where the message's is
 * @throws RangeError where it is missing or wrong
 */
export function groupSignature(signatures: readonly MessageSignature[], message: Uint8Array, key: string): Uint8Array {
  const [first] = signatures;
  if (first === undefined || signatures.length !== 1) throw new RangeError('one message has one signature');
  if (first.kind !== 'group') throw new RangeError('this chain takes one signature of the cluster');
  if (!/^[0-9a-f]{128}$/.test(first.signature)) throw new RangeError('a signature has 128 hexadecimal digits');
  const signature = hexToBytes(first.signature);
  if (!ed25519.verify(signature, message, hexToBytes(key), { zip215: false }))
    throw new RangeError('the signature is not of this payment');
  return signature;
}
