import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import type { AttestedClaim } from './attestation.ts';
import type { StakePlace } from './signer-eyes.ts';
import { statementDigest } from './signer-identity.ts';

/** What a signer says of funds that are there as quoted. It follows from the terms, so it is the same for everybody, each time: two that differ are a fraud. */
export function fundsClaim(
  terms: TransferTerms,
  { chainId, stake, wrapped }: StakePlace,
  signer: number,
): AttestedClaim {
  const { organization, source, amountIn, expiresAt } = terms;
  const burner = source.kind === 'chain' ? source.address : '';
  return {
    chainId,
    stake,
    organization,
    signer,
    kind: 'funds',
    subject: termsCommitment(terms),
    digest: fundsDigest(terms),
    burn: wrapped === null ? null : { wrapped, burner, amount: amountIn },
    dueAt: Math.ceil(expiresAt / 1_000),
  };
}

/** 32 bytes in hexadecimal that stand for a transfer's funds, as quoted. */
export function fundsDigest(terms: TransferTerms): string {
  return statementDigest(['edge.bridge.funds.v1', termsCommitment(terms), terms.amountIn]);
}
