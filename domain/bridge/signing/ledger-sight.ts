import type { Deposit } from '../chains/chain-adapter.ts';
import type { TransferTerms } from '../transfer-terms.ts';

/** What a signer asks of the exchange's ledger. Each throws where it cannot know now. */
export interface LedgerSight {
  /** The debit of a transfer that comes from an account, unless it was given back. */
  debit(terms: TransferTerms): Promise<readonly Deposit[]>;
  /** Takes the payout to an account away for good, so that the funds can go back. False: it was made. */
  voidPayout(terms: TransferTerms): Promise<boolean>;
  /** Whether the payout to an account was made. It changes nothing. */
  hasPaidOut(terms: TransferTerms): Promise<boolean>;
}
