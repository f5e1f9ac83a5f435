import { fromScaled } from '../money/scaled.ts';

type Stored = Readonly<Record<string, string | number | null>>;

const TIMES = ['at', 'until'];

/** Facts as a mail names them, from how they are stored: times in milliseconds, amounts as scaled integers with their scale beside them. */
export function toldFacts({ scale, symbol, quantity_scale: quantityScale, ...stored }: Stored): Record<string, string> {
  const told = Object.entries(stored).flatMap(([name, value]) => {
    if (value === null) return [];
    if (typeof value === 'string') return [[name, value] as const];
    if (TIMES.includes(name)) return [[name, new Date(value).toISOString()] as const];
    if (name === 'amount') return [[name, `${amountOf(value, scale)} ${symbol ?? ''}`.trim()] as const];
    return [[name, amountOf(value, name === 'quantity' ? quantityScale : undefined)] as const];
  });
  return Object.fromEntries(told);
}

/** In full digits: no exponent stands in a mail. */
function amountOf(value: number, scale: string | number | null | undefined): string {
  const decimals = typeof scale === 'number' ? scale : 0;
  return fromScaled(value, decimals).toLocaleString('en-US', { maximumFractionDigits: 20, useGrouping: false });
}
