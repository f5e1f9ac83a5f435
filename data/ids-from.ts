/** The smallest UUIDv7 of this moment or later: it begins with its time (RFC 9562, 5.7). */
export function idsFrom(time_ms: number): string {
  const time = time_ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
