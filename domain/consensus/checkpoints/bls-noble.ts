import { bls12_381 } from '@noble/curves/bls12-381.js';
import { BLS_PROOF_TAG, BLS_SIGNATURE_TAG, type BlsSuite } from './checkpoint-crypto.ts';

const { longSignatures: bls, G1 } = bls12_381;

/** BLS by @noble/curves: what the fast one is held against. */
export const nobleBls: BlsSuite = {
  keyPair(secret) {
    const publicKey = bls.getPublicKey(secret).toBytes();
    const sign = (message: Uint8Array, tag: string) => bls.Signature.toBytes(bls.sign(bls.hash(message, tag), secret));
    return {
      publicKey,
      sign: (message) => sign(message, BLS_SIGNATURE_TAG),
      prove: () => sign(publicKey, BLS_PROOF_TAG),
    };
  },

  isProved(publicKey, proof) {
    return or(false, () => bls.verify(signatureOf(proof), bls.hash(publicKey, BLS_PROOF_TAG), keyOf(publicKey)));
  },

  aggregate(signatures) {
    return or<Uint8Array | null>(null, () =>
      bls.Signature.toBytes(bls.aggregateSignatures(signatures.map(signatureOf))),
    );
  },

  fastAggregateVerify(publicKeys, message, signature) {
    return or(false, () => {
      const key = bls.aggregatePublicKeys(publicKeys.map(keyOf));
      return bls.verify(signatureOf(signature), bls.hash(message, BLS_SIGNATURE_TAG), key);
    });
  },
};

function keyOf(bytes: Uint8Array) {
  const key = G1.Point.fromBytes(bytes);
  key.assertValidity();
  if (key.is0()) throw new RangeError('the identity is no public key');
  return key;
}

function signatureOf(bytes: Uint8Array) {
  const signature = bls.Signature.fromBytes(bytes);
  signature.assertValidity();
  return signature;
}

/** The library throws for what is no point of its group. */
function or<T>(otherwise: T, make: () => T): T {
  try {
    return make();
  } catch {
    return otherwise;
  }
}
