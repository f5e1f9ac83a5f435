import type { MarketStatus } from '../markets/market.ts';
import type { VersionedRate } from '../money/dollar-rate.ts';
import { Balances, isBoundary } from './balances.ts';
import { ClientOrderIds } from './client-order-ids.ts';
import { DecidedIds } from './decided-ids.ts';
import { IdTable } from './id-table.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import { LimitedKeys } from './limited-keys.ts';
import { Lots } from './lots.ts';
import { OpenTransferRequests } from './open-transfer-requests.ts';
import type { BatchOutcome, PendingCancellation } from './outcomes.ts';
import { RecentIds } from './recent-ids.ts';
import { Reservations } from './reservations.ts';
import type { LedgerRules, RuleSet } from './rule-set.ts';
import { balanceRoom, overQuota } from './shared-room.ts';
import type { LastSplit, SplitState } from './split-state.ts';
import { RecentTradedLots } from './traded-lots.ts';
import { Unsettled } from './unsettled.ts';

/** An order or amendment that a batch admitted, as its book may have to release it; 0 and null of an amendment. */
export interface AdmittedId {
  readonly kind: 'order' | 'amendment';
  readonly id: string;
  readonly quantity: number;
  readonly price: number | null;
}

/** Where the ledger stands with a book. */
export interface FenceState {
  readonly owner: string;
  readonly batch: number;
  readonly settled: number;
  /** Of the last batch: what it admitted, and what it was answered, in case that it is sent again. */
  readonly admitted: readonly AdmittedId[];
  readonly outcome: BatchOutcome | null;
}

export interface MarketState {
  readonly version: number;
  readonly status: MarketStatus;
}

/** How many of the latest are known at least: far more than can be decided between reading the read model and asking. */
const ADJUSTED_TRADES_KNOWN = 50_000;
const BREAKS_KNOWN = 50_000;

/** Everything that the ledger's future follows from. */
export class LedgerState {
  /** The versions of the rules that this code can run. */
  readonly known: readonly RuleSet[];
  #rules: LedgerRules;
  #ruleSet: RuleSet;
  readonly balances = new Balances();
  readonly owners = this.balances.owners;
  readonly reservations = new Reservations(this.owners);
  readonly lots = new Lots(this.balances, this.owners);
  readonly recentIds: RecentIds;
  readonly clientOrderIds: ClientOrderIds;
  readonly limitedKeys = new LimitedKeys();
  readonly revokedKeys = new IdTable('revoked_keys');
  /** Only markets whose rules ever changed. */
  readonly markets = new Map<string, MarketState>();
  readonly fences = new Map<string, FenceState>();
  readonly cancellations = new Map<string, PendingCancellation>();
  /** Which shares the latest trades have moved. */
  readonly tradedLots = new RecentTradedLots();
  /** Ids of trades that were taken back or corrected. */
  readonly adjustedTrades = new DecidedIds('adjusted_trades', ADJUSTED_TRADES_KNOWN);
  /** Breaks that were resolved, and executions that were booked, `<book> <id of the broker>`. */
  readonly resolvedBreaks = new DecidedIds('resolved_breaks', BREAKS_KNOWN);
  readonly bookedExecutions = new DecidedIds('booked_executions', BREAKS_KNOWN);
  readonly transferRequests = new OpenTransferRequests();
  /** Dollars for what markets quote in, by asset. */
  readonly rates = new Map<string, VersionedRate>();
  /** What has traded at a broker and not settled. */
  readonly unsettled = new Unsettled();
  /** Splits that are under way, and the last that was carried out, by asset. */
  readonly splits = new Map<string, SplitState>();
  readonly lastSplits = new Map<string, LastSplit>();
  isVenueHalted = false;

  constructor(known: readonly RuleSet[], rules: LedgerRules, ruleSet: RuleSet) {
    this.known = known;
    this.#rules = rules;
    this.#ruleSet = ruleSet;
    this.recentIds = new RecentIds(rules.limits.recentIdsMax);
    this.clientOrderIds = new ClientOrderIds(this.balances.accounts, this.owners);
    this.clientOrderIds.goBy(rules.limits.clientOrderIdsMax, ruleSet.endedNamesByOwner);
  }

  get rules(): LedgerRules {
    return this.#rules;
  }

  /** The version of the rules that is in force, as code. */
  get ruleSet(): RuleSet {
    return this.#ruleSet;
  }

  get limits(): LedgerLimits {
    return this.#rules.limits;
  }

  /** Other rules are in force from here on. */
  goBy(rules: LedgerRules, ruleSet: RuleSet): void {
    this.#rules = rules;
    this.#ruleSet = ruleSet;
    this.recentIds.generationMax = rules.limits.recentIdsMax;
    this.clientOrderIds.goBy(rules.limits.clientOrderIdsMax, ruleSet.endedNamesByOwner);
  }

  /** A market is open under version 1 until its rules change. */
  market(symbol: string): MarketState {
    return this.markets.get(symbol) ?? FIRST_MARKET_STATE;
  }

  fence(book: string): FenceState {
    return this.fences.get(book) ?? FIRST_FENCE_STATE;
  }

  /** Whether the account, its investor or their partner has as many balances as may be, and the account none of this asset. */
  hasNoRoomFor(account: string, asset: string): boolean {
    const { balances, limits, owners } = this;
    if (isBoundary(account)) return false;
    const isFull = overQuota(balanceRoom(limits, balances), owners.find(account, null)) !== null;
    return isFull && balances.find(account, asset) < 0;
  }

  /** Books in which the account has something open. */
  openBooks(account: string): string[] {
    const holder = this.balances.accounts.find(account);
    return holder < 0 ? [] : this.reservations.booksOf(holder);
  }
}

const FIRST_FENCE_STATE: FenceState = { owner: '', batch: 0, settled: 0, admitted: [], outcome: null };

const FIRST_MARKET_STATE: MarketState = { version: 1, status: 'open' };
