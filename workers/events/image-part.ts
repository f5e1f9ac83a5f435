import { z } from '@hono/zod-openapi';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** docs/design/faces-and-galleries.md#image-limits */
export const IMAGE_BYTES_MAX = 10 * 1_024 * 1_024;

/** What a multipart body may be longer than its image: boundaries, headers and the other fields. */
export const FORM_BYTES_MAX = 64 * 1_024;

/** An image file of a multipart body: JPEG, PNG or WebP, told by its content. */
export const ImagePart = z
  .instanceof(File)
  .openapi({ type: 'string', format: 'binary', description: 'JPEG, PNG or WebP, at most 10 MiB.' });

export type ImageBytes =
  | { readonly ok: true; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly ok: false; readonly error: ApiError };

export async function imageBytesOf(part: Blob): Promise<ImageBytes> {
  const error = imageSizeError(part.size);
  return error === null ? { ok: true, bytes: new Uint8Array(await part.arrayBuffer()) } : { ok: false, error };
}

function imageSizeError(byteLength: number): ApiError | null {
  if (byteLength === 0) return apiError('VALIDATION_ERROR', 'the image is empty', { reason: 'empty' });
  if (byteLength > IMAGE_BYTES_MAX)
    return apiError('PAYLOAD_TOO_LARGE', 'the image is too large', { bytesMax: IMAGE_BYTES_MAX });
  return null;
}
