import { type DailyMovements, type MovementKind, readDailyMovements } from '../../data/accounts/movements.ts';
import { listRealizedByDay, type RealizedDay } from '../../data/accounts/realized-by-day.ts';
import { database } from '../../data/database.ts';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import { type DayValue, valueByDay } from '../../domain/portfolio/value-by-day.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { readPriceHistory } from './price-history.ts';

/** Days of one answer. */
export const DAYS_MAX = 366;
/** Closes of one answer: so many assets by so many days. */
export const CLOSES_MAX = 100_000;

/** More than one answer adds up. */
type TooMuch = 'too_many_movements' | 'too_many_closes';

export interface ValueHistory {
  readonly days: readonly DayValue[];
  readonly realized: ReadonlyMap<number, RealizedDay>;
  /** Symbols, by asset. */
  readonly symbols: ReadonlyMap<string, string>;
  readonly cashScale: number;
}

/** Movements that bring something in, or take it out: neither profit nor loss. A dividend is a profit. */
const FLOWS: ReadonlySet<MovementKind> = new Set<MovementKind>(['deposit', 'withdrawal', 'bridge', 'register_entry']);

/**
 * What the account was worth at the end of each day of UTC, from its movements and the closes of each day: nothing is stored, so it agrees with the
 * ledger. Call it once D1 has what the account's books have acknowledged.
 *
 * @param first midnight of the first day, @param last of the last one
 */
export async function readValueByDay(
  env: Env,
  account: string,
  { first, last }: { readonly first: number; readonly last: number },
): Promise<Result<ValueHistory, TooMuch>> {
  const db = database(env.DB);
  const moved = await readDailyMovements(db, account, first);
  if (moved === null) return err('too_many_movements');
  const cash = cashOf(moved);
  const priced = [...new Set([...moved.now, ...moved.days].map(({ asset }) => asset))].filter((id) => id !== cash.id);
  if (priced.length * ((last - first) / DAY_MS + 1) > CLOSES_MAX) return err('too_many_closes');
  const realized = await listRealizedByDay(db, account, first);
  const prices = await readPriceHistory(env, priced, first, Date.now());
  const changes = moved.days.map(({ kind, ...change }) => ({
    ...change,
    isFlow: FLOWS.has(kind),
    isSplit: kind === 'split',
  }));
  return ok({
    days: valueByDay({ now: moved.now, changes, first, last, cash: cash.id, cashScale: cash.scale, prices }),
    realized: new Map(realized.map((row) => [row.day, row])),
    symbols: new Map(moved.assets.map(({ id, symbol }) => [id, symbol])),
    cashScale: cash.scale,
  });
}

/** An account without a dollar is worth no dollars in cash. */
function cashOf({ assets }: DailyMovements): { readonly id: string; readonly scale: number } {
  return assets.find(({ symbol }) => symbol === CASH_SYMBOL) ?? { id: '', scale: 2 };
}
