import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

/** Largest image that the service takes (docs/design/faces-and-galleries.md#image-limits). */
export const IMAGE_BYTES_MAX = 10 * 1_024 * 1_024;

/** The bytes of an image that was sent, where there are any and not too many. */
export async function imageBytesOf(image: Blob): Promise<Result<Uint8Array<ArrayBuffer>, ApiError>> {
  if (image.size === 0) return err(apiError('VALIDATION_ERROR', 'the image is empty', { reason: 'empty' }));
  if (image.size > IMAGE_BYTES_MAX)
    return err(apiError('PAYLOAD_TOO_LARGE', 'the image is too large', { bytes_max: IMAGE_BYTES_MAX }));
  return ok(new Uint8Array(await image.arrayBuffer()));
}
