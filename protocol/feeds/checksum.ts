import { crc32 } from './crc32.ts';

/** Levels a side that a checksum covers. */
const CHECKSUM_LEVELS = 10;

export type WireLevel = readonly [price: number, size: number];

/**
 * CRC-32 (ISO 3309, as in zlib) over the top ten levels of each side that the subscriber sees: `price:size` of each, numbers as
 * `Number::toString` writes them, joined by commas, bids best first, a bar, asks best first. Unsigned.
 */
export function bookChecksum(bids: readonly WireLevel[], asks: readonly WireLevel[]): number {
  return crc32(encoder.encode(`${sideText(bids)}|${sideText(asks)}`));
}

const encoder = new TextEncoder();

function sideText(levels: readonly WireLevel[]): string {
  let text = '';
  for (let i = 0; i < levels.length && i < CHECKSUM_LEVELS; i++) {
    const level = levels[i]!;
    text += i === 0 ? `${level[0]}:${level[1]}` : `,${level[0]}:${level[1]}`;
  }
  return text;
}
