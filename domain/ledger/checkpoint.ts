import type { VersionedRate } from '../money/dollar-rate.ts';
import type { BalancesRest } from './balances.ts';
import type { ClientOrderIdsRest } from './client-order-ids.ts';
import type { CheckpointPiece } from './columns.ts';
import type { DecidedIdsRest } from './decided-ids.ts';
import type { IdTableRest } from './id-table.ts';
import { FIRST_RULES, type KeptRules, ruleSetOf, rulesOf } from './ledger-rules.ts';
import { type FenceState, LedgerState, type MarketState } from './ledger-state.ts';
import type { LimitedKeysRest } from './limited-keys.ts';
import type { LotsRest } from './lots.ts';
import type { PendingCancellation } from './outcomes.ts';
import type { OwnersRest } from './owners.ts';
import type { RecentIdsRest } from './recent-ids.ts';
import type { OpenTransferRequest } from './records.ts';
import type { ReservationsRest } from './reservations.ts';
import type { RuleSet } from './rule-set.ts';
import type { LastSplit, SplitState } from './split-state.ts';
import type { TradedLotsRest } from './traded-lots.ts';
import type { UnsettledSum } from './unsettled.ts';

/** Everything that stands in no column. */
interface Rest {
  /** Absent in checkpoints that are older than rules. */
  readonly rules?: KeptRules;
  readonly balances: BalancesRest;
  readonly reservations: ReservationsRest;
  readonly lots: LotsRest;
  readonly recentIds: RecentIdsRest;
  readonly clientOrderIds: ClientOrderIdsRest;
  readonly limitedKeys: LimitedKeysRest;
  readonly revokedKeys: IdTableRest;
  readonly markets: readonly (readonly [symbol: string, MarketState])[];
  readonly fences: readonly (readonly [book: string, FenceState])[];
  readonly cancellations: readonly PendingCancellation[];
  /** Absent in checkpoints from before these lots had their costs. */
  readonly lotsOfTrades?: TradedLotsRest;
  /** Of checkpoints from before these were forgotten after a time. */
  readonly adjustedTrades?: readonly string[];
  readonly resolvedBreaks?: readonly string[];
  readonly bookedExecutions?: readonly string[];
  /** Absent in those. */
  readonly decided?: Readonly<Record<'adjustedTrades' | 'resolvedBreaks' | 'bookedExecutions', DecidedIdsRest>>;
  /** Absent in checkpoints that are older than requests. */
  readonly transferRequests?: readonly OpenTransferRequest[];
  /** Absent in checkpoints from before rates were stated. */
  readonly rates?: readonly (readonly [asset: string, VersionedRate])[];
  /** Absent in checkpoints from before anything waited to settle. */
  readonly unsettled?: readonly UnsettledSum[];
  readonly unsettledBooks?: readonly string[];
  /** Absent in checkpoints from before splits. */
  readonly splits?: readonly (readonly [asset: string, SplitState])[];
  readonly lastSplits?: readonly (readonly [asset: string, LastSplit])[];
  /** Absent in checkpoints from before the ledger knew who has several accounts. */
  readonly owners?: OwnersRest;
  readonly isVenueHalted: boolean;
}

const REST = 'rest';
const REST_PIECE_BYTES = 512 * 1024;

/** The ledger in pieces. They are views of its columns: write them before anything changes. */
export function* checkpointOf(state: LedgerState): Generator<CheckpointPiece> {
  const { balances, reservations, lots, recentIds, clientOrderIds, limitedKeys, revokedKeys } = state;
  const rest: Rest = {
    rules: state.rules,
    balances: balances.rest(),
    reservations: reservations.rest(),
    lots: lots.rest(),
    recentIds: recentIds.rest(),
    clientOrderIds: clientOrderIds.rest(),
    limitedKeys: limitedKeys.rest(),
    revokedKeys: revokedKeys.rest(),
    markets: [...state.markets],
    fences: [...state.fences],
    cancellations: [...state.cancellations.values()],
    lotsOfTrades: state.tradedLots.rest(),
    decided: {
      adjustedTrades: state.adjustedTrades.rest(),
      resolvedBreaks: state.resolvedBreaks.rest(),
      bookedExecutions: state.bookedExecutions.rest(),
    },
    transferRequests: [...state.transferRequests.values()],
    rates: [...state.rates],
    unsettled: [...state.unsettled.all()],
    unsettledBooks: [...state.unsettled.books],
    splits: [...state.splits],
    lastSplits: [...state.lastSplits],
    owners: state.owners.rest(),
    isVenueHalted: state.isVenueHalted,
  };
  const bytes = new TextEncoder().encode(JSON.stringify(rest));
  for (let from = 0; from < bytes.length; from += REST_PIECE_BYTES)
    yield { name: REST, data: bytes.subarray(from, from + REST_PIECE_BYTES) };
  yield* balances.pieces();
  yield* state.owners.pieces();
  yield* reservations.pieces();
  yield* lots.pieces();
  yield* recentIds.pieces();
  yield* clientOrderIds.pieces();
  yield* limitedKeys.pieces();
  yield* revokedKeys.pieces();
  yield* state.adjustedTrades.pieces();
  yield* state.resolvedBreaks.pieces();
  yield* state.bookedExecutions.pieces();
}

