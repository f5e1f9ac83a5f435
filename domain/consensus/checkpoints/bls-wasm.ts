import { toHex } from '../bytes.ts';
import { BlsModule, type Frame } from './bls-module.ts';
import { BLS_PROOF_TAG, BLS_PUBLIC_KEY_BYTES, BLS_SIGNATURE_BYTES, type BlsSuite } from './checkpoint-crypto.ts';

const SCALAR_BYTES = 32;
/** Points in the module's memory have three coordinates. */
const G1_BYTES = 3 * 48;
const G2_BYTES = 3 * 96;
const PROOF_TAG = new TextEncoder().encode(BLS_PROOF_TAG);
/** Keys whose points are remembered: those of some committees. */
const KEYS_MAX = 256;

/**
 * BLS by the WebAssembly module of bls-eth-wasm.
 *
 * @param module the compiled `bls.wasm`: bundled with a Worker, which may compile none itself, or compiled by whoever reads the file
 */
export function wasmBls(module: object): BlsSuite {
  const bls = new BlsModule(module);
  const { calls } = bls;
  const points = new Map<string, Uint8Array>();

  /** The point of a key, checked once: the check of a key takes as long as half of a signature's. */
  const keyPoint = (frame: Frame, key: Uint8Array): Uint8Array => {
    const name = toHex(key);
    const known = points.get(name);
    if (known !== undefined) return known;
    const place = frame.take(G1_BYTES);
    const isKey =
      key.length === BLS_PUBLIC_KEY_BYTES &&
      calls.blsPublicKeyDeserialize(place, frame.put(key), key.length) === key.length &&
      calls.blsPublicKeyIsZero(place) === 0;
    if (!isKey) throw new RangeError('no public key');
    if (points.size >= KEYS_MAX) points.clear();
    const point = frame.read(place, G1_BYTES);
    points.set(name, point);
    return point;
  };

  const putSignature = (frame: Frame, signature: Uint8Array, place = frame.take(G2_BYTES)): number => {
    const isSignature =
      signature.length === BLS_SIGNATURE_BYTES &&
      calls.blsSignatureDeserialize(place, frame.put(signature), signature.length) === signature.length;
    if (!isSignature) throw new RangeError('no signature');
    return place;
  };

  const putSecret = (frame: Frame, secret: Uint8Array): number => {
    const place = frame.take(SCALAR_BYTES);
    const isSecret =
      secret.length === SCALAR_BYTES &&
      calls.blsSecretKeyDeserialize(place, frame.put(secret), SCALAR_BYTES) === SCALAR_BYTES &&
      calls.blsSecretKeyIsZero(place) === 0;
    if (!isSecret) throw new RangeError('no secret scalar');
    return place;
  };

  /** What a proof of possession of this key multiplies. */
  const putProofPoint = (frame: Frame, key: Uint8Array): number => {
    const [place, bytes, tag] = [frame.take(G2_BYTES), frame.put(key), frame.put(PROOF_TAG)];
    if (calls.mclBnG2_hashAndMapToWithDst(place, bytes, key.length, tag, PROOF_TAG.length) !== 0)
      throw new Error('the module does not hash');
    return place;
  };

  const readSignature = (frame: Frame, signature: number): Uint8Array => {
    const place = frame.take(BLS_SIGNATURE_BYTES);
    return frame.read(place, calls.blsSignatureSerialize(place, BLS_SIGNATURE_BYTES, signature));
  };

  /** Something else for what is no key or no signature. */
  const or = <T>(otherwise: T, make: (frame: Frame) => T): T => {
    try {
      return bls.frame(make);
    } catch (error) {
      if (error instanceof RangeError) return otherwise;
      throw error;
    }
  };

  return {
    keyPair(secret) {
      const own = Uint8Array.from(secret);
      const publicKey = bls.frame((frame) => {
        const [key, place] = [frame.take(G1_BYTES), frame.take(BLS_PUBLIC_KEY_BYTES)];
        calls.blsGetPublicKey(key, putSecret(frame, own));
        return frame.read(place, calls.blsPublicKeySerialize(place, BLS_PUBLIC_KEY_BYTES, key));
      });
      return {
        publicKey,
        sign: (message) =>
          bls.frame((frame) => {
            const signature = frame.take(G2_BYTES);
            calls.blsSign(signature, putSecret(frame, own), frame.put(message), message.length);
            return readSignature(frame, signature);
          }),
        prove: () =>
          bls.frame((frame) => {
            const proof = frame.take(G2_BYTES);
            calls.mclBnG2_mulCT(proof, putProofPoint(frame, publicKey), putSecret(frame, own));
            return readSignature(frame, proof);
          }),
      };
    },

    isProved(publicKey, proof) {
      return or(false, (frame) => {
        const [key, signature] = [frame.put(keyPoint(frame, publicKey)), putSignature(frame, proof)];
        return calls.blsVerifyPairing(signature, putProofPoint(frame, publicKey), key) === 1;
      });
    },

    aggregate(signatures) {
      if (signatures.length === 0) return null;
      return or<Uint8Array | null>(null, (frame) => {
        const [sum, all] = [frame.take(G2_BYTES), frame.take(G2_BYTES * signatures.length)];
        for (const [at, signature] of signatures.entries()) putSignature(frame, signature, all + at * G2_BYTES);
        calls.blsAggregateSignature(sum, all, signatures.length);
        return readSignature(frame, sum);
      });
    },

    fastAggregateVerify(publicKeys, message, signature) {
      return or(false, (frame) => {
        const sum = putSignature(frame, signature);
        const keys = frame.put(...publicKeys.map((key) => keyPoint(frame, key)));
        return calls.blsFastAggregateVerify(sum, keys, publicKeys.length, frame.put(message), message.length) === 1;
      });
    },
  };
}
