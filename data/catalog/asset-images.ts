import type { ImageType } from '../../domain/events/image-type.ts';

/** The image of an asset, as its bucket keeps it. */
export interface StoredImage {
  readonly type: string;
  readonly hash: string;
  readonly body: ReadableStream;
}

/** Stores an image under its content's hash, and answers the object's name; the same one again takes its own place. */
export async function putAssetImage(
  bucket: R2Bucket,
  { assetId, hash, type, image }: { assetId: string; hash: string; type: ImageType; image: ArrayBuffer },
): Promise<string> {
  const object = `${assetId}/${hash}`;
  await bucket.put(object, image, { httpMetadata: { contentType: type } });
  return object;
}

/** Null for one that is not there. */
export async function getAssetImage(bucket: R2Bucket, object: string): Promise<StoredImage | null> {
  const stored = await bucket.get(object);
  if (stored === null) return null;
  const type = stored.httpMetadata?.contentType ?? 'application/octet-stream';
  return { type, hash: object.slice(object.lastIndexOf('/') + 1), body: stored.body };
}
