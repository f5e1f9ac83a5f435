import { type Decimal, round, sign } from './decimal.ts';

interface Shown {
  /** Decimals, always as many. */
  readonly decimals?: number | undefined;
  /** At most so many, without zeros at the end. */
  readonly upTo?: number | undefined;
  /** With its sign, above zero as well. */
  readonly signed?: boolean | undefined;
}

/** Formats a decimal by the locale, exactly: `Intl` reads the text itself and makes no float of it. */
export function showNumber(value: Decimal, locale: string, { decimals, upTo, signed = false }: Shown = {}): string {
  const most = decimals ?? upTo ?? 20;
  const format = new Intl.NumberFormat(locale, {
    minimumFractionDigits: decimals ?? 0,
    maximumFractionDigits: most,
    signDisplay: signed ? 'exceptZero' : 'negative',
  });
  return format.format(round(value, most) as unknown as bigint).replace('-', '\u2212');
}

/** Class of a gain or a loss; the sign stands beside it. */
export function toneOf(value: Decimal): 'up' | 'down' | undefined {
  return ({ '-1': 'down', 0: undefined, 1: 'up' } as const)[sign(value)];
}
