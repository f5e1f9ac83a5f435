import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import { isEcdsaRight } from './ecdsa.ts';
import { statementDigest } from './signer-identity.ts';

/** 32 bytes in hexadecimal: what a hardware module signs for a transfer. */
export function coSignatureDigest(terms: TransferTerms): string {
  return statementDigest(['edge.bridge.cosign.v1', terms.organization, termsCommitment(terms)]);
}

/**
 * Whether one of an organization's hardware modules has signed a transfer.
 *
 * @param keys compressed secp256k1, hexadecimal
 * @param signature 64 bytes r, s with a low S, hexadecimal
 */
export function isCoSignature(keys: readonly string[], terms: TransferTerms, signature: string): boolean {
  const digest = coSignatureDigest(terms);
  return keys.some((key) => isEcdsaRight(key, digest, signature));
}
