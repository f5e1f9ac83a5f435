/** The end of an id tells one from another: UUIDs of one hour begin alike. */
export function shortId(id: string): string {
  return id.length > 16 ? `…${id.slice(-8)}` : id;
}
