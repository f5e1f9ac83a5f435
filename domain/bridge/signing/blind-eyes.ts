import type { LedgerSight } from './ledger-sight.ts';
import type { SignerEyes } from './signer-eyes.ts';

/** Of a signer that reaches no chain: it makes keys, and signs nothing. */
export const BLIND_EYES: SignerEyes = {
  places: see,
  funds: see,
  sweepable: see,
  voidPayout: see,
  hasPaidOut: see,
  confirmationsNeeded: see,
  status: see,
  payeeMemoFault: see,
  checkReference: see,
  isRecovering: see,
  clearance: see,
  announced: see,
  shownFor: see,
  build: see,
  vaultKeys: see,
  stake: see,
  isCoSigned: see,
  needsCoSignature: see,
};

/** Of a signer that reaches no ledger: it signs nothing that comes from an account, and gives nothing back that was to go to one. */
export const BLIND_LEDGER: LedgerSight = { debit: ask, voidPayout: ask, hasPaidOut: ask };

async function see(): Promise<never> {
  throw new Error('no chains are reached from here');
}

async function ask(): Promise<never> {
  throw new Error('the ledger is not reached from here');
}
