/** How large a store was at a moment. */
export interface StoreSize {
  readonly bytes: number;
  /** Unix milliseconds. */
  readonly seenAt: number;
}

export interface StoreGrowth {
  /** Bytes that a day has added; negative where it shrinks, null where less than a day was seen. */
  readonly bytesPerDay: number | null;
  /** Days until it is full at that rate; null where it does not grow. */
  readonly daysLeft: number | null;
}

const DAY_MS = 86_400_000;

/** @param sizes by rising time, at most so many days as growth is to go by */
export function growthOf(sizes: readonly StoreSize[], bytesMax: number): StoreGrowth {
  const first = sizes[0];
  const last = sizes.at(-1);
  if (first === undefined || last === undefined || last.seenAt - first.seenAt < DAY_MS)
    return { bytesPerDay: null, daysLeft: null };
  const bytesPerDay = Math.round(((last.bytes - first.bytes) * DAY_MS) / (last.seenAt - first.seenAt));
  const left = Math.max(0, bytesMax - last.bytes);
  return { bytesPerDay, daysLeft: bytesPerDay > 0 ? Math.floor(left / bytesPerDay) : null };
}

const BYTES_PER_GB = 1_000_000_000;
/** What Cloudflare lets a database of D1, or an object, hold. */
const STORE_GB_MAX = 10;
const REGISTERS_STOP_GB = 8;

/** From which size on a store is told, and from which one on it is an error. */
export interface StoreBounds {
  readonly bytesMax: number;
  readonly warnedFrom: number;
  /** From here on nobody adds rows to a register: what is left is for orders and what they settle. */
  readonly stopFrom: number;
}

/**
 * By what a deployment states, in GB (10^9 bytes): how much a store holds, and from where on registers stop. Null where it states something else than two
 * numbers above zero, the second at most the first.
 */
export function storeBounds(gbMax: string | undefined, stopGb: string | undefined): StoreBounds | null {
  const max = Number(gbMax ?? STORE_GB_MAX);
  const stop = Number(stopGb ?? REGISTERS_STOP_GB);
  if (!(max > 0 && stop > 0 && stop <= max && max < 1_000_000)) return null;
  const bytesMax = Math.round(max * BYTES_PER_GB);
  const stopFrom = Math.round(stop * BYTES_PER_GB);
  return { bytesMax, stopFrom, warnedFrom: Math.min(stopFrom, Math.round(bytesMax * WARNED_PART)) };
}

/** Part of a store at which it is told. */
const WARNED_PART = 0.6;
