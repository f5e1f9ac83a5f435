import { type BridgePurpose, bridgeMovementId } from '../ledger/bridge-movement-id.ts';
import type { BridgeMovement } from '../ledger/transactions.ts';
import { externalChain } from './external-chain.ts';
import { type TransferTerms, termsCommitment, type Units } from './transfer-terms.ts';

export interface LedgerMovementParameters {
  readonly type: BridgeMovement['type'];
  readonly purpose: Exclude<BridgePurpose, 'fee'>;
  readonly amount: Units;
  /** Id of the ledger's asset. */
  readonly asset: string;
  readonly createdAt: number;
  /** Whether it names its terms, as each does whose transfer does not come from before. */
  readonly namesTerms?: boolean | undefined;
}

/** A movement of the ledger for a transfer: the same, whoever asks for it. @throws Error where that side is no account */
export function ledgerMovement(terms: TransferTerms, movement: LedgerMovementParameters): BridgeMovement {
  const { purpose, namesTerms } = movement;
  const place = purpose === 'payout' ? terms.destination : terms.source;
  if (place.kind !== 'account') throw new Error('the ledger moves nothing there');
  const commitment = namesTerms === true ? termsCommitment(terms) : undefined;
  return movementOn(place.account, terms, { ...movement, commitment });
}

/** Credits the organization of a transfer with what it has earned: the same, whoever asks for it. */
export function feeMovement(
  terms: TransferTerms,
  { account, ...fee }: Pick<LedgerMovementParameters, 'amount' | 'asset' | 'createdAt'> & { readonly account: string },
): BridgeMovement {
  return movementOn(account, terms, { ...fee, type: 'mint', purpose: 'fee', commitment: termsCommitment(terms) });
}

function movementOn(
  account: string,
  terms: TransferTerms,
  {
    type,
    purpose,
    amount,
    asset,
    createdAt,
    commitment,
  }: Omit<LedgerMovementParameters, 'purpose' | 'namesTerms'> & {
    readonly purpose: BridgePurpose;
    readonly commitment: string | undefined;
  },
): BridgeMovement {
  return {
    kind: 'bridge',
    id: bridgeMovementId(terms.id, purpose, commitment),
    transfer: terms.id,
    ...(commitment === undefined ? {} : { commitment }),
    type,
    account,
    asset,
    amount: Number(amount),
    vault: { organization: terms.organization, chain: externalChain(terms) },
    createdAt,
  };
}

/** What tells a movement from all others: its id alone may be stated as that of another transfer. */
export interface MovementName {
  readonly id: string;
  readonly transfer: string;
  /** Null for one of before, which names no terms. */
  readonly commitment: string | null;
}

/** The names under which a movement of these terms may stand in the ledger: as it names its terms, and as one of before. */
export function movementNames(terms: TransferTerms, purpose: BridgePurpose): readonly MovementName[] {
  const { id: transfer } = terms;
  const commitment = termsCommitment(terms);
  return [
    { id: bridgeMovementId(transfer, purpose, commitment), transfer, commitment },
    { id: bridgeMovementId(transfer, purpose), transfer, commitment: null },
  ];
}
