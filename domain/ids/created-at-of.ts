/** Unix milliseconds at which a UUIDv7 was made (RFC 9562, 5.7): the same in an acknowledgement and in every later read. */
export function createdAtOf(uuidv7: string): number {
  return Number.parseInt(uuidv7.slice(0, 8) + uuidv7.slice(9, 13), 16);
}

/** No UUIDv7 that is made at that time or later sorts before it. */
export function firstIdOf(time: number): string {
  const hex = time.toString(16).padStart(12, '0');
  return `${hex.slice(0, 8)}-${hex.slice(8)}-7000-8000-000000000000`;
}
