import { type AdmissionContext, admitBatch } from './admission.ts';
import type { SaleCost } from './journal-row.ts';
import type { AdmittedId, LedgerState } from './ledger-state.ts';
import type { BatchOutcome, Fence, OwnOutcome, UnjournaledHold } from './outcomes.ts';
import { rateOf } from './rates.ts';
import { settleChunk } from './settlement.ts';
import type { BookBatch, TakeOwnership } from './transactions.ts';

/**
 * One batch of a book, whole or not at all. Every batch moves the fence from (owner, n − 1, settledFrom) to (owner, n, settledTo); the batch that
 * landed last is answered as before, and any other is fenced.
 *
 * @throws LedgerViolation when its effects break an invariant
 */
export function applyBatch(
  state: LedgerState,
  batch: BookBatch,
  context: AdmissionContext,
): { readonly outcome: BatchOutcome; readonly changed: boolean; readonly saleCosts?: readonly SaleCost[] } {
  const fence = state.fence(batch.book);
  const isOwner = fence.owner === batch.owner;
  if (isOwner && fence.batch === batch.batch && fence.outcome !== null)
    return { outcome: fence.outcome, changed: false };
  if (!isOwner || fence.batch !== batch.batch - 1 || fence.settled !== batch.settledFrom)
    return { outcome: { type: 'fenced', ...fenceOf(state, batch.book) }, changed: false };
  state.limitedKeys.begin(context.time);
  const saleCosts = batch.chunks.flatMap((chunk) => settleChunk(state, batch, chunk));
  const { admitted, refused, lots } = admitBatch(state, batch, context);
  const outcome: BatchOutcome = { type: 'landed', refused, lots, ...rateOfTrades(state, batch) };
  state.fences.set(batch.book, {
    owner: batch.owner,
    batch: batch.batch,
    settled: batch.settledTo,
    admitted,
    outcome,
  });
  return { outcome, changed: true, ...(saleCosts.length === 0 ? {} : { saleCosts }) };
}

/** By which rate the batch's trades have settled. */
function rateOfTrades(state: LedgerState, batch: BookBatch): { readonly rateVersion?: number } {
  const rate = rateOf(state, batch);
  if (rate === null || batch.chunks.every(({ trades }) => trades.length === 0)) return {};
  return { rateVersion: rate.version };
}

/** A new instance takes a book over from the owner that it read, or has done so before. */
export function applyOwnership(
  state: LedgerState,
  { book, owner, previousOwner }: TakeOwnership,
): { readonly outcome: OwnOutcome; readonly changed: boolean } {
  const fence = state.fence(book);
  if (fence.owner !== previousOwner && fence.owner !== owner)
    return { outcome: { type: 'fenced', ...fenceOf(state, book) }, changed: false };
  const changed = fence.owner !== owner;
  // The last batch is its sender's: the new owner learns what it admitted, and sends no batch again.
  if (changed) state.fences.set(book, { ...fence, owner, outcome: null });
  const { batch, settled } = fence;
  const { version, status } = state.market(book);
  const rules = { market: { version, status }, venueHalted: state.isVenueHalted };
  return { outcome: { type: 'taken', batch, settled, admitted: holdsOf(state, fence.admitted), ...rules }, changed };
}

export function fenceOf(state: LedgerState, book: string): Fence {
  const { owner, batch, settled } = state.fence(book);
  return { owner, batch, settled };
}

/** What of these still holds something. */
function holdsOf({ reservations, balances, lots }: LedgerState, admitted: readonly AdmittedId[]): UnjournaledHold[] {
  return admitted.flatMap(({ kind, id, quantity, price }) => {
    const number = reservations.ids.find(id);
    if (number < 0) return [];
    const { account, reserveBalance, allowanceBalance, positionBalance, ...rest } = reservations.at(number);
    return [
      {
        kind,
        id,
        account: balances.accounts.text(account),
        reserveAsset: balances.asset(reserveBalance),
        reserve: rest.reserve,
        allowanceAsset: allowanceBalance < 0 ? null : balances.asset(allowanceBalance),
        allowance: rest.allowance,
        positionAsset: positionBalance < 0 ? null : balances.asset(positionBalance),
        position: rest.position,
        quantity,
        price,
        lots: lots.shares(number).map(({ lot, quantity: share }) => ({ lotId: lots.ids.text(lot), quantity: share })),
      },
    ];
  });
}
