import sharp, { type Metadata } from 'sharp';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { RgbImage } from '../engine/engine.ts';
import { type Failure, failure } from '../failure.ts';
import { imageFormat } from './image-format.ts';
import { isAnimatedPng } from './is-animated-png.ts';
import { countParts, isPartsFailure } from './picture-parts.ts';

export interface ImageLimits {
  /** Shorter side, in pixels. */
  readonly side_min: number;
  /** Of the decoded photo. */
  readonly pixels_max: number;
  /** Of an enhanced one. */
  readonly enhanced_pixels_max: number;
}

/** What shows through a transparent pixel. */
const BACKGROUND = '#ffffff';

/**
 * Decodes a JPEG, PNG or WebP, which it tells by its content, into upright 8-bit RGB: EXIF rotation applied, colour profile turned into
 * sRGB, grey, palette, CMYK and 16-bit widened or narrowed, transparency laid over white. Scans, chunks and metadata are counted before
 * sharp sees the image, and pixels by the header, before any of them is decoded.
 *
 * Fails with UNSUPPORTED_MEDIA_TYPE for other content and INVALID_IMAGE with `details.reason`: `empty`, `unreadable`, `animated`,
 * `too_small`, `too_many_pixels`, `too_many_scans`, `too_many_chunks`, `too_much_metadata`, `truncated`.
 */
export async function decodeImage(bytes: Uint8Array, limits: ImageLimits): Promise<Result<RgbImage, Failure>> {
  if (bytes.length === 0) return invalid('empty', 'the image is empty');
  const format = imageFormat(bytes);
  if (format === null)
    return err(
      failure('UNSUPPORTED_MEDIA_TYPE', 'the image is no JPEG, PNG or WebP', {
        supported: ['image/jpeg', 'image/png', 'image/webp'],
      }),
    );
  const parts = countParts(bytes, format);
  if (isPartsFailure(parts)) return invalid(parts.reason, parts.message, parts.details);
  const header = await readHeader(bytes);
  if (header === null) return invalid('unreadable', `the ${format} has no readable header`);
  const { width, height, pages } = header;
  if ((pages ?? 1) > 1 || (format === 'png' && isAnimatedPng(bytes)))
    return invalid('animated', 'the image is animated; one still photo is needed');
  if (Math.min(width, height) < limits.side_min)
    return invalid(
      'too_small',
      `the image is ${width}×${height}; its sides must be at least ${limits.side_min} pixels`,
      {
        width,
        height,
        side_min: limits.side_min,
      },
    );
  if (width * height > limits.pixels_max)
    return invalid(
      'too_many_pixels',
      `the image declares ${width}×${height}; at most ${limits.pixels_max} pixels are decoded`,
      {
        width,
        height,
        pixels_max: limits.pixels_max,
      },
    );
  const decoded = await decodePixels(bytes, limits.pixels_max, 'truncated');
  // To a file that we end ourselves the decoder says of missing data no more than a warning.
  if (decoded.ok || format !== 'jpeg') return decoded;
  const ended = await decodePixels(withEndMarker(bytes), limits.pixels_max, 'warning');
  const data = withoutZerosBehind(bytes);
  return ended.ok || data.length === bytes.length
    ? ended
    : decodePixels(withEndMarker(data), limits.pixels_max, 'warning');
}

const END_MARKER = [0xff, 0xd9] as const;

/** Of a picture that was filled up with zeros, what may be its data: that of an even picture ends with zeros of its own. */
function withoutZerosBehind(bytes: Uint8Array): Uint8Array {
  let { length } = bytes;
  while (length > 0 && bytes[length - 1] === 0) length -= 1;
  return bytes.subarray(0, length);
}

/** A JPEG with the end marker that cameras which send one picture after another leave out. */
function withEndMarker(bytes: Uint8Array): Uint8Array {
  const length = bytes.at(-1) === END_MARKER[0] ? bytes.length - 1 : bytes.length;
  const ended = new Uint8Array(length + END_MARKER.length);
  ended.set(bytes.subarray(0, length));
  ended.set(END_MARKER, length);
  return ended;
}

/** What a JPEG, PNG or WebP says of itself before its pixels; null for anything else, and for what is refused before sharp sees it. */
export async function readSize(
  bytes: Uint8Array,
): Promise<{ readonly width: number; readonly height: number; readonly passes: number } | null> {
  const format = imageFormat(bytes);
  const parts = format === null ? null : countParts(bytes, format);
  if (parts === null || isPartsFailure(parts)) return null;
  const header = await readHeader(bytes);
  return header === null ? null : { width: header.width, height: header.height, passes: parts.passes };
}

function readHeader(bytes: Uint8Array): Promise<Metadata | null> {
  // The limit is ours to check: sharp's own message would not say what was declared.
  return sharp(bytes, { limitInputPixels: false })
    .metadata()
    .catch(() => null);
}

async function decodePixels(
  bytes: Uint8Array,
  pixels_max: number,
  failOn: 'truncated' | 'warning',
): Promise<Result<RgbImage, Failure>> {
  try {
    const { data, info } = await sharp(bytes, {
      limitInputPixels: pixels_max,
      failOn,
      sequentialRead: true,
    })
      .autoOrient()
      .flatten({ background: BACKGROUND })
      .toColourspace('srgb')
      .raw({ depth: 'uchar' })
      .toBuffer({ resolveWithObject: true });
    return ok({ width: info.width, height: info.height, data });
  } catch {
    return invalid('truncated', 'the image is cut short or damaged');
  }
}

function invalid(
  reason: string,
  message: string,
  details: Readonly<Record<string, unknown>> = {},
): Result<never, Failure> {
  return err(failure('INVALID_IMAGE', message, { reason, ...details }));
}
