/** What one shard may hold: its memory stays well below the 128 MB of an isolate (docs/performance.md). */
export interface LedgerLimits {
  readonly balancesMax: number;
  /** So that no account fills the shard; boundary accounts have a balance of every asset. */
  readonly balancesPerAccountMax: number;
  /** Of `balancesMax`, what is kept for accounts below their guaranteed number, and that number. The same for what follows (quotas.ts). */
  readonly balancesForGuaranteed: number;
  readonly balancesGuaranteedPerAccount: number;
  readonly reservationsMax: number;
  readonly reservationsForGuaranteed: number;
  readonly reservationsGuaranteedPerAccount: number;
  readonly lotsMax: number;
  readonly lotsForGuaranteed: number;
  readonly lotsGuaranteedPerAccount: number;
  /** Of one account, and never more than are still free. */
  readonly reservationsPerAccountMax: number;
  readonly lotsHeldPerAccountMax: number;
  /** Of one security, of lots that came by its register and deposits alone: never more than are still free, and so many whatever others have. */
  readonly lotsPerSecurityMax: number;
  readonly lotsGuaranteedPerSecurity: number;
  /** Reservations and lots beyond the maxima that sales may still take: a full shard lets who is in it out. */
  readonly roomForSales: number;
  /** Lots that the sells of one account may reserve in one batch: what they come to must fit into one cycle of the book. */
  readonly lotsPerAccountMax: number;
  /** The same for all sells of a batch: its answer must fit into one message. */
  readonly lotsPerBatchMax: number;
  /** Ids of orders known by heart, in each of two generations. */
  readonly recentIdsMax: number;
  readonly clientOrderIdsMax: number;
  /** API keys under a daily limit that have placed something today or have an order open; of them all, and of one account. */
  readonly limitedKeysMax: number;
  readonly limitedKeysPerAccountMax: number;
  readonly limitedKeysForGuaranteed: number;
  readonly limitedKeysGuaranteedPerAccount: number;
}

export const LEDGER_LIMITS: LedgerLimits = {
  balancesMax: 1_000_000,
  balancesPerAccountMax: 2_000,
  balancesForGuaranteed: 500_000,
  balancesGuaranteedPerAccount: 50,
  reservationsMax: 150_000,
  reservationsForGuaranteed: 75_000,
  reservationsGuaranteedPerAccount: 250,
  lotsMax: 150_000,
  lotsForGuaranteed: 50_000,
  lotsGuaranteedPerAccount: 200,
  reservationsPerAccountMax: 15_000,
  lotsHeldPerAccountMax: 15_000,
  lotsPerSecurityMax: 50_000,
  lotsGuaranteedPerSecurity: 1_000,
  roomForSales: 7_500,
  lotsPerAccountMax: 2_000,
  lotsPerBatchMax: 20_000,
  recentIdsMax: 200_000,
  clientOrderIdsMax: 20_000,
  limitedKeysMax: 50_000,
  limitedKeysPerAccountMax: 100,
  limitedKeysForGuaranteed: 25_000,
  limitedKeysGuaranteedPerAccount: 5,
};
