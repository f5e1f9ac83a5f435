import type { AssetCategory } from '../assets/asset.ts';
import { currencyDecimals } from './currency-decimals.ts';
import { type ScaledResult, toScaled } from './scaled.ts';

interface PaidAsset {
  readonly symbol: string;
  readonly category: AssetCategory;
  /** Decimals that the venue counts. */
  readonly scale: number;
}

/** Decimals in which an asset is paid in and out: of money those of its currency, of anything else all that are counted. */
export function paidDecimals({ symbol, category, scale }: PaidAsset): number {
  return category === 'currency' || category === 'forex' ? currencyDecimals(symbol, scale) : scale;
}

/**
 * An amount that is paid in or out, as a scaled integer. Trades may leave less than a cent in an account; nobody can pay or be paid that.
 *
 * @example toPaid(0.001, { symbol: 'USD', category: 'currency', scale: 4 }) // too_many_decimals, decimals_max 2
 */
export function toPaid(value: number, asset: PaidAsset): ScaledResult {
  const paid = toScaled(value, paidDecimals(asset));
  return paid.ok ? toScaled(value, asset.scale) : paid;
}
