/**
 * Decimal numbers as text, computed on scaled integers. Nothing here ever becomes a float: `1.10` plus `2.20` is `3.30`, exactly.
 */
export type Decimal = string;

interface Scaled {
  readonly digits: bigint;
  readonly scale: number;
}

const PATTERN = /^([+-]?)(\d+)(?:\.(\d+))?$/;

export function isDecimal(text: string): boolean {
  return PATTERN.test(text);
}

function read(text: Decimal): Scaled {
  const match = PATTERN.exec(text);
  if (match === null) throw new Error(`"${text}" is no decimal number`);
  const [, sign, whole = '', fraction = ''] = match;
  const digits = BigInt(whole + fraction);
  return { digits: sign === '-' ? -digits : digits, scale: fraction.length };
}

function write({ digits, scale }: Scaled): Decimal {
  const sign = digits < 0n ? '-' : '';
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, '0');
  return scale === 0 ? sign + text : `${sign}${text.slice(0, -scale)}.${text.slice(-scale)}`;
}

function alike(a: Decimal, b: Decimal): { a: bigint; b: bigint; scale: number } {
  const [left, right] = [read(a), read(b)];
  const scale = Math.max(left.scale, right.scale);
  return { a: raise(left, scale), b: raise(right, scale), scale };
}

function raise({ digits, scale }: Scaled, to: number): bigint {
  return digits * 10n ** BigInt(to - scale);
}

export function add(a: Decimal, b: Decimal): Decimal {
  const both = alike(a, b);
  return write({ digits: both.a + both.b, scale: both.scale });
}

export function subtract(a: Decimal, b: Decimal): Decimal {
  const both = alike(a, b);
  return write({ digits: both.a - both.b, scale: both.scale });
}

export function multiply(a: Decimal, b: Decimal): Decimal {
  const [left, right] = [read(a), read(b)];
  return write({ digits: left.digits * right.digits, scale: left.scale + right.scale });
}

/** Cut after `scale` decimals, towards zero. */
export function divide(a: Decimal, b: Decimal, scale: number): Decimal {
  const both = alike(a, b);
  if (both.b === 0n) throw new Error('division by zero');
  return write({ digits: (both.a * 10n ** BigInt(scale)) / both.b, scale });
}

export function sum(values: readonly Decimal[]): Decimal {
  return values.reduce(add, '0');
}

/** Below zero, zero or above. */
export function sign(value: Decimal): -1 | 0 | 1 {
  const { digits } = read(value);
  if (digits === 0n) return 0;
  return digits < 0n ? -1 : 1;
}

/** Below zero where `a` is less than `b`. */
export function compare(a: Decimal, b: Decimal): -1 | 0 | 1 {
  return sign(subtract(a, b));
}

export function smaller(a: Decimal, b: Decimal): Decimal {
  return compare(a, b) <= 0 ? a : b;
}

/** The largest multiple of `step` that is not above `value`; both not negative. */
export function floorTo(value: Decimal, step: Decimal): Decimal {
  const both = alike(value, step);
  if (both.b <= 0n) throw new Error('a step is above zero');
  return trim(write({ digits: both.a - (both.a % both.b), scale: both.scale }));
}

/** The smallest multiple of `step` that is not below `value`; both not negative. */
export function ceilTo(value: Decimal, step: Decimal): Decimal {
  const floor = floorTo(value, step);
  return compare(floor, value) < 0 ? add(floor, step) : floor;
}

export function isMultiple(value: Decimal, step: Decimal): boolean {
  const both = alike(value, step);
  return both.a % both.b === 0n;
}

/** Without zeros at the end of the fraction. */
export function trim(value: Decimal): Decimal {
  return value.includes('.') ? value.replace(/\.?0+$/, '') : value;
}

/** Decimals that stand in the text. */
export function decimalsOf(value: Decimal): number {
  return read(value).scale;
}

/** Rounded half away from zero to `scale` decimals. */
export function round(value: Decimal, scale: number): Decimal {
  const number = read(value);
  if (number.scale <= scale) return write({ digits: raise(number, scale), scale });
  const unit = 10n ** BigInt(number.scale - scale);
  const half = number.digits < 0n ? -(unit / 2n) : unit / 2n;
  return write({ digits: (number.digits + half) / unit, scale });
}

/** The text of a number that a feed has sent: the shortest that stands for it, which is what was written. */
export function fromFeed(value: number): Decimal {
  const text = String(value);
  if (!text.includes('e')) return text;
  const decimals = Number(text.split('e-')[1] ?? 0) + (text.split('e')[0]?.split('.')[1]?.length ?? 0);
  return value.toFixed(Math.min(decimals, 100));
}
