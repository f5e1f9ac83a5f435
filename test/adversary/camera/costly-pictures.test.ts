import { crc32, deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage, readSize } from '../../../containers/inference/images/decode-image.ts';

const limits = { side_min: 16, pixels_max: 40_000_000, enhanced_pixels_max: 50_000_000 };
const MIB = 1_024 * 1_024;

async function outcome(bytes: Uint8Array): Promise<unknown> {
  const decoded = await decodeImage(bytes, limits);
  return decoded.ok ? 'taken' : `${decoded.error.code} ${String(decoded.error.details.reason)}`;
}

const picture = () => sharp({ create: { width: 64, height: 48, channels: 3, background: { r: 90, g: 40, b: 20 } } });

const segment = (marker: number, body: Uint8Array = new Uint8Array()) =>
  Buffer.concat([Buffer.from([0xff, marker, (body.length + 2) >> 8, (body.length + 2) & 255]), body]);

/** A lawful progressive JPEG of one grey, with a scan for each bit of each coefficient, as many as asked for. */
function jpegOf(side: number, scans: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2;
  const parts = [
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array<number>(64).fill(1)])),
    segment(0xc2, Buffer.from([8, side >> 8, side & 255, side >> 8, side & 255, 1, 1, 0x11, 0])),
    segment(0xc4, Buffer.from([0x00, 1, ...Array<number>(15).fill(0), 0x00])),
    segment(0xc4, Buffer.from([0x10, 1, ...Array<number>(15).fill(0), 0xe0])),
    segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])),
    Buffer.alloc(Math.ceil(blocks / 8), 0),
  ];
  // EOB14: a run of 16,384 blocks and more, of which the extra bits say how many.
  const run = Math.max(0, blocks - 16_384);
  const bits = `0${run.toString(2).padStart(14, '0')}1`;
  const coded = Buffer.from([Number.parseInt(bits.slice(0, 8), 2), Number.parseInt(bits.slice(8), 2)]);
  for (let made = 1; made < scans; made++) {
    const [coefficient, low] = [1 + Math.floor((made - 1) / 14), 13 - ((made - 1) % 14)];
    const successive = ((low === 13 ? 0 : low + 1) << 4) | low;
    parts.push(segment(0xda, Buffer.from([1, 1, 0, coefficient, coefficient, successive])), coded);
  }
  return Buffer.concat([...parts, Buffer.from([0xff, 0xd9])]);
}

/** With segments behind the first two bytes. */
async function jpegWith(...segments: readonly Buffer[]): Promise<Buffer> {
  const jpeg = await picture().jpeg().toBuffer();
  return Buffer.concat([jpeg.subarray(0, 2), ...segments, jpeg.subarray(2)]);
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

const PNG_HEADER_BYTES = 33;

/** With chunks behind the header. */
async function pngWith(...chunks: readonly Buffer[]): Promise<Buffer> {
  const png = await picture().png().toBuffer();
  return Buffer.concat([png.subarray(0, PNG_HEADER_BYTES), ...chunks, png.subarray(PNG_HEADER_BYTES)]);
}

function riffChunk(type: string, data: Uint8Array): Buffer {
  const length = Buffer.alloc(4);
  length.writeUInt32LE(data.length);
  return Buffer.concat([Buffer.from(type, 'latin1'), length, data, Buffer.alloc(data.length % 2)]);
}

/** With chunks at its end. */
async function webpWith(...chunks: readonly Buffer[]): Promise<Buffer> {
  const webp = Buffer.concat([await picture().webp().toBuffer(), ...chunks]);
  webp.writeUInt32LE(webp.length - 8, 4);
  return webp;
}

describe('I-01: scans of a JPEG are counted before it is decoded:', () => {
  it('32 are taken, 33 and 800 are refused', async () => {
    expect(await outcome(jpegOf(1_200, 10))).toBe('taken');
    expect(await outcome(jpegOf(1_200, 32))).toBe('taken');
    for (const scans of [33, 800]) expect(await outcome(jpegOf(1_200, scans))).toBe('INVALID_IMAGE too_many_scans');
  });

  it('before sharp reads its header, which has no frame here', async () => {
    const scans = Array.from({ length: 33 }, () => segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])));
    const jpeg = Buffer.concat([Buffer.from([0xff, 0xd8]), ...scans]);
    expect(await outcome(jpeg)).toBe('INVALID_IMAGE too_many_scans');
    expect(await readSize(jpeg)).toBeNull();
  });

  it('behind bytes between the segments, fill bytes and restarts, which a decoder skips', async () => {
    const scan = segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0]));
    const noise = Buffer.from([0x12, 0xff, 0x00, 0xff, 0xd3, 0x34, 0xff, 0xff]);
    const scans = Array.from({ length: 33 }, () => [scan, noise]).flat();
    expect(await outcome(Buffer.concat([Buffer.from([0xff, 0xd8]), ...scans]))).toBe('INVALID_IMAGE too_many_scans');
  });

  it('what looks like a scan within a segment, or behind the end, is none', async () => {
    const fake = Buffer.concat(Array.from({ length: 40 }, () => segment(0xda, Buffer.alloc(6))));
    const jpeg = await jpegWith(segment(0xfe, fake));
    expect(await outcome(Buffer.concat([jpeg, fake]))).toBe('taken');
  });

  it('and weigh in its work', async () => {
    expect(await readSize(jpegOf(1_200, 20))).toEqual({ width: 1_200, height: 1_200, passes: 20 });
  });
});

