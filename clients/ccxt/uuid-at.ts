/** The smallest UUIDv7 of a moment, Unix milliseconds: ids of trades that came later are above it. */
export function uuidAt(at: number): string {
  const time = Math.max(0, Math.floor(at)).toString(16).padStart(12, '0');
  return `${time.slice(0, 8)}-${time.slice(8, 12)}-7000-8000-000000000000`;
}
