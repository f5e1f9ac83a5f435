const UUID_V7 = /^([0-9a-f]{8})-([0-9a-f]{4})-7/i;

/** When an id was made, Unix milliseconds; undefined where it is no UUIDv7. */
export function timeOfUuid(id: string | undefined): number | undefined {
  const [, high, low] = UUID_V7.exec(id ?? '') ?? [];
  return high === undefined || low === undefined ? undefined : Number.parseInt(high + low, 16);
}

/** The smallest UUIDv7 of a moment, Unix milliseconds: ids of trades that came later are above it. */
export function uuidAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7000-8000-000000000000`;
}
