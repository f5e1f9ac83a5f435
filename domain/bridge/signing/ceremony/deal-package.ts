import { secp256k1 } from '@noble/curves/secp256k1.js';
import { CLUSTER_THRESHOLD } from '../../transfer.ts';
import { ecdsaSign } from '../ecdsa.ts';
import { isStatementOf, type SignerIdentity, signStatement } from '../signer-identity.ts';
import { suiteOf } from '../suites.ts';
import { verifySignature } from '../verify-signature.ts';
import { type CeremonyTerms, ceremonyHash, type DealPackage, dealStatement } from './ceremony.ts';
import { newPolynomial, type Polynomial } from './polynomial.ts';

/** A dealer's first round: its polynomial, and what everybody may see of it. @param secret what it shares; null for one of its own */
export function newDeal(
  terms: CeremonyTerms,
  dealer: number,
  identity: SignerIdentity,
  secret: string | null,
): { readonly polynomial: Polynomial; readonly deal: DealPackage } {
  const hash = ceremonyHash(terms);
  const polynomial = terms.scheme === 'multisig-secp256k1' ? ownKey() : newPolynomial(terms.scheme, secret);
  const { coefficients, commitments } = polynomial;
  const said = { dealer, commitments, proof: proofOf(terms, coefficients[0] ?? '', hash) };
  return { polynomial, deal: { ...said, signature: signStatement(identity, dealStatement(hash, said)) } };
}

/** Who has sent something wrong in the first round, and what; null where it is right and whole. */
export function dealsFault(
  terms: CeremonyTerms,
  deals: readonly DealPackage[],
): { readonly culprit: number | null; readonly reason: string } | null {
  const hash = ceremonyHash(terms);
  if (deals.length !== terms.dealers.length) return { culprit: null, reason: 'not the packages of all dealers' };
  for (const [index, { signer, key }] of terms.dealers.entries()) {
    const deal = deals[index];
    if (deal?.dealer !== signer) return { culprit: null, reason: 'packages are not in order of their dealers' };
    const reason = dealFault(terms, hash, key, deal);
    if (reason !== null) return { culprit: signer, reason };
  }
  return null;
}

function dealFault(terms: CeremonyTerms, hash: string, key: string, deal: DealPackage): string | null {
  const { scheme, from } = terms;
  const [first = ''] = deal.commitments;
  if (!isStatementOf(key, dealStatement(hash, deal), deal.signature)) return 'the package is not signed by it';
  if (deal.commitments.length !== (scheme === 'multisig-secp256k1' ? 1 : CLUSTER_THRESHOLD))
    return 'another number of commitments';
  if (!isProofRight(terms, first, hash, deal.proof)) return 'it does not know what it shares';
  if (from !== null && from.verifyingShares[deal.dealer] !== first) return 'it shares something else than its share';
  return null;
}

/** Without it a dealer could choose its part by those of the others, and have the whole key. */
function isProofRight({ scheme }: CeremonyTerms, first: string, hash: string, proof: string): boolean {
  if (scheme === 'multisig-secp256k1') return verifySignature(scheme, first, hash, proof);
  try {
    return suiteOf(scheme).frost.verify(bytes(proof), bytes(hash), bytes(first));
  } catch {
    return false;
  }
}

function proofOf({ scheme }: CeremonyTerms, secret: string, hash: string): string {
  if (scheme === 'multisig-secp256k1') return ecdsaSign(secret, hash);
  return Buffer.from(suiteOf(scheme).frost.sign(bytes(hash), bytes(secret))).toString('hex');
}

function ownKey(): Polynomial {
  const { secretKey, publicKey } = secp256k1.keygen();
  const [secret = '', key = ''] = [secretKey, publicKey].map((each) => Buffer.from(each).toString('hex'));
  return { coefficients: [secret], commitments: [key] };
}

function bytes(hex: string): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(Buffer.from(hex, 'hex'));
}