/** The ledger of a checkpoint. @throws Error for a piece, or a version of the rules, that this code does not know */
export function restoredState(pieces: Iterable<CheckpointPiece>, known: readonly RuleSet[]): LedgerState {
  const state = new LedgerState(known, FIRST_RULES, ruleSetOf(known, FIRST_RULES.version));
  const { balances, reservations, lots, recentIds, clientOrderIds, limitedKeys, revokedKeys } = state;
  const restBytes: Uint8Array[] = [];
  let rest: Rest | null = null;
  for (const piece of pieces) {
    if (piece.name === REST) {
      restBytes.push(piece.data.slice());
      continue;
    }
    if (rest === null) {
      rest = restOf(restBytes);
      goByKept(state, rest.rules);
      recentIds.begin(rest.recentIds);
    }
    const isKnown =
      balances.load(piece) ||
      state.owners.load(piece) ||
      reservations.load(piece) ||
      lots.load(piece) ||
      recentIds.load(piece) ||
      clientOrderIds.load(piece) ||
      limitedKeys.load(piece) ||
      revokedKeys.load(piece) ||
      state.adjustedTrades.load(piece) ||
      state.resolvedBreaks.load(piece) ||
      state.bookedExecutions.load(piece);
    if (!isKnown) throw new Error(`a checkpoint has a piece ${piece.name} that is not known`);
  }
  if (rest === null) {
    rest = restOf(restBytes);
    goByKept(state, rest.rules);
  }
  if (rest.owners !== undefined) state.owners.finish(rest.owners);
  balances.finish(rest.balances);
  reservations.finish(rest.reservations);
  lots.finish(rest.lots);
  recentIds.finish(rest.recentIds);
  clientOrderIds.finish(rest.clientOrderIds);
  limitedKeys.finish(rest.limitedKeys);
  revokedKeys.finish(rest.revokedKeys);
  for (const [symbol, market] of rest.markets) state.markets.set(symbol, market);
  for (const [book, fence] of rest.fences) state.fences.set(book, fence);
  for (const pending of rest.cancellations) state.cancellations.set(pending.id, pending);
  if (rest.lotsOfTrades !== undefined) state.tradedLots.finish(rest.lotsOfTrades);
  if (rest.decided !== undefined) {
    state.adjustedTrades.finish(rest.decided.adjustedTrades);
    state.resolvedBreaks.finish(rest.decided.resolvedBreaks);
    state.bookedExecutions.finish(rest.decided.bookedExecutions);
  }
  for (const id of rest.adjustedTrades ?? []) state.adjustedTrades.add(id, 0);
  for (const name of rest.resolvedBreaks ?? []) state.resolvedBreaks.add(name, 0);
  for (const name of rest.bookedExecutions ?? []) state.bookedExecutions.add(name, 0);
  for (const request of rest.transferRequests ?? []) state.transferRequests.set(request);
  for (const [asset, rate] of rest.rates ?? []) state.rates.set(asset, rate);
  for (const book of rest.unsettledBooks ?? []) state.unsettled.books.add(book);
  for (const { amount, ...place } of rest.unsettled ?? []) state.unsettled.add(place, amount);
  for (const [asset, split] of rest.splits ?? []) state.splits.set(asset, split);
  for (const [asset, split] of rest.lastSplits ?? []) state.lastSplits.set(asset, split);
  state.isVenueHalted = rest.isVenueHalted;
  return state;
}

function goByKept(state: LedgerState, kept: KeptRules = FIRST_RULES): void {
  const rules = rulesOf(kept);
  state.goBy(rules, ruleSetOf(state.known, rules.version));
}

function restOf(parts: readonly Uint8Array[]): Rest {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return JSON.parse(new TextDecoder().decode(bytes)) as Rest;
}
