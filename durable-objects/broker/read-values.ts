import type { Decimal } from '../../domain/broker/broker-client.ts';
import { decimalToScaled, scaledToDecimal } from '../../domain/money/decimal-text.ts';

/** Decimals of brokers have up to nine places. */
export const PLACES = 9;
const VOLUME_PLACES = 4;

/** A decimal in its shortest form, from a broker's text or JSON number; null for anything else. */
export function plainDecimal(value: unknown): Decimal | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const read = decimalToScaled(String(value), PLACES);
  return read.ok ? scaledToDecimal(read.value, PLACES) : null;
}

/** Unix milliseconds of a time text; null for anything else. */
export function timeOf(value: unknown): number | null {
  const at_ms = typeof value === 'string' ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at_ms) ? null : at_ms;
}

/** A number of shares or coins, of which a day has more than fit beside nine decimals; what is smaller is left out. */
export function volumeOf(value: unknown): Decimal | null {
  if (typeof value !== 'string' && typeof value !== 'number') return null;
  const [, whole, places = ''] = /^(\d+)(\.\d+)?$/.exec(String(value)) ?? [];
  if (whole === undefined) return null;
  const read = decimalToScaled(`${whole}${places.slice(0, VOLUME_PLACES + 1)}`, VOLUME_PLACES);
  return read.ok ? scaledToDecimal(read.value, VOLUME_PLACES) : null;
}
