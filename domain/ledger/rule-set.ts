import type { LedgerLimits } from './ledger-limits.ts';

/**
 * What transactions are judged by, beside the state. It is part of the state and of its checkpoint, and a transaction `ledger_rules` alone
 * changes it, so that a replay judges each row as it was judged.
 */
export interface LedgerRules {
  readonly version: number;
  readonly limits: LedgerLimits;
}

/** One version of the rules: what differs from one version to another has a name here, and nowhere a copy of the code. */
export interface RuleSet {
  readonly version: number;
  /** The share of a holding's cost (dollars) that leaves with `quantity` of its `total` units: average cost, rounded. */
  readonly costShare: (cost: number, quantity: number, total: number) => number;
  /** What executions at brokers may bring is held within the range that amounts are exact in, before it happens (incoming-room.ts). */
  readonly boundsIncoming: boolean;
  /** Whether amendments have room of their own (`amendmentsMax`), and count among open orders no longer. */
  readonly amendmentsApart: boolean;
  /** Whether who has most client order ids of ended orders gives room for another one; else the oldest of all go. */
  readonly endedNamesByOwner: boolean;
  /** Whether a debit of the bridge may name the terms that it is of. */
  readonly debitsNameTerms: boolean;
  /** Whether a request of an account that was frozen since it was opened is neither approved nor executed. */
  readonly asksFreezeAgain: boolean;
  /** Whether what was checked of an account whose identity has ended since is admitted no more, whatever its facts say by then. */
  readonly asksIdentityEnd: boolean;
  /** Whether a payout, a refund and a void of the bridge may. */
  readonly paymentsNameTerms: boolean;
  /** Whether what a transfer of the bridge has earned may be credited, under an id of its own. */
  readonly creditsFees: boolean;
  /** How many requests to pay in or out an account is sure of while so many are open in all. */
  readonly requestsSure: (open: number) => number;
}
