import type { AgentAssetLimit, AgentLimits } from '../../../application/identity/authorization/allow-client.ts';
import { CASH_SCALE } from '../../../application/identity/keys/create-key.ts';
import { findAssetNames } from '../../../data/catalog/asset-names.ts';
import type { Database } from '../../../data/database.ts';
import type { StoredApiKey } from '../../../data/identity/api-keys.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { AssetFields, AssetProblems, LimitFields, LimitProblems } from './pages.ts';

const AMOUNT = /^\d{1,9}(?:\.\d{1,2})?$/;
/** Of an asset: 15 digits, since a number holds so many exactly. */
const QUANTITY = /^(?=(?:\.?\d){1,15}$)\d+(?:\.\d+)?$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const SYMBOLS_MAX = 100;
const SYMBOL_LENGTH_MAX = 64;
const ASSET_LENGTH_MAX = 200;
/** Assets of one agent that limits can be stated of, as the fields of the page are numbered. */
export const ASSET_ROWS = [1, 2, 3, 4, 5] as const;

/** Reads what a person has written: all that is wrong with it is said at once. Whoever may trade has a limit of a day. */
export function limitsOf(fields: LimitFields): Result<AgentLimits, LimitProblems> {
  const symbols = fields.symbols.split(/[\s,;]+/).filter((symbol) => symbol !== '');
  const dailyNotionalMax = numberOf(fields.dailyNotional, AMOUNT);
  const dailyLossMax = numberOf(fields.dailyLoss, AMOUNT);
  const until = endOf(fields.until);
  const areSymbols = symbols.length <= SYMBOLS_MAX && symbols.every(({ length }) => length <= SYMBOL_LENGTH_MAX);
  const assets = fields.assets.map(assetLimitOf);
  const problems: LimitProblems = {
    ...(areSymbols ? {} : { symbols: 'symbolsWrong' }),
    ...(dailyNotionalMax === undefined ? { dailyNotional: 'amountWrong' } : {}),
    ...(dailyNotionalMax === null && fields.mayTrade ? { dailyNotional: 'dailyNotionalMissing' } : {}),
    ...(dailyLossMax === undefined ? { dailyLoss: 'amountWrong' } : {}),
    ...(until === undefined ? { until: 'untilWrong' } : {}),
    ...(assets.every(({ ok: holds }) => holds)
      ? {}
      : { assets: assets.map((asset): AssetProblems => (asset.ok ? {} : asset.error)) }),
  };
  if (dailyNotionalMax === undefined || dailyLossMax === undefined || until === undefined) return err(problems);
  if (Object.keys(problems).length > 0) return err(problems);
  return ok({
    mayTrade: fields.mayTrade,
    symbols: symbols.length === 0 ? null : symbols,
    dailyNotionalMax,
    dailyLossMax,
    until,
    assets: assets.flatMap((asset) => (asset.ok && asset.value !== null ? [asset.value] : [])),
  });
}

/** Null for a row that says nothing. */
function assetLimitOf({ asset, position, order }: AssetFields): Result<AgentAssetLimit | null, AssetProblems> {
  const name = asset.trim();
  const positionMax = numberOf(position, QUANTITY);
  const orderMax = numberOf(order, QUANTITY);
  const isStated = positionMax !== null || orderMax !== null;
  if (name === '' && !isStated) return ok(null);
  const problems: AssetProblems = {
    ...(name === '' ? { asset: 'assetMissing' } : {}),
    ...(name.length > ASSET_LENGTH_MAX ? { asset: 'assetWrong' } : {}),
    ...(isStated ? {} : { position: 'assetLimitMissing' }),
    ...(positionMax === undefined ? { position: 'quantityWrong' } : {}),
    ...(orderMax === undefined ? { order: 'quantityWrong' } : {}),
  };
  if (positionMax === undefined || orderMax === undefined || Object.keys(problems).length > 0) return err(problems);
  return ok({ asset: name, positionMax, orderMax });
}

/** As a person would have written the limits of a key; those of no key let it read alone. */
export async function fieldsOf(db: Database, key: StoredApiKey | null): Promise<LimitFields> {
  const dollars = (cents: number | null | undefined) => (cents == null ? '' : String(cents / 10 ** CASH_SCALE));
  const limits = key === null ? [] : await assetLimitsOf(db, key);
  const none: AssetFields = { asset: '', position: '', order: '' };
  return {
    mayTrade: key?.scopes.includes('trade') ?? false,
    symbols: key?.symbols?.join(', ') ?? '',
    dailyNotional: dollars(key?.dailyNotionalMax),
    dailyLoss: dollars(key?.dailyLossMax),
    until: key === null || key.expiresAt === null ? '' : lastDayOf(key.expiresAt),
    assets: [...limits, ...ASSET_ROWS.slice(limits.length).map(() => none)],
  };
}

/** What a key may hold and order of each asset, as decimals; '' for no limit. */
async function assetLimitsOf(
  db: Database,
  { positionLimits, orderSizeLimits }: Pick<StoredApiKey, 'positionLimits' | 'orderSizeLimits'>,
): Promise<AssetFields[]> {
  const ids = [...new Set([...Object.keys(positionLimits ?? {}), ...Object.keys(orderSizeLimits ?? {})])];
  if (ids.length === 0) return [];
  const names = new Map((await findAssetNames(db, ids)).map((name) => [name.id, name]));
  return ids.map((id) => {
    const { symbol, scale } = names.get(id) ?? { symbol: id, scale: 0 };
    const written = (limit: number | undefined) => (limit === undefined ? '' : scaledToDecimal(limit, scale));
    return { asset: symbol, position: written(positionLimits?.[id]), order: written(orderSizeLimits?.[id]) };
  });
}

/** The last day before an end, UTC, as a field for days has it. */
function lastDayOf(end: number): string {
  return new Date(end - 1).toISOString().slice(0, 10);
}

/** The end of a day that is written, UTC, Unix milliseconds. Null for none, undefined for what is no day. */
function endOf(text: string): number | null | undefined {
  const day = text.trim();
  if (day === '') return null;
  const begin = DAY.test(day) ? Date.parse(`${day}T00:00:00.000Z`) : Number.NaN;
  // The 30th of February is read as a day of March.
  return !Number.isNaN(begin) && lastDayOf(begin + DAY_MS) === day ? begin + DAY_MS : undefined;
}

/** Null for none, undefined for what is no number of this form. */
function numberOf(text: string, form: RegExp): number | null | undefined {
  const written = text.trim().replace(',', '.');
  if (written === '') return null;
  return form.test(written) ? Number(written) : undefined;
}
