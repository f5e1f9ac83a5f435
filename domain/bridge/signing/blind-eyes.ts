import type { SignerEyes } from './signer-eyes.ts';

/** Of a signer that reaches no chain: it makes keys, and signs nothing. */
export const BLIND_EYES: SignerEyes = {
  funds: see,
  confirmationsNeeded: see,
  status: see,
  clearance: see,
  announced: see,
  build: see,
  vaultKeys: see,
  stake: see,
  isCoSigned: see,
  needsCoSignature: see,
};

async function see(): Promise<never> {
  throw new Error('no chains are reached from here');
}
