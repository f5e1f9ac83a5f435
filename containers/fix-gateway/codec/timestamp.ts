const TIMESTAMP = /^(\d{4})(\d{2})(\d{2})-(\d{2}):(\d{2}):(\d{2})(?:\.(\d{3,9}))?$/;

/** UTCTimestamp with milliseconds. @example writeTimestamp(0) // '19700101-00:00:00.000' */
export function writeTimestamp(time_ms: number): string {
  const iso = new Date(time_ms).toISOString();
  return `${iso.slice(0, 4)}${iso.slice(5, 7)}${iso.slice(8, 10)}-${iso.slice(11, 23)}`;
}

/** Unix milliseconds of a UTCTimestamp, or null when it is none. A leap second counts as the second after it. */
export function readTimestamp(text: string): number | null {
  const found = TIMESTAMP.exec(text);
  if (found === null) return null;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = found.slice(1, 7).map(Number);
  if (month < 1 || month > 12 || day < 1 || hour > 23 || minute > 59 || second > 60) return null;
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return null;
  return Date.UTC(year, month - 1, day, hour, minute, second, Number((found[7] ?? '0').slice(0, 3)));
}
