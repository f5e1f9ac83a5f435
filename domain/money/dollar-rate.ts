import { err, ok, type Result } from '../result.ts';

/** Units of the venue's dollar for `denominator` units of an asset that markets quote in; both above 0. */
export interface DollarRate {
  readonly numerator: number;
  readonly denominator: number;
}

/** A rate as the ledger states it: from 1, one more with each change. */
export interface VersionedRate extends DollarRate {
  readonly version: number;
}

/** Of a rate as people state it, in whole dollars for whole units: numerator and denominator. */
export const STATED_TERM_MAX = 1_000_000_000;

/** Of a rate in units. */
const TERM_MAX = 10 ** 15;

interface Scales {
  readonly dollarScale: number;
  readonly assetScale: number;
}

/**
 * A rate that is stated in whole dollars for whole units, in units, in its lowest terms.
 *
 * @example rateInUnits({ numerator: 11, denominator: 10 }, { dollarScale: 4, assetScale: 2 }) // 110 / 1: a cent of it is $0.0110
 */
export function rateInUnits(stated: DollarRate, { dollarScale, assetScale }: Scales): Result<DollarRate, 'too_large'> {
  const rate = lowest(
    BigInt(stated.numerator) * 10n ** BigInt(dollarScale),
    BigInt(stated.denominator) * 10n ** BigInt(assetScale),
  );
  return isDollarRate(rate) ? ok(rate) : err('too_large');
}

/** The same the other way round. */
export function rateInWholes(rate: DollarRate, { dollarScale, assetScale }: Scales): DollarRate {
  return lowest(
    BigInt(rate.numerator) * 10n ** BigInt(assetScale),
    BigInt(rate.denominator) * 10n ** BigInt(dollarScale),
  );
}

/** Whether amounts may be converted by it. */
export function isDollarRate({ numerator, denominator }: DollarRate): boolean {
  return [numerator, denominator].every((term) => Number.isSafeInteger(term) && term > 0 && term <= TERM_MAX);
}

/**
 * What an amount comes to in units of the dollar, rounded up; itself where no rate is given. Beyond the range of exact amounts it is the end
 * of that.
 *
 * @param amount not below 0
 */
export function inDollarsUp(amount: number, rate: DollarRate | null | undefined): number {
  if (rate == null) return amount;
  const { numerator, denominator } = rate;
  const product = amount * numerator;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / denominator);
  const divisor = BigInt(denominator);
  return atMost((BigInt(amount) * BigInt(numerator) + divisor - 1n) / divisor);
}

/** The same, rounded down. */
export function inDollarsDown(amount: number, rate: DollarRate | null | undefined): number {
  if (rate == null) return amount;
  const { numerator, denominator } = rate;
  const product = amount * numerator;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / denominator);
  return atMost((BigInt(amount) * BigInt(numerator)) / BigInt(denominator));
}

function atMost(amount: bigint): number {
  return amount > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(amount);
}

function lowest(numerator: bigint, denominator: bigint): DollarRate {
  let [divisor, rest] = [numerator, denominator];
  while (rest !== 0n) [divisor, rest] = [rest, divisor % rest];
  return { numerator: Number(numerator / divisor), denominator: Number(denominator / divisor) };
}
