/** What one shard may hold: its memory stays well below the 128 MB of an isolate (docs/performance.md). */
export interface LedgerLimits {
  readonly balancesMax: number;
  /** So that no account fills the shard; boundary accounts have a balance of every asset. */
  readonly balancesPerAccountMax: number;
  /** Of `balancesMax`, what is kept for accounts below their guaranteed number, and that number. The same for what follows (quotas.ts). */
  readonly balancesForGuaranteed: number;
  readonly balancesGuaranteedPerAccount: number;
  readonly balancesForFew: number;
  readonly balancesGuaranteedOfFew: number;
  /** Open orders. What follows of one account is of all that an investor has, where one may have several (owners.ts). */
  readonly reservationsMax: number;
  readonly reservationsForGuaranteed: number;
  readonly reservationsGuaranteedPerAccount: number;
  /** Of what is kept, the last part is for those with fewer, and of that the last part for those with hardly any: once no more are free, one is sure of so many. */
  readonly reservationsForFew: number;
  readonly reservationsGuaranteedOfFew: number;
  readonly reservationsForFewest: number;
  readonly reservationsGuaranteedOfFewest: number;
  /** Amendments on their way, and those whose lots wait to be sold. */
  readonly amendmentsMax: number;
  readonly amendmentsForGuaranteed: number;
  readonly amendmentsGuaranteedPerAccount: number;
  readonly amendmentsForFew: number;
  readonly amendmentsGuaranteedOfFew: number;
  readonly lotsMax: number;
  readonly lotsForGuaranteed: number;
  readonly lotsGuaranteedPerAccount: number;
  readonly lotsForFew: number;
  readonly lotsGuaranteedOfFew: number;
  /** Of one account, and never more than are still free. */
  readonly reservationsPerAccountMax: number;
  readonly lotsHeldPerAccountMax: number;
  /** The same of all investors of one partner; together they are sure of so many times what one is sure of. */
  readonly reservationsPerPartnerMax: number;
  readonly lotsPerPartnerMax: number;
  readonly balancesPerPartnerMax: number;
  readonly partnerShare: number;
  /** Of balances: an account can do nothing without one. */
  readonly balancesPartnerShare: number;
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
  /** Client order ids that are remembered of orders that have ended: twice so many. */
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
  balancesForFew: 100_000,
  balancesGuaranteedOfFew: 5,
  reservationsMax: 150_000,
  reservationsForGuaranteed: 75_000,
  reservationsGuaranteedPerAccount: 250,
  reservationsForFew: 25_000,
  reservationsGuaranteedOfFew: 25,
  reservationsForFewest: 5_000,
  reservationsGuaranteedOfFewest: 2,
  amendmentsMax: 25_000,
  amendmentsForGuaranteed: 10_000,
  amendmentsGuaranteedPerAccount: 25,
  amendmentsForFew: 2_500,
  amendmentsGuaranteedOfFew: 5,
  lotsMax: 150_000,
  lotsForGuaranteed: 50_000,
  lotsGuaranteedPerAccount: 200,
  lotsForFew: 20_000,
  lotsGuaranteedOfFew: 20,
  reservationsPerAccountMax: 15_000,
  lotsHeldPerAccountMax: 15_000,
  reservationsPerPartnerMax: 30_000,
  lotsPerPartnerMax: 100_000,
  balancesPerPartnerMax: 200_000,
  partnerShare: 10,
  balancesPartnerShare: 400,
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
