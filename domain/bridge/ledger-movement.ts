import { type BridgePurpose, bridgeMovementId } from '../ledger/bridge-movement-id.ts';
import type { BridgeMovement } from '../ledger/transactions.ts';
import { externalChain } from './external-chain.ts';
import type { TransferTerms, Units } from './transfer-terms.ts';

export interface LedgerMovementParameters {
  readonly type: BridgeMovement['type'];
  readonly purpose: BridgePurpose;
  readonly amount: Units;
  /** Id of the ledger's asset. */
  readonly asset: string;
  readonly createdAt: number;
}

/** A movement of the ledger for a transfer: the same, whoever asks for it. @throws Error where that side is no account */
export function ledgerMovement(terms: TransferTerms, movement: LedgerMovementParameters): BridgeMovement {
  const { type, purpose, amount, asset, createdAt } = movement;
  const place = purpose === 'payout' ? terms.destination : terms.source;
  if (place.kind !== 'account') throw new Error('the ledger moves nothing there');
  return {
    kind: 'bridge',
    id: bridgeMovementId(terms.id, purpose),
    transfer: terms.id,
    type,
    account: place.account,
    asset,
    amount: Number(amount),
    vault: { organization: terms.organization, chain: externalChain(terms) },
    createdAt,
  };
}
