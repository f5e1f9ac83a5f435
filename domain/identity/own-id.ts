/** Ids of ours are UUIDs, kept in lower case and read without regard to it (RFC 9562, section 4). */
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the shape of an id of ours, in whatever case it is written. */
export function isOwnId(text: string): boolean {
  return UUID.test(text);
}

/** An id as it is kept. Text that is no UUID stays as it is written. */
export function ownId(text: string): string {
  return isOwnId(text) ? text.toLowerCase() : text;
}
