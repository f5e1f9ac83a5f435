import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { newYorkDate } from '../../domain/calendar/new-york-time.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { projected } from '../ledger/projected.ts';
import { settleThrough } from '../ledger/settle-due.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

/** Settles what is due on a day or before. A day that has not come in New York is for demonstrations: where SANDBOX_FAULTS allows it alone. */
export async function settleTrades(
  env: Env,
  through: number,
  action: OperatorAction,
): Promise<Result<number, ApiError>> {
  const now = Date.now();
  const today = newYorkDate(now);
  if (through > today && env.SANDBOX_FAULTS !== 'allowed')
    return err(apiError('FORBIDDEN', 'that day has not come', { reason: 'not_due', today: dateText(today) }));
  const { settled, isDone } = await settleThrough(env, through, now, action);
  return isDone && (await projected(env)) ? ok(settled) : err(outcomeUnknown());
}