describe('I-01: chunks are counted:', () => {
  it('segments of a JPEG', async () => {
    const segments = Array.from({ length: 1_100 }, () => segment(0xfe));
    expect(await outcome(await jpegWith(...segments.slice(0, 900)))).toBe('taken');
    expect(await outcome(await jpegWith(...segments))).toBe('INVALID_IMAGE too_many_chunks');
  });

  it('chunks of a PNG, and the pieces of its pixels', async () => {
    const note = chunk('prVt', new Uint8Array(1));
    const empty = chunk('IDAT', new Uint8Array());
    expect(await outcome(await pngWith(...Array<Buffer>(1_100).fill(note)))).toBe('INVALID_IMAGE too_many_chunks');
    expect(await outcome(await pngWith(...Array<Buffer>(17_000).fill(empty)))).toBe('INVALID_IMAGE too_many_chunks');
  });

  it('chunks of a WebP', async () => {
    const note = riffChunk('abcd', new Uint8Array(1));
    expect(await outcome(await webpWith(note))).toBe('taken');
    expect(await outcome(await webpWith(...Array<Buffer>(1_100).fill(note)))).toBe('INVALID_IMAGE too_many_chunks');
  });
});

describe('I-01: metadata are measured as large as they become:', () => {
  const name = Buffer.from('x\0', 'latin1');
  const packed = (bytes: number) => deflateSync(Buffer.alloc(bytes));

  it.each([
    ['a colour profile', (data: Buffer) => chunk('iCCP', Buffer.concat([name, Buffer.from([0]), data]))],
    ['a text', (data: Buffer) => chunk('zTXt', Buffer.concat([name, Buffer.from([0]), data]))],
    ['an international text', (data: Buffer) => chunk('iTXt', Buffer.concat([name, Buffer.from([1, 0, 0, 0]), data]))],
  ])('%s of a PNG, that is some KiB compressed', async (_, make) => {
    expect(await outcome(await pngWith(make(packed(5 * MIB))))).toBe('INVALID_IMAGE too_much_metadata');
  });

  it('several texts together', async () => {
    const text = chunk('zTXt', Buffer.concat([name, Buffer.from([0]), packed(1.5 * MIB)]));
    expect(await outcome(await pngWith(text))).toBe('taken');
    expect(await outcome(await pngWith(text, text, text))).toBe('INVALID_IMAGE too_much_metadata');
  });

  it('EXIF and profiles of each format', async () => {
    const large = Buffer.alloc(129 * 1_024);
    expect(await outcome(await pngWith(chunk('eXIf', large)))).toBe('INVALID_IMAGE too_much_metadata');
    expect(await outcome(await webpWith(riffChunk('EXIF', large)))).toBe('INVALID_IMAGE too_much_metadata');
    expect(await outcome(await webpWith(riffChunk('ICCP', Buffer.alloc(5 * MIB))))).toBe(
      'INVALID_IMAGE too_much_metadata',
    );
    const exif = segment(0xe1, Buffer.concat([Buffer.from('Exif\0\0', 'latin1'), Buffer.alloc(60_000)]));
    expect(await outcome(await jpegWith(exif, exif, exif))).toBe('INVALID_IMAGE too_much_metadata');
    const profile = segment(0xe2, Buffer.concat([Buffer.from('ICC_PROFILE\0', 'latin1'), Buffer.alloc(60_000)]));
    expect(await outcome(await jpegWith(...Array<Buffer>(80).fill(profile)))).toBe('INVALID_IMAGE too_much_metadata');
  });
});

describe('I-01: pictures of common encoders are taken:', () => {
  it.each([
    ['a JPEG', () => picture().jpeg()],
    ['a progressive JPEG', () => picture().jpeg({ progressive: true })],
    ['a JPEG with optimized scans', () => picture().jpeg({ mozjpeg: true })],
    ['a CMYK JPEG with its profile', () => picture().toColourspace('cmyk').withIccProfile('cmyk').jpeg()],
    ['an interlaced PNG', () => picture().png({ progressive: true })],
    [
      'a PNG with EXIF and a profile',
      () =>
        picture()
          .withIccProfile('p3')
          .withExif({ IFD0: { Artist: 'A' } })
          .png(),
    ],
    [
      'a WebP with EXIF, a profile and opacity',
      () =>
        picture()
          .ensureAlpha(0.5)
          .withIccProfile('p3')
          .withExif({ IFD0: { Artist: 'A' } })
          .webp(),
    ],
    ['a lossless WebP', () => picture().webp({ lossless: true })],
  ])('%s', async (_, make) => {
    expect(await outcome(await make().toBuffer())).toBe('taken');
  });

  it('passes of interlacing and of opacity weigh', async () => {
    const passes = async (bytes: Uint8Array) => (await readSize(bytes))?.passes;
    expect(await passes(await picture().png({ progressive: true }).toBuffer())).toBe(7);
    expect(await passes(await picture().ensureAlpha(0.5).webp().toBuffer())).toBe(2);
  });
});
