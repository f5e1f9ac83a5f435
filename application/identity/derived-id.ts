/** An id that follows from another and from what it is of, shaped as a UUIDv7 with the time of the first. */
export async function derivedId(id: string, of: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`${of} ${id}`)));
  const hex = Array.from(digest.subarray(0, 10), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${id.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
