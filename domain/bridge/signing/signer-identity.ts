import { createHash } from 'node:crypto';
import { secp256k1 } from '@noble/curves/secp256k1.js';
import { ecdsaSign, ecdsaSignRecoverable, isEcdsaRight } from './ecdsa.ts';
import type { SignerMemory } from './memory/signer-memory.ts';

/** A signer's own key: what it says is known by it, and what others send it is sealed to it. It moves no funds. */
export interface SignerIdentity {
  readonly secret: string;
  /** Compressed secp256k1, hexadecimal. */
  readonly key: string;
}

const OWN = 'own';

/** Made when first asked for, and the same for good. */
export function signerIdentity(memory: SignerMemory): SignerIdentity {
  const known = memory.read('identity', OWN);
  const secret = known ?? Buffer.from(secp256k1.utils.randomSecretKey()).toString('hex');
  if (known === null) memory.write([{ kind: 'identity', id: OWN, text: secret }]);
  return { secret, key: Buffer.from(secp256k1.getPublicKey(Buffer.from(secret, 'hex'))).toString('hex') };
}

/** Its word on a statement of a key ceremony. */
export function signStatement({ secret }: SignerIdentity, statement: readonly unknown[]): string {
  return ecdsaSign(secret, statementDigest(statement));
}

export function isStatementOf(key: string, statement: readonly unknown[], signature: string): boolean {
  return isEcdsaRight(key, statementDigest(statement), signature);
}

/** Its word as `ecrecover` takes it. */
export function signAttestation({ secret }: SignerIdentity, digest: string): string {
  return ecdsaSignRecoverable(secret, digest);
}

/** SHA-256 of the statement as JSON. Its first part names what it is. */
export function statementDigest(statement: readonly unknown[]): string {
  return createHash('sha256').update(JSON.stringify(statement)).digest('hex');
}
