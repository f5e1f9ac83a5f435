/**
 * What a transaction of Cardano is written in: CBOR of definite lengths, each number as short as it can be (RFC 8949, section 4.2.1). Items are hexadecimal, so that they are put
 * together as text.
 */
const MAJOR = { number: 0, bytes: 2, array: 4, map: 5, tag: 6 } as const;
const U64_MAX = 2n ** 64n - 1n;
/** What follows the first byte of an item, by how large its number is. */
const WIDTHS = [
  { below: 0x100n, info: 24, digits: 2 },
  { below: 0x1_0000n, info: 25, digits: 4 },
  { below: 0x1_0000_0000n, info: 26, digits: 8 },
] as const;

export const CBOR_TRUE = 'f5';
export const CBOR_NULL = 'f6';

/** @throws RangeError where it is negative, or has more than 64 bits */
export function cborNumber(value: bigint): string {
  return head('number', value);
}

export function cborBytes(hex: string): string {
  return head('bytes', BigInt(hex.length / 2)) + hex;
}

export function cborArray(items: readonly string[]): string {
  return head('array', BigInt(items.length)) + items.join('');
}

/** Its entries stay in their order. */
export function cborMap(entries: readonly (readonly [key: string, value: string])[]): string {
  return head('map', BigInt(entries.length)) + entries.flat().join('');
}

/** A set without an order of its own (tag 258, as Conway writes it): none of its items may stand in it twice. */
export function cborSet(items: readonly string[]): string {
  return head('tag', 258n) + cborArray(items);
}

function head(major: keyof typeof MAJOR, value: bigint): string {
  if (value < 0n || value > U64_MAX) throw new RangeError(`${value} is no number of 64 bits`);
  const { info, digits } =
    value < 24n
      ? { info: Number(value), digits: 0 }
      : (WIDTHS.find(({ below }) => value < below) ?? { info: 27, digits: 16 });
  const first = ((MAJOR[major] << 5) | info).toString(16).padStart(2, '0');
  return digits === 0 ? first : first + value.toString(16).padStart(digits, '0');
}
