import { digest } from '../journal/digest.ts';

/**
 * The id of a trade: shaped as a UUIDv7 (RFC 9562, 5.7), 48 bits of the cycle's time, then where the random bits would be the trade
 * sequence (40 bits) and a digest of the book's symbol (34 bits). Replaying a cycle gives the same ids.
 */
export function tradeIds(symbol: string): (time_ms: number, tradeSequence: number) => string {
  const book = BigInt(`0x${digest(symbol)}`) & 0x3_ffff_ffffn;
  const tail = book.toString(16).padStart(9, '0');
  const variant = (8 + Number(book >> 32n)).toString(16);
  const low = tail.slice(1);
  return (time_ms, tradeSequence) => {
    const time = time_ms.toString(16).padStart(12, '0');
    const sequence = tradeSequence.toString(16).padStart(10, '0');
    return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.slice(0, 3)}-${variant}${sequence.slice(3, 6)}-${sequence.slice(6)}${low}`;
  };
}
