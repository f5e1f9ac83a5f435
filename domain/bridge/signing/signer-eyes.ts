import type {
  ClusterKeys,
  Deposit,
  PaymentOrder,
  PaymentStatus,
  ReferenceCheck,
  UnsignedPayment,
} from '../chains/chain-adapter.ts';
import type { MemoFault } from '../chains/memo-fault.ts';
import type { TransferPlaces } from '../places/transfer-places.ts';
import type { TransferTerms, Units } from '../transfer-terms.ts';

/** What the guard on the exchange chain says of a transfer (docs/design/bridge/contracts.md#guard). */
export interface Clearance {
  /** It has room in the daily limit and is counted there; of this amount, scaled integer of the ledger. */
  readonly amount: number;
  /** Unix ms from which on it may be paid: the end of its challenge. */
  readonly clearAt: number;
  readonly isVetoed: boolean;
}

/** Where a signer's word on funds can be proved wrong: SignerStake, and the wrapped token whose burn they are, if they are one. */
export interface StakePlace {
  readonly chainId: number;
  readonly stake: string;
  readonly wrapped: string | null;
}

/** How a signer sees for itself. Each throws where it cannot see now. */
export interface SignerEyes {
  /** Where it would look for the funds of a transfer, and have it paid. */
  places(terms: TransferTerms): Promise<TransferPlaces>;
  /**
   * Funds of a transfer on its source: deposits, burns of wrapped tokens, or the ledger's debit.
   *
   * @param from who has paid them in; left out, the payer of the terms
   * @param known references of deposits to look up by themselves (`ChainAdapter.deposits`)
   */
  funds(terms: TransferTerms, from?: string, known?: readonly string[]): Promise<readonly Deposit[]>;
  /** What one payment can bring out of the transfer's own account into the vault's, on chains where each has one. */
  sweepable(terms: TransferTerms): Promise<Units>;
  /** Takes the ledger's payout to an account away for good, before the funds go back where they came from. False: it was made. */
  voidPayout(terms: TransferTerms): Promise<boolean>;
  /** Whether the ledger has made the payout of a transfer to an account. It changes nothing. */
  hasPaidOut(terms: TransferTerms): Promise<boolean>;
  /** Confirmations after which funds, or a payment, count on that side. */
  confirmationsNeeded(terms: TransferTerms, side: 'source' | 'destination'): number | Promise<number>;
  /** What has become of a payment that was signed. */
  status(terms: TransferTerms, side: 'source' | 'destination', payment: PaymentOrder): Promise<PaymentStatus>;
  /** Why who is paid there cannot be paid with what the payment carries: they may ask for a memo. Null where they can. */
  payeeMemoFault(
    terms: TransferTerms,
    side: 'source' | 'destination',
    payment: Pick<PaymentOrder, 'to' | 'memo'>,
  ): Promise<MemoFault | null>;
  /** What the signer's own node says of what the reference of a payment states. @throws RangeError where it is none of the chain */
  checkReference(terms: TransferTerms, side: 'source' | 'destination', payment: PaymentOrder): Promise<ReferenceCheck>;
  /** Whether somebody has begun to give the vault's contract another key without the cluster; false where there is no contract. */
  isRecovering(terms: TransferTerms, side: 'source' | 'destination'): Promise<boolean>;
  /** Null where the guard has not been asked for room. */
  clearance(terms: TransferTerms): Promise<Clearance | null>;
  /**
   * Payments of the transfer that the guard shows to all signers, as `paymentDigest` names them, in the order in which they were announced; null where no guard keeps a list. Without
   * it a signer has its own memory alone, which two lying signers and a lying coordinator can get around (docs/design/bridge/signing.md#one-payment).
   */
  announced(terms: TransferTerms): Promise<readonly string[] | null>;
  /**
   * By guard, the transfer, by its commitment, for which it was shown a transaction first (`transactionDigest`), null where it was shown for none. The guard of these terms comes first, then all others that the signer keeps: a
   * transfer of before goes by one that was replaced. Null where no guard keeps a list.
   */
  shownFor(terms: TransferTerms, transaction: string): Promise<readonly (string | null)[] | null>;
  /** What the payment would be, built by itself. */
  build(terms: TransferTerms, side: 'source' | 'destination', payment: PaymentOrder): Promise<UnsignedPayment>;
  /** Keys that the organization's vault on that side goes by: those that its contract itself says, or that it is known to have. */
  vaultKeys(terms: TransferTerms, side: 'source' | 'destination'): Promise<ClusterKeys>;
  /** Null where nothing is staked. */
  stake(terms: TransferTerms): Promise<StakePlace | null>;
  /** Whether the hardware module has signed the commitment; asked only where the amount needs it. */
  isCoSigned(terms: TransferTerms, coSignature: string): Promise<boolean>;
  /** Whether the amount needs the hardware module. */
  needsCoSignature(terms: TransferTerms): boolean | Promise<boolean>;
}
