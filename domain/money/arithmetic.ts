/**
 * Integer arithmetic on scaled amounts. Products go through BigInt when they leave 2^53; results are checked
 * (docs/design/money.md#integers).
 */

/** @throws RangeError when `value` is not a safe integer: an amount out of range is a bug upstream, where limits are checked. */
export function checked(value: number): number {
  if (!Number.isSafeInteger(value)) throw new RangeError(`amount ${value} is not a safe integer`);
  return value;
}

function checkedBigInt(value: bigint): number {
  return checked(Number(value));
}

/** floor(a × b ÷ divisor) for non-negative integers. */
export function mulDivFloor(a: number, b: number, divisor: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / divisor);
  return checkedBigInt((BigInt(a) * BigInt(b)) / BigInt(divisor));
}

/** The same, and at most the end of the range of exact amounts: for terms that people state, such as a high price for many shares. */
export function mulDivFloorAtMost(a: number, b: number, divisor: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.floor(product / divisor);
  const quotient = (BigInt(a) * BigInt(b)) / BigInt(divisor);
  return quotient > BigInt(Number.MAX_SAFE_INTEGER) ? Number.MAX_SAFE_INTEGER : Number(quotient);
}

/** ceil(a × b ÷ divisor) for non-negative integers. */
export function mulDivCeil(a: number, b: number, divisor: number): number {
  const product = a * b;
  if (product <= Number.MAX_SAFE_INTEGER) return Math.ceil(product / divisor);
  const d = BigInt(divisor);
  return checkedBigInt((BigInt(a) * BigInt(b) + d - 1n) / d);
}
