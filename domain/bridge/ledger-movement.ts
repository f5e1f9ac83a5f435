import { type BridgePurpose, bridgeMovementId } from '../ledger/bridge-movement-id.ts';
import type { BridgeMovement } from '../ledger/transactions.ts';
import { externalChain } from './external-chain.ts';
import { type TransferTerms, termsCommitment, type Units } from './transfer-terms.ts';

export interface LedgerMovementParameters {
  readonly type: BridgeMovement['type'];
  readonly purpose: BridgePurpose;
  readonly amount: Units;
  /** Id of the ledger's asset. */
  readonly asset: string;
  readonly createdAt: number;
  /** Whether it names its terms, as each debit does whose transfer does not come from before. */
  readonly namesTerms?: boolean | undefined;
}

/** A movement of the ledger for a transfer: the same, whoever asks for it. @throws Error where that side is no account */
export function ledgerMovement(terms: TransferTerms, movement: LedgerMovementParameters): BridgeMovement {
  const { type, purpose, amount, asset, createdAt, namesTerms } = movement;
  const place = purpose === 'payout' ? terms.destination : terms.source;
  if (place.kind !== 'account') throw new Error('the ledger moves nothing there');
  const commitment = namesTerms === true && purpose === 'debit' ? termsCommitment(terms) : undefined;
  return {
    kind: 'bridge',
    id: bridgeMovementId(terms.id, purpose, commitment),
    transfer: terms.id,
    ...(commitment === undefined ? {} : { commitment }),
    type,
    account: place.account,
    asset,
    amount: Number(amount),
    vault: { organization: terms.organization, chain: externalChain(terms) },
    createdAt,
  };
}
