import type { AgentLimits } from '../../../application/identity/authorization/allow-client.ts';
import { CASH_SCALE } from '../../../application/identity/keys/create-key.ts';
import type { StoredApiKey } from '../../../data/identity/api-keys.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { LimitFields, LimitProblems } from './pages.ts';

const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;
const SYMBOLS_MAX = 100;
const SYMBOL_LENGTH_MAX = 64;

/** Reads what a person has written: all that is wrong with it is said at once. Whoever may trade has a limit of a day. */
export function limitsOf(fields: LimitFields): Result<AgentLimits, LimitProblems> {
  const symbols = fields.symbols.split(/[\s,;]+/).filter((symbol) => symbol !== '');
  const dailyNotionalMax = amountOf(fields.dailyNotional);
  const dailyLossMax = amountOf(fields.dailyLoss);
  const areSymbols = symbols.length <= SYMBOLS_MAX && symbols.every(({ length }) => length <= SYMBOL_LENGTH_MAX);
  const problems: LimitProblems = {
    ...(areSymbols ? {} : { symbols: 'symbolsWrong' }),
    ...(dailyNotionalMax === undefined ? { dailyNotional: 'amountWrong' } : {}),
    ...(dailyNotionalMax === null && fields.mayTrade ? { dailyNotional: 'dailyNotionalMissing' } : {}),
    ...(dailyLossMax === undefined ? { dailyLoss: 'amountWrong' } : {}),
  };
  if (dailyNotionalMax === undefined || dailyLossMax === undefined || Object.keys(problems).length > 0)
    return err(problems);
  const { mayTrade } = fields;
  return ok({ mayTrade, symbols: symbols.length === 0 ? null : symbols, dailyNotionalMax, dailyLossMax });
}

/** As a person would have written the limits of a key; those of no key let it read alone. */
export function fieldsOf(key: StoredApiKey | null): LimitFields {
  const dollars = (cents: number | null | undefined) => (cents == null ? '' : String(cents / 10 ** CASH_SCALE));
  return {
    mayTrade: key?.scopes.includes('trade') ?? false,
    symbols: key?.symbols?.join(', ') ?? '',
    dailyNotional: dollars(key?.dailyNotionalMax),
    dailyLoss: dollars(key?.dailyLossMax),
  };
}

/** Null for none, undefined for what is no amount. */
function amountOf(text: string): number | null | undefined {
  const written = text.trim().replace(',', '.');
  if (written === '') return null;
  return AMOUNT.test(written) ? Number(written) : undefined;
}
