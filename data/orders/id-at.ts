/** What every id of an order made from this moment on is above, and every earlier one below (UUIDv7, RFC 9562 section 5.7). */
export function idAt(at: number): string {
  const hex = at.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-0000-0000-000000000000`;
}
