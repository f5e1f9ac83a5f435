import { ml_dsa65 } from '@noble/post-quantum/ml-dsa.js';
import { ML_DSA_PUBLIC_KEY_BYTES, ML_DSA_SIGNATURE_BYTES, type MlDsaSuite } from './checkpoint-crypto.ts';

/** ML-DSA-65 by @noble/post-quantum. */
export const nobleMlDsa: MlDsaSuite = {
  keyPair(seed) {
    const { publicKey, secretKey } = ml_dsa65.keygen(seed);
    return {
      publicKey,
      sign: (message, context) => ml_dsa65.sign(message, secretKey, { context, extraEntropy: false }),
    };
  },

  verify(publicKey, message, signature, context) {
    if (publicKey.length !== ML_DSA_PUBLIC_KEY_BYTES || signature.length !== ML_DSA_SIGNATURE_BYTES) return false;
    return ml_dsa65.verify(signature, message, publicKey, { context });
  },
};
