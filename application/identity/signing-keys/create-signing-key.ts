import { calculateJwkThumbprint, exportJWK, generateKeyPair } from 'jose';
import { sealSecret } from '../../../data/identity/sealed-secret.ts';
import type { SigningKeyRow } from '../../../data/identity/signing-keys.ts';

export const SIGNING_ALGORITHM = 'ES256';

/** A fresh P-256 key pair, its private half sealed for D1. Its id is its RFC 7638 thumbprint. */
export async function createSigningKey(env: Env, now: number): Promise<SigningKeyRow> {
  const { publicKey, privateKey } = await generateKeyPair(SIGNING_ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  const kid = await calculateJwkThumbprint(publicJwk);
  return {
    kid,
    publicJwk: JSON.stringify({ ...publicJwk, kid, alg: SIGNING_ALGORITHM, use: 'sig' }),
    privateJwkCiphertext: await sealSecret(
      JSON.stringify(await exportJWK(privateKey)),
      env.IAM_KEY_ENCRYPTION_KEY,
      kid,
    ),
    createdAt: now,
    retiredAt: null,
  };
}
