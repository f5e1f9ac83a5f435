/** What of a transfer's fee its organization is credited with. */
export interface FeeSettings {
  /** Account of the organization; null, or absent in records of before, where the fee stays in the vault. */
  readonly feeAccount?: string | null;
  /** What the transfer earns, as a scaled integer of the ledger (`feeShareOf`). */
  readonly feeShare?: number;
}

/** Null where the fee stays in the vault, or comes to nothing. */
export function creditedFee({ feeAccount = null, feeShare = 0 }: FeeSettings) {
  return feeAccount === null || feeShare <= 0 ? null : { account: feeAccount, amount: feeShare };
}
