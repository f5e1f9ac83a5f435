import { derivedId } from '../identity/derived-id.ts';

/**
 * The id under which to try again after the book has given up on one (`unavailable`: it never will be matched). It follows from the
 * first id alone, so that a client which repeats its request, with the id that its Idempotency-Key stands for, meets the same
 * orders again instead of placing more. Shaped as a UUIDv7 with the time of the first id.
 */
export function retryId(orderId: string): Promise<string> {
  return derivedId(orderId, 'retry of');
}
