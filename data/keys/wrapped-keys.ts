import { type MasterKeys, masterKeysOf } from './master-keys.ts';

/** Name under which the metadata of a wrapped key in R2 says which master key wraps it, so that a listing tells. The bytes say it, too, and are what opens. */
const MASTER = 'master';
const LISTED = 250;

/** Stores a wrapped key where none is; false where one is there: of several at the same time one succeeds. */
export async function putWrappedKey(
  bucket: R2Bucket,
  path: string,
  wrapped: Uint8Array<ArrayBuffer>,
  [master]: MasterKeys,
): Promise<boolean> {
  const put = { onlyIf: { etagDoesNotMatch: '*' }, customMetadata: { [MASTER]: master.id } };
  return (await bucket.put(path, wrapped, put)) !== null;
}

export interface Rewrapped {
  readonly count: number;
  readonly closed: readonly string[];
  readonly next: string | null;
}

/**
 * Wraps keys by the first master key that another one has wrapped. A key that is destroyed meanwhile stays destroyed: what is written takes the place of the very bytes that were read, and
 * of nothing else.
 *
 * @param prefix of their paths
 * @param after where the last call has ended, null for the beginning
 * @param rewrap the same key under the first of the master keys
 * @returns how many were wrapped anew, paths of those that no stated key opens, which keep back no other, and where to go on; null at the end
 */
export async function rewrapKeys(
  bucket: R2Bucket,
  prefix: string,
  stated: string,
  after: string | null,
  rewrap: (masters: MasterKeys, path: string, stored: Uint8Array) => Promise<Uint8Array<ArrayBuffer>>,
): Promise<Rewrapped> {
  const masters = await masterKeysOf(stated);
  const [{ id }] = masters;
  const page = await listWrapped(bucket, prefix, after);
  const closed: string[] = [];
  let count = 0;
  for (const { key: path, customMetadata } of page.objects) {
    if (customMetadata?.[MASTER] === id) continue;
    const object = await bucket.get(path);
    if (object === null) continue;
    const bytes = await rewrap(masters, path, new Uint8Array(await object.arrayBuffer())).catch(() => null);
    if (bytes === null) {
      closed.push(path);
      continue;
    }
    const put = { onlyIf: { etagMatches: object.etag }, customMetadata: { [MASTER]: id } };
    if ((await bucket.put(path, bytes, put)) !== null) count += 1;
  }
  return { count, closed, next: page.truncated ? page.cursor : null };
}

/** How many keys each master key wraps, by its id; the empty text for those from before they had ids. */
export async function countWrappedKeys(bucket: R2Bucket, prefix: string): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (let after: string | null = null; ; ) {
    const page = await listWrapped(bucket, prefix, after);
    for (const { customMetadata } of page.objects) {
      const id = customMetadata?.[MASTER] ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    if (!page.truncated) return counts;
    after = page.cursor;
  }
}

function listWrapped(bucket: R2Bucket, prefix: string, after: string | null): Promise<R2Objects> {
  const from = after === null ? {} : { cursor: after };
  return bucket.list({ prefix, limit: LISTED, include: ['customMetadata'], ...from });
}
