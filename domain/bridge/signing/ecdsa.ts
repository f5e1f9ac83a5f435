import { secp256k1 } from '@noble/curves/secp256k1.js';

/** ECDSA over a digest with a nonce of RFC 6979 and a low S: 64 bytes r, s in hexadecimal. */
export function ecdsaSign(secretHex: string, digestHex: string): string {
  const signature = secp256k1.sign(bytes(digestHex), bytes(secretHex), { prehash: false, lowS: true });
  return Buffer.from(signature).toString('hex');
}

/** Whether it is a signature with a low S. What cannot be read is none. */
export function isEcdsaRight(keyHex: string, digestHex: string, signatureHex: string): boolean {
  try {
    return secp256k1.verify(bytes(signatureHex), bytes(digestHex), bytes(keyHex), { prehash: false, lowS: true });
  } catch {
    return false;
  }
}

/** The same with the recovery of the key: 65 bytes r, s, v in hexadecimal, v of 27 or 28, as `ecrecover` takes them. */
export function ecdsaSignRecoverable(secretHex: string, digestHex: string): string {
  const options = { prehash: false, lowS: true, format: 'recovered' } as const;
  const signature = Buffer.from(secp256k1.sign(bytes(digestHex), bytes(secretHex), options));
  return `${signature.subarray(1).toString('hex')}${(27 + (signature[0] ?? 0)).toString(16)}`;
}

/** The compressed key that made such a signature; null where none did. */
export function ecdsaRecover(digestHex: string, signatureHex: string): string | null {
  try {
    const signature = bytes(signatureHex);
    const v = signature[64];
    if (signature.length !== 65 || (v !== 27 && v !== 28)) return null;
    const recovered = Uint8Array.from([v - 27, ...signature.subarray(0, 64)]);
    if (secp256k1.Signature.fromBytes(recovered, 'recovered').hasHighS()) return null;
    const key = secp256k1.recoverPublicKey(recovered, bytes(digestHex), { prehash: false });
    return Buffer.from(key).toString('hex');
  } catch {
    return null;
  }
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  if (!/^([0-9a-f]{2})*$/.test(hex)) throw new RangeError('no hexadecimal digits');
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
