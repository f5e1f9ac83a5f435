/** Unix milliseconds at which a UUIDv7 was made (RFC 9562, 5.7): the same in an acknowledgement and in every later read. */
export function createdAtOf(uuidv7: string): number {
  return Number.parseInt(uuidv7.slice(0, 8) + uuidv7.slice(9, 13), 16);
}
