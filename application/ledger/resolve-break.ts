import { findAccount } from '../../data/accounts/accounts.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type BreakRecord, findBreak, isCounted } from '../../data/broker/broker-breaks.ts';
import { database } from '../../data/database.ts';
import { type BookingError, bookingTerms, type StatedTerms } from '../../domain/broker/booking-terms.ts';
import { settlementDate } from '../../domain/calendar/settlement-date.ts';
import type { BreakBooking } from '../../domain/ledger/transactions.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { settleBooks } from './settle-before-read.ts';
import { transact } from './transact.ts';

export interface BreakRequest {
  readonly symbol: string;
  /** The broker's id of the report. */
  readonly breakId: string;
  readonly reason: string;
  /** Whose account its execution is booked to; null where nothing is to move. */
  readonly booking: (StatedTerms & { readonly accountId: string }) | null;
  readonly action: OperatorAction;
  /** Unix milliseconds. */
  readonly now: number;
}

export type BreakError =
  | { readonly reason: 'break_not_found' }
  | { readonly reason: 'account_not_found' }
  | BookingError
  /** Another action has closed it. */
  | { readonly reason: 'already_resolved' }
  /** Its execution is a trade, or was booked for another break. */
  | { readonly reason: 'already_booked' }
  | {
      readonly reason: 'insufficient_balance';
      readonly asset: string;
      readonly required: number;
      readonly available: number;
      readonly of: BreakRecord;
    }
  | { readonly reason: 'balance_too_large' }
  | { readonly reason: 'ledger_full' }
  /** It may have been done: the same action finds out. */
  | { readonly reason: 'outcome_unknown' };

/** Closes a break, with who did it and why; once a break. When this answers `ok`, D1 shows it. */
export async function resolveBreak(env: LedgerEnv, request: BreakRequest): Promise<Result<BreakRecord, BreakError>> {
  const { symbol, breakId, reason, action, now } = request;
  const db = database(env.DB);
  if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
  const found = await findBreak(db, symbol, breakId);
  if (found === null) return err({ reason: 'break_not_found' });
  if (found.told.resolvedAt !== null) return standing(found, action);
  const booking = request.booking === null ? ok(null) : await bookingOf(env, found, { booking: request.booking, now });
  if (!booking.ok) return booking;
  const outcome = await transact(env, {
    kind: 'resolve_break',
    id: action.id,
    book: symbol,
    breakId,
    booking: booking.value,
    reason,
    by: action.actor,
    createdAt: now,
    event: resolutionEvent(found, booking.value, request),
  });
  switch (outcome.type) {
    case 'done':
    case 'already_resolved':
    case 'id_conflict': {
      if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
      const made = await findBreak(db, symbol, breakId);
      return made === null ? err({ reason: 'outcome_unknown' }) : standing(made, action);
    }
    case 'insufficient_balance': {
      const { asset, required, available } = outcome;
      return err({ reason: outcome.type, asset, required, available, of: found });
    }
    default:
      return err({ reason: outcome.type });
  }
}

function standing(found: BreakRecord, action: OperatorAction): Result<BreakRecord, BreakError> {
  return found.told.resolutionId === action.id ? ok(found) : err({ reason: 'already_resolved' });
}

async function bookingOf(
  env: LedgerEnv,
  { told, market }: BreakRecord,
  { booking: { accountId, ...stated }, now }: { booking: NonNullable<BreakRequest['booking']>; now: number },
): Promise<Result<BreakBooking, BreakError>> {
  const db = database(env.DB);
  const terms = bookingTerms(told, stated, market);
  if (!terms.ok) return terms;
  const account = await findAccount(db, accountId);
  if (account === null || account.boundary) return err({ reason: 'account_not_found' });
  if (await isCounted(db, market.symbol, terms.value.executionId)) return err({ reason: 'already_booked' });
  // What a cancel has given back counts as available.
  await settleBooks(env, account.id);
  const { route, baseAsset, quoteAsset, tracksLots } = market;
  // The broker's clock may be wrong: nothing has executed later than now.
  const executedAt = Math.min(told.at, now);
  const settlesOn = market.settlement === 'next_trading_day' ? { settlesOn: settlementDate(executedAt) } : {};
  const of = { route, baseAsset, quoteAsset, tracksLots, account: account.id };
  return ok({ ...of, ...terms.value, executedAt, ...settlesOn });
}

function resolutionEvent({ told, market }: BreakRecord, booking: BreakBooking | null, request: BreakRequest) {
  const { symbol, breakId, reason, action, now } = request;
  const { kind, orderId, executionId, detail } = told;
  return operatorEvent({
    action,
    type: 'operator.break_resolved',
    subject: booking?.account ?? symbol,
    createdAt: now,
    details: { reason, symbol, breakId, kind, orderId, executionId, detail },
    change: {
      before: { state: 'open' },
      after:
        booking === null
          ? { state: 'acknowledged' }
          : {
              state: 'booked',
              side: booking.side,
              price: fromScaled(booking.price, market.priceScale),
              quantity: fromScaled(booking.quantity, market.quantityScale),
              notional: fromScaled(booking.notional, market.quoteScale),
            },
    },
  });
}
