/** Bytes of a text that D1 takes: as a parameter of a statement, or in a row (Cloudflare, limits of D1). */
export const TEXT_BYTES_MAX = 2_000_000;

/** Bytes at which a list is cut that goes to D1 as one text: half of what it takes. @internal */
export const LIST_BYTES_MAX = 1_000_000;

/**
 * Cuts a list into parts, each of which is one JSON text for D1: so many items at most, and so many bytes of UTF-8 as JSON writes them. An item that is larger
 * than that by itself is a part by itself.
 */
export function listParts<Item>(items: readonly Item[], items_max: number): Item[][] {
  const parts: Item[][] = [];
  let part: Item[] = [];
  let bytes = 0;
  for (const item of items) {
    // And the comma.
    const itemBytes = Buffer.byteLength(JSON.stringify(item)) + 1;
    if (part.length > 0 && (part.length === items_max || bytes + itemBytes > LIST_BYTES_MAX)) {
      parts.push(part);
      part = [];
      bytes = 0;
    }
    part.push(item);
    bytes += itemBytes;
  }
  if (part.length > 0) parts.push(part);
  return parts;
}

/** Whether D1 takes the text. Most are so short that nobody has to count their bytes. */
export function fitsD1(text: string): boolean {
  return text.length * 3 <= TEXT_BYTES_MAX || Buffer.byteLength(text) <= TEXT_BYTES_MAX;
}
