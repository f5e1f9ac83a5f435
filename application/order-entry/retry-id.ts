/**
 * The id under which to try again after the book has given up on one (`unavailable`: it never will be matched). It follows from the
 * first id alone, so that a client which repeats its request, with the id that its Idempotency-Key stands for, meets the same
 * orders again instead of placing more. Shaped as a UUIDv7 with the time of the first id.
 */
export async function retryId(orderId: string): Promise<string> {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`retry of ${orderId}`)));
  const hex = Array.from(digest.subarray(0, 10), (byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${orderId.slice(0, 13)}-7${hex.slice(0, 3)}-8${hex.slice(3, 6)}-${hex.slice(6, 18)}`;
}
