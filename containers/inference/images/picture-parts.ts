import { inflateSync } from 'node:zlib';
import type { imageFormat } from './image-format.ts';

/** What decoding costs beyond width and height. */
export interface PictureParts {
  /** How often the decoder goes over the picture: scans of a JPEG, passes of an interlaced PNG, colour and opacity of a WebP. */
  readonly passes: number;
}

/** Which bound of the parts a picture breaks. */
export interface PartsFailure {
  readonly reason: 'too_many_scans' | 'too_many_chunks' | 'too_much_metadata';
  readonly message: string;
  readonly details: Readonly<Record<string, number>>;
}

/** Common encoders write 1 to 13; a progression may have thousands, each of which goes over all blocks of the picture. */
const SCANS_MAX = 32;
/** Segments of a JPEG, chunks of a WebP, chunks of a PNG that are not its pixels. The decoder keeps a list of them; pictures have some tens. */
const CHUNKS_MAX = 1_024;
/** Of the pixels of a PNG. A picture of 10 MiB in pieces of 640 bytes has as many; encoders write pieces of 8 KiB and more. */
const PIXEL_CHUNKS_MAX = 16_384;
/** Colour profiles and compressed text together, inflated. Profiles of printing presses have up to 3 MiB. */
const METADATA_BYTES_MAX = 4 * 1_024 * 1_024;
/** EXIF, which is read tag by tag. A JPEG has room for 64 KiB of it in a segment. */
const EXIF_BYTES_MAX = 128 * 1_024;

/** Passes of Adam7 (PNG, Third Edition, 8.1). */
const ADAM7_PASSES = 7;

/**
 * Counts the parts of a picture by its container format, without decoding pixels. What is cut short or malformed is counted as far as it can
 * be read: the decoder says what is wrong with it.
 */
export function countParts(
  bytes: Uint8Array,
  format: NonNullable<ReturnType<typeof imageFormat>>,
): PictureParts | PartsFailure {
  const count = new PartsCount();
  switch (format) {
    case 'jpeg':
      return countJpeg(bytes, count);
    case 'png':
      return countPng(bytes, count);
    case 'webp':
      return countWebp(bytes, count);
  }
}

/** Whether the parts of a picture break a bound. */
export function isPartsFailure(counted: PictureParts | PartsFailure): counted is PartsFailure {
  return 'reason' in counted;
}

class PartsCount {
  #chunks = 0;
  #pixelChunks = 0;
  #scans = 0;
  #metadata_bytes = 0;
  #exif_bytes = 0;
  failure: PartsFailure | null = null;

  get scans(): number {
    return this.#scans;
  }

  /** Of metadata, what may yet come. */
  get room_bytes(): number {
    return METADATA_BYTES_MAX - this.#metadata_bytes;
  }

