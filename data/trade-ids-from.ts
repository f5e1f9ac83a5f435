/** The smallest id of a trade of this moment or later: ids of trades begin with its time (RFC 9562, 5.7). */
export function tradeIdsFrom(time_ms: number): string {
  const time = time_ms.toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8)}`;
}
