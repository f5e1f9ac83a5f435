/** `,`, line feed, `[` and `{`: what stands before each value but the first, of JSON and of CSV. */
const IS_SEPARATOR = new Uint8Array(256);
for (const character of ',\n[{') IS_SEPARATOR[character.charCodeAt(0)] = 1;

/**
 * How many separators a text of JSON or CSV has, in its strings as well: it has no more values than that and one. A value of two bytes takes some fifty of memory once it is parsed, so that its
 * bytes do not bound what a body takes.
 *
 * @param enough where counting ends
 */
export function separatorsIn(bytes: Uint8Array, enough: number): number {
  let count = 0;
  for (let at = 0; at < bytes.length && count < enough; at++) count += IS_SEPARATOR[bytes[at] as number] as number;
  return count;
}

const LINE_FEED = 0x0a;
const HYPHEN = 0x2d;

/**
 * How many lines of a body begin with two hyphens: a form has no more parts than that and one, whatever stands between them (RFC 2046, 5.1.1). An empty part
 * of some fifty bytes takes several times as much once it is parsed.
 *
 * @param enough where counting ends
 */
export function partsIn(bytes: Uint8Array, enough: number): number {
  let count = 0;
  // At the last of the three bytes: others before it say how far the next one is away at the least.
  for (let at = 2; at < bytes.length && count < enough; ) {
    const byte = bytes[at];
    if (byte === HYPHEN) {
      if (bytes[at - 1] === HYPHEN && bytes[at - 2] === LINE_FEED) count += 1;
      at += 1;
    } else at += byte === LINE_FEED ? 2 : 3;
  }
  return count;
}