  chunk(): void {
    if (++this.#chunks > CHUNKS_MAX)
      this.#fail('too_many_chunks', 'the image has too many segments', { chunks_max: CHUNKS_MAX });
  }

  pixelChunk(): void {
    if (++this.#pixelChunks > PIXEL_CHUNKS_MAX)
      this.#fail('too_many_chunks', 'the pixels come in too many pieces', { chunks_max: PIXEL_CHUNKS_MAX });
  }

  scan(): void {
    if (++this.#scans > SCANS_MAX)
      this.#fail('too_many_scans', `a progressive image has at most ${SCANS_MAX} scans`, { scans_max: SCANS_MAX });
  }

  metadata(bytes: number): void {
    this.#metadata_bytes += bytes;
    if (this.#metadata_bytes > METADATA_BYTES_MAX)
      this.#fail('too_much_metadata', 'colour profile and texts are too large', {
        metadata_bytes_max: METADATA_BYTES_MAX,
      });
  }

  exif(bytes: number): void {
    this.#exif_bytes += bytes;
    if (this.#exif_bytes > EXIF_BYTES_MAX)
      this.#fail('too_much_metadata', 'the EXIF data are too large', { exif_bytes_max: EXIF_BYTES_MAX });
  }

  #fail(reason: PartsFailure['reason'], message: string, details: PartsFailure['details']): void {
    this.failure ??= { reason, message, details };
  }
}

const MARKER = 0xff;
const SOI = 0xd8;
const EOI = 0xd9;
const SOS = 0xda;
const APP1 = 0xe1;
const APP2 = 0xe2;

/** Markers without a length: TEM, restarts, and the begin and end of an image. */
function isBare(marker: number): boolean {
  return marker === 0x01 || (marker >= 0xd0 && marker <= EOI);
}

/**
 * Reads as libjpeg does: what stands between two segments, coded pixels among it, is skipped up to the next marker. So no scan that it would
 * decode is missed.
 */
function countJpeg(jpeg: Uint8Array, count: PartsCount): PictureParts | PartsFailure {
  let at = 0;
  while (count.failure === null) {
    while (at < jpeg.length && jpeg[at] !== MARKER) at++;
    while (at < jpeg.length && jpeg[at] === MARKER) at++;
    const marker = jpeg[at++];
    if (marker === undefined || marker === EOI) break;
    // A zero stands behind a byte of the coded pixels that looks like a marker.
    if (marker === 0 || marker === SOI || isBare(marker)) continue;
    const length_bytes = ((jpeg[at] ?? 0) << 8) | (jpeg[at + 1] ?? 0);
    count.chunk();
    if (marker === SOS) count.scan();
    if (marker === APP1 && begins(jpeg, at + 2, 'Exif\0')) count.exif(length_bytes);
    if (marker === APP2 && begins(jpeg, at + 2, 'ICC_PROFILE\0')) count.metadata(length_bytes);
    at += Math.max(2, length_bytes);
  }
  return count.failure ?? { passes: Math.max(1, count.scans) };
}

const PNG_SIGNATURE_BYTES = 8;
/** Length, type and checksum around a chunk's data. */
const PNG_FRAME_BYTES = 12;
/** Behind its length and type: width, height, depth, colour type, compression and filter stand before the interlacing. */
const INTERLACING_AT = PNG_SIGNATURE_BYTES + 8 + 12;

function countPng(png: Uint8Array, count: PartsCount): PictureParts | PartsFailure {
  const view = new DataView(png.buffer, png.byteOffset, png.byteLength);
  for (let at = PNG_SIGNATURE_BYTES; at + PNG_FRAME_BYTES <= png.length && count.failure === null; ) {
    const length_bytes = view.getUint32(at);
    const type = textAt(png, at + 4, 4);
    const data = png.subarray(at + 8, at + 8 + length_bytes);
    if (type === 'IDAT') count.pixelChunk();
    else count.chunk();
    if (type === 'eXIf') count.exif(length_bytes);
    if (type === 'iCCP' || type === 'zTXt' || type === 'iTXt')
      count.metadata(inflatedBytes(type, data, count.room_bytes));
    if (type === 'IEND') break;
    at += PNG_FRAME_BYTES + length_bytes;
  }
  return count.failure ?? { passes: png[INTERLACING_AT] === 1 ? ADAM7_PASSES : 1 };
}

/** How large the text or profile of a chunk is, inflated; one more than there is room for, if it is larger than that. */
function inflatedBytes(type: 'iCCP' | 'zTXt' | 'iTXt', data: Uint8Array, room_bytes: number): number {
  const afterName = data.indexOf(0) + 1;
  if (afterName === 0) return data.length;
  if (type === 'iTXt' && data[afterName] === 0) return data.length;
  const packed = type === 'iTXt' ? afterTexts(data, afterName + 2) : data.subarray(afterName + 1);
  if (packed.length === 0) return data.length;
  try {
    return inflateSync(packed, { maxOutputLength: Math.max(1, room_bytes) }).length;
  } catch (error) {
    const isLarge = error instanceof RangeError && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    // What cannot be inflated here may be inflated in part by the decoder.
    return isLarge ? room_bytes + 1 : inflatedInPart(packed, room_bytes);
  }
}

/** Deflate makes at most 1,032 bytes of one. */
const INFLATION_MAX = 1_032;

function inflatedInPart(packed: Uint8Array, room_bytes: number): number {
  return Math.min(packed.length * INFLATION_MAX, room_bytes + 1);
}

/** Behind the language and the translated name of an international text. */
function afterTexts(data: Uint8Array, at: number): Uint8Array {
  const afterLanguage = data.indexOf(0, at) + 1;
  const afterTranslation = afterLanguage === 0 ? 0 : data.indexOf(0, afterLanguage) + 1;
  return afterTranslation === 0 ? new Uint8Array() : data.subarray(afterTranslation);
}

const RIFF_HEADER_BYTES = 12;
const RIFF_CHUNK_HEADER_BYTES = 8;

function countWebp(webp: Uint8Array, count: PartsCount): PictureParts | PartsFailure {
  const view = new DataView(webp.buffer, webp.byteOffset, webp.byteLength);
  let passes = 1;
  for (let at = RIFF_HEADER_BYTES; at + RIFF_CHUNK_HEADER_BYTES <= webp.length && count.failure === null; ) {
    const length_bytes = view.getUint32(at + 4, true);
    const type = textAt(webp, at, 4);
    count.chunk();
    if (type === 'ALPH') passes = 2;
    if (type === 'EXIF') count.exif(length_bytes);
    if (type === 'ICCP') count.metadata(length_bytes);
    // Chunks begin at even places.
    at += RIFF_CHUNK_HEADER_BYTES + length_bytes + (length_bytes % 2);
  }
  return count.failure ?? { passes };
}

function begins(bytes: Uint8Array, at: number, text: string): boolean {
  return textAt(bytes, at, text.length) === text;
}

function textAt(bytes: Uint8Array, at: number, length: number): string {
  return String.fromCharCode(...bytes.subarray(at, at + length));
}
