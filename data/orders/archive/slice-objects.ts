import {
  type ArchivedOrder,
  OrderArchiveUnavailable,
  type OrderSlice,
  ordersOf,
  type WrittenSlice,
} from './order-slice.ts';

/**
 * The orders of a slice, by rising id.
 *
 * @throws OrderArchiveUnavailable when R2 does not answer, or has not what was archived
 */
export async function readSlice(bucket: R2Bucket, slice: OrderSlice): Promise<ArchivedOrder[]> {
  let text: string | null;
  try {
    text = (await (await bucket.get(slice.key))?.text()) ?? null;
  } catch (error) {
    throw new OrderArchiveUnavailable(`${slice.key} cannot be read`, { cause: error });
  }
  if (text === null) throw new OrderArchiveUnavailable(`${slice.key} is missing`);
  return ordersOf(slice, text);
}

/**
 * Writes a slice's object, once: what stands under its key is never overwritten.
 *
 * @throws Error when R2 does not answer, or has something else under the key
 */
export async function writeSlice(bucket: R2Bucket, { slice, text }: WrittenSlice): Promise<void> {
  const written = await bucket.put(slice.key, text, {
    onlyIf: { etagDoesNotMatch: '*' },
    sha256: slice.hash,
    httpMetadata: { contentType: 'application/json' },
  });
  if (written !== null) return;
  const there = await bucket.head(slice.key);
  if (there?.checksums.toJSON().sha256 !== slice.hash) throw new Error(`R2 has something else under ${slice.key}`);
}
