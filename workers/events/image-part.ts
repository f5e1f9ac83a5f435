import { z } from '@hono/zod-openapi';
import { IMAGE_BYTES_MAX } from '../../application/events/images/image-bytes.ts';

/** What a multipart body may be longer than its images: boundaries, headers and the other fields. */
const FORM_BYTES_MAX = 64 * 1_024;

/** Largest body with one image. */
export const IMAGE_BODY_BYTES_MAX = IMAGE_BYTES_MAX + FORM_BYTES_MAX;
/** Largest body with several: they lie in memory at once. */
export const IMAGES_BODY_BYTES_MAX = 2 * IMAGE_BYTES_MAX + FORM_BYTES_MAX;

/** An image file of a multipart body: JPEG, PNG or WebP, told by its content. */
export const ImagePart = z
  .instanceof(File)
  .openapi({ type: 'string', format: 'binary', description: 'JPEG, PNG or WebP, at most 10 MiB.' });
