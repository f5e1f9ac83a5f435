import { isCalendarDate } from '../calendar/calendar-date.ts';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import type { LedgerState } from './ledger-state.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { SettlementChunk } from './records.ts';
import type { AdjustedTrade, BookBatch, TradeTerms } from './transactions.ts';
import { type UnsettledSum, waitingOf } from './unsettled.ts';

const CLEARING = BOUNDARY_ACCOUNT.brokerClearing;

/**
 * What a chunk's trades leave unsettled is kept until it settles. The seller's balance of cash is opened now, so that settling it needs no room.
 *
 * @throws LedgerViolation when a trade that is no broker's names a day
 */
export function keepUnsettled(state: LedgerState, batch: BookBatch, { trades }: SettlementChunk): void {
  for (const trade of trades) {
    const waiting = waitingOf(trade, trade, batch);
    if (waiting === null) continue;
    if ((trade.buyer === CLEARING) === (trade.seller === CLEARING) || !isCalendarDate(waiting.settlesOn))
      throw new LedgerViolation(`trade ${trade.id} settles on ${waiting.settlesOn}, and is no execution of a broker`);
    state.balances.open(waiting.account, waiting.asset);
    state.unsettled.books.add(batch.book);
    state.unsettled.add(waiting, waiting.amount);
  }
}

/** How an adjustment changes what a trade has left unsettled; null where that has settled, or never waited. */
export function unsettledChange(
  state: LedgerState,
  trade: AdjustedTrade,
  to: TradeTerms,
  assets: Pick<BookBatch, 'baseAsset' | 'quoteAsset'>,
): UnsettledSum | null {
  const before = waitingOf(trade, trade, assets);
  const after = waitingOf(trade, to, assets);
  const kept = before === null ? null : state.unsettled.find(before);
  if (before === null || after === null || kept === null) return null;
  const amount = after.amount - before.amount;
  return kept.amount + amount < 0 ? null : { ...before, amount };
}
