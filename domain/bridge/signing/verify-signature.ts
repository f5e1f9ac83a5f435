import { ed25519 } from '@noble/curves/ed25519.js';
import { schnorr, secp256k1_FROST } from '@noble/curves/secp256k1.js';
import type { SigningScheme } from '../chains/chain-adapter.ts';
import { isEcdsaRight } from './ecdsa.ts';

/** Whether a signature is one of that key, as the chains of the scheme check it. Hexadecimal; what cannot be read is none. */
export function verifySignature(scheme: SigningScheme, key: string, message: string, signature: string): boolean {
  if (![key, message, signature].every((text) => /^([0-9a-f]{2})+$/.test(text))) return false;
  const [keyBytes, messageBytes, signatureBytes] = [bytes(key), bytes(message), bytes(signature)];
  try {
    switch (scheme) {
      case 'frost-secp256k1':
        return secp256k1_FROST.verify(signatureBytes, messageBytes, keyBytes);
      case 'frost-taproot':
        return schnorr.verify(signatureBytes, messageBytes, keyBytes);
      case 'frost-ed25519':
        return ed25519.verify(signatureBytes, messageBytes, keyBytes, { zip215: false });
      case 'multisig-secp256k1':
        return isEcdsaRight(key, message, signature);
    }
  } catch {
    return false;
  }
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
