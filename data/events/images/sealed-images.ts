import type { KeyScope, ScopeKey } from '../keys/scope-key.ts';

/** What an image is, and with its id what it is sealed as. */
export type ImageKind = 'photo' | 'frame' | 'enhancement' | 'enhanced';

const KEYS_PER_DELETE = 1_000;

/** Where an image lies in R2: all of one scope under one prefix, so that they can be deleted together. */
export function imagePath(scope: KeyScope, kind: ImageKind, id: string): string {
  return `${scopePrefix(scope)}${kind}/${id}`;
}

/** Seals an image and stores it; the same one again takes its own place. */
export async function putImage(
  bucket: R2Bucket,
  key: ScopeKey,
  place: { readonly path: string; readonly kind: ImageKind; readonly id: string },
  image: Uint8Array,
): Promise<void> {
  await bucket.put(place.path, await key.seal(image, [place.kind, place.id]));
}

/** Null for an image that is not there, or that the key does not open. */
export async function getImage(
  bucket: R2Bucket,
  key: ScopeKey,
  place: { readonly path: string; readonly kind: ImageKind; readonly id: string },
): Promise<Uint8Array<ArrayBuffer> | null> {
  const object = await bucket.get(place.path);
  if (object === null) return null;
  return key.open(new Uint8Array(await object.arrayBuffer()), [place.kind, place.id]);
}

export async function deleteImages(bucket: R2Bucket, paths: readonly string[]): Promise<void> {
  for (let at = 0; at < paths.length; at += KEYS_PER_DELETE) {
    await bucket.delete(paths.slice(at, at + KEYS_PER_DELETE));
  }
}

/** Deletes all images of a scope: its event is shredded or its collection deleted. */
export async function deleteImagesOf(bucket: R2Bucket, scope: KeyScope): Promise<void> {
  for (;;) {
    const { objects } = await bucket.list({ prefix: scopePrefix(scope) });
    if (objects.length === 0) return;
    await bucket.delete(objects.map(({ key }) => key));
  }
}

function scopePrefix({ tenant, scope }: KeyScope): string {
  return `${encodeURIComponent(tenant)}/${encodeURIComponent(scope)}/`;
}
