import { uuidv7 } from 'uuidv7';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import type { CalendarDate } from '../../domain/calendar/calendar-date.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { newYorkDate } from '../../domain/calendar/new-york-time.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { transact } from './transact.ts';

/** Transactions of one run: as many sums as may wait. What is left is due at the next run. */
const PARTS_MAX = 200;

/** `isDone`: nothing that is due is left; false where the ledger was out of reach, or the run has come to its end. */
export interface SettlementRun {
  /** Sums of cash and shares. */
  readonly settled: number;
  readonly isDone: boolean;
}

/** Settles what is due by New York's date (docs/design/broker.md#settlement). */
export function settleDue(env: LedgerEnv, now = Date.now()): Promise<SettlementRun> {
  return settleThrough(env, newYorkDate(now), now, null);
}

/**
 * Settles what is due on a day or before, part by part. A run that ends in the middle leaves the rest to the next one; nothing settles
 * twice, because what has settled is due no more.
 *
 * @param action of an operator: its id is the first part's
 */
export async function settleThrough(
  env: LedgerEnv,
  through: CalendarDate,
  now: number,
  action: OperatorAction | null,
): Promise<SettlementRun> {
  let settled = 0;
  for (let part = 0; part < PARTS_MAX; part++) {
    const isOperators = part === 0 && action !== null;
    const outcome = await transact(env, {
      kind: 'settle',
      id: isOperators ? action.id : uuidv7(),
      through,
      createdAt: now,
      event: isOperators ? settlementEvent(action, through, now) : null,
    });
    if (outcome.type === 'nothing_due') return { settled, isDone: true };
    if (outcome.type !== 'done') return { settled, isDone: false };
    settled += outcome.settled.length;
  }
  return { settled, isDone: false };
}

function settlementEvent(action: OperatorAction, through: CalendarDate, now: number) {
  const details = { through: dateText(through) };
  return operatorEvent({ action, type: 'operator.settlement', subject: 'venue', createdAt: now, details });
}
