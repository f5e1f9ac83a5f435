const TAIL_DIGITS = 12;

/**
 * The id of a batch's order at `index`: it follows from the request's id, so that a repetition carries the same ones, and rises with
 * the index, so that a listing keeps the batch's sequence. Counts in the random tail of a UUIDv7 (RFC 9562, 5.7).
 */
export function batchOrderId(requestId: string, index: number): string {
  const tail = Number.parseInt(requestId.slice(-TAIL_DIGITS), 16);
  const counted = (tail + index) % 16 ** TAIL_DIGITS;
  return requestId.slice(0, -TAIL_DIGITS) + counted.toString(16).padStart(TAIL_DIGITS, '0');
}
