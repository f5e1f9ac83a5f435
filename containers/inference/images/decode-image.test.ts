import { crc32 } from 'node:zlib';
import sharp, { type Sharp } from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodeImage } from './decode-image.ts';

const limits = { side_min: 16, pixels_max: 1_000_000, enhanced_pixels_max: 4_000_000 };
const ORANGE = { r: 200, g: 100, b: 50 };
const BLUE = { r: 10, g: 60, b: 220 };

/** Left half orange, right half blue. */
const halves = (width = 64, height = 48) =>
  sharp({ create: { width, height, channels: 3, background: ORANGE } }).composite([
    {
      input: { create: { width: width / 2, height, channels: 3, background: BLUE } },
      left: width / 2,
      top: 0,
    },
  ]);

async function decoded(bytes: Uint8Array) {
  const result = await decodeImage(bytes, limits);
  if (!result.ok) throw new Error(result.error.message);
  const { width, height, data } = result.value;
  expect(data.length).toBe(width * height * 3);
  const pixel = (x: number, y: number) => [...data.subarray((y * width + x) * 3, (y * width + x) * 3 + 3)];
  return { width, height, pixel };
}

async function refused(bytes: Uint8Array) {
  const result = await decodeImage(bytes, limits);
  return result.ok ? null : { code: result.error.code, reason: result.error.details.reason };
}

const near = (pixel: number[], { r, g, b }: typeof ORANGE, by: number) =>
  expect(Math.max(...[r, g, b].map((value, at) => Math.abs(value - pixel[at]!)))).toBeLessThanOrEqual(by);

describe('an image becomes upright 8-bit RGB from', () => {
  it.each([
    ['a JPEG', () => halves().jpeg({ quality: 95 }), 12],
    ['a PNG', () => halves().png(), 0],
    ['a WebP', () => halves().webp({ lossless: true }), 0],
    ['a palette PNG', () => halves().png({ palette: true }), 2],
    ['a 16-bit PNG', () => halves().toColourspace('rgb16').png(), 1],
    ['a progressive JPEG', () => halves().jpeg({ quality: 95, progressive: true }), 12],
    ['a CMYK JPEG', () => halves().toColourspace('cmyk').jpeg({ quality: 95 }), 80],
  ] as const)('%s', async (_, make, by) => {
    const image = await decoded(await make().toBuffer());
    expect([image.width, image.height]).toEqual([64, 48]);
    near(image.pixel(8, 24), ORANGE, by);
    near(image.pixel(56, 24), BLUE, by);
  });

  it.each([false, true])('E-13: a JPEG without its end marker, progressive: %s', async (progressive) => {
    const file = await halves(320, 240).jpeg({ quality: 95, progressive }).toBuffer();
    for (const cut of [2, 1]) {
      const image = await decoded(file.subarray(0, -cut));
      expect([image.width, image.height]).toEqual([320, 240]);
      near(image.pixel(316, 236), BLUE, 12);
    }
    for (const zeros of [1, 4_096]) {
      const filled = await decoded(Buffer.concat([file.subarray(0, -2), Buffer.alloc(zeros)]));
      near(filled.pixel(316, 236), BLUE, 12);
      near((await decoded(Buffer.concat([file, Buffer.alloc(zeros)]))).pixel(8, 120), ORANGE, 12);
    }
  });

  it('a grey image, with three equal channels', async () => {
    const image = await decoded(await halves().greyscale().toColourspace('b-w').png().toBuffer());
    const [red, green, blue] = image.pixel(8, 24);
    expect([green, blue]).toEqual([red, red]);
    expect(red).toBeGreaterThan(image.pixel(56, 24)[0]!);
  });

  it('a transparent image, laid over white', async () => {
    const clear = sharp({
      create: { width: 20, height: 20, channels: 4, background: { r: 255, g: 0, b: 0, alpha: 0 } },
    });
    expect((await decoded(await clear.png().toBuffer())).pixel(3, 3)).toEqual([255, 255, 255]);
  });

  /** By the orientation of EXIF, which quarters of the stored picture come to lie above left, above right, below left and below right. */
  const UPRIGHT = {
    1: 'abcd',
    2: 'badc',
    3: 'dcba',
    4: 'cdab',
    5: 'acbd',
    6: 'cadb',
    7: 'dbca',
    8: 'bdac',
  } as const;
  const QUARTERS = { a: ORANGE, b: BLUE, c: { r: 20, g: 200, b: 40 }, d: { r: 240, g: 240, b: 240 } } as const;
  const FORMATS = {
    JPEG: (photo: Sharp) => photo.jpeg({ quality: 95, chromaSubsampling: '4:4:4' }),
    PNG: (photo: Sharp) => photo.png(),
    WebP: (photo: Sharp) => photo.webp({ lossless: true }),
  } as const;

  it.each(Object.entries(FORMATS))(
    'a %s that was taken in any position, turned as its EXIF says',
    async (_, encode) => {
      const quarter = (background: typeof ORANGE) => ({
        create: { width: 32, height: 24, channels: 3 as const, background },
      });
      const stored = await sharp({ create: { width: 64, height: 48, channels: 3, background: QUARTERS.a } })
        .composite([
          { input: quarter(QUARTERS.b), left: 32, top: 0 },
          { input: quarter(QUARTERS.c), left: 0, top: 24 },
          { input: quarter(QUARTERS.d), left: 32, top: 24 },
        ])
        .png()
        .toBuffer();
      for (const [orientation, order] of Object.entries(UPRIGHT)) {
        const file = await encode(sharp(stored))
          .withMetadata({ orientation: Number(orientation) })
          .toBuffer();
        const image = await decoded(file);
        const isOnItsSide = Number(orientation) > 4;
        expect([image.width, image.height], `orientation ${orientation}`).toEqual(isOnItsSide ? [48, 64] : [64, 48]);
        const places = [
          [0.25, 0.25],
          [0.75, 0.25],
          [0.25, 0.75],
          [0.75, 0.75],
        ] as const;
        for (const [at, [x, y]] of places.entries())
          near(image.pixel(x * image.width, y * image.height), QUARTERS[order[at] as keyof typeof QUARTERS], 12);
      }
    },
  );
});

describe('content that is no JPEG, PNG or WebP is UNSUPPORTED_MEDIA_TYPE:', () => {
  it.each([
    ['a GIF', () => halves().gif().toBuffer()],
    ['a TIFF', () => halves().tiff().toBuffer()],
    ['an AVIF', () => halves().avif({ effort: 0 }).toBuffer()],
    ['an SVG', async () => Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="64" height="48"/>')],
    ['a PDF', async () => Buffer.from('%PDF-1.7\n')],
    ['text', async () => Buffer.from('not a photo')],
    ['a RIFF that is no WebP', async () => Buffer.from('RIFF\0\0\0\0WAVEfmt ')],
  ])('%s', async (_, make) => {
    expect((await refused(await make()))?.code).toBe('UNSUPPORTED_MEDIA_TYPE');
  });
});

describe('an image is refused as INVALID_IMAGE with the reason', () => {
  const reason = (reason: string) => ({ code: 'INVALID_IMAGE', reason });

  it('empty', async () => {
    expect(await refused(new Uint8Array(0))).toEqual(reason('empty'));
  });

  it('unreadable: a signature and nothing after it', async () => {
    const png = await halves().png().toBuffer();
    expect(await refused(png.subarray(0, 8))).toEqual(reason('unreadable'));
    expect(await refused(Buffer.concat([Buffer.from([0xff, 0xd8, 0xff]), Buffer.alloc(64)]))).toEqual(
      reason('unreadable'),
    );
  });

  it.each(['jpeg', 'png'] as const)('truncated: a %s cut in the middle', async (format) => {
    const file = await noise(200, 200).toFormat(format).toBuffer();
    expect(await refused(file.subarray(0, file.length / 2))).toEqual(reason('truncated'));
  });

  it('E-13: truncated: a JPEG without the last part of its data', async () => {
    for (const progressive of [false, true]) {
      const file = await halves(640, 480).jpeg({ quality: 95, progressive }).toBuffer();
      for (const share of [0.9, 0.7, 0.5])
        expect(await refused(file.subarray(0, file.length * share))).toEqual(reason('truncated'));
    }
  });

  it('truncated: a WebP cut in the middle', async () => {
    const file = await noise(200, 200).webp().toBuffer();
    expect((await refused(file.subarray(0, file.length / 2)))?.code).toBe('INVALID_IMAGE');
  });

  it('too_many_pixels: a few bytes that declare a huge image, before anything is decoded', async () => {
    const png = await halves().png().toBuffer();
    png.writeUInt32BE(60_000, 16);
    png.writeUInt32BE(60_000, 20);
    png.writeUInt32BE(crc32(png.subarray(12, 29)), 29);
    const jpeg = await halves().jpeg().toBuffer();
    const frame = jpeg.indexOf(Buffer.from([0xff, 0xc0]));
    jpeg.writeUInt16BE(60_000, frame + 5);
    jpeg.writeUInt16BE(60_000, frame + 7);
    for (const bomb of [png, jpeg]) expect(await refused(bomb)).toEqual(reason('too_many_pixels'));
  });

  it('too_many_pixels: one row above the limit, and not the limit itself', async () => {
    const plain = (width: number, height: number) =>
      sharp({ create: { width, height, channels: 3, background: BLUE } });
    expect(await refused(await plain(1_000, 1_001).png().toBuffer())).toEqual(reason('too_many_pixels'));
    expect(await refused(await plain(1_000, 1_000).png().toBuffer())).toBeNull();
  });

  it('too_small: one pixel wide', async () => {
    const line = sharp({ create: { width: 1, height: 600, channels: 3, background: BLUE } });
    expect(await refused(await line.png().toBuffer())).toEqual(reason('too_small'));
    expect(await refused(await line.jpeg().toBuffer())).toEqual(reason('too_small'));
  });

  it('animated: a WebP of two frames', async () => {
    const frames = await Promise.all([noise(64, 48).png().toBuffer(), halves().png().toBuffer()]);
    const file = await sharp(frames, { join: { animated: true } })
      .webp({ loop: 0, delay: [100, 100] })
      .toBuffer();
    expect(await refused(file)).toEqual(reason('animated'));
  });

  it('animated: a PNG of two frames', async () => {
    const png = await halves().png().toBuffer();
    const afterHeader = 33;
    const withFrames = (frames: number) => {
      const control = Buffer.alloc(20);
      control.writeUInt32BE(8, 0);
      control.write('acTL', 4, 'latin1');
      control.writeUInt32BE(frames, 8);
      control.writeUInt32BE(crc32(control.subarray(4, 16)), 16);
      return Buffer.concat([png.subarray(0, afterHeader), control, png.subarray(afterHeader)]);
    };
    expect(await refused(withFrames(2))).toEqual(reason('animated'));
    expect(await refused(withFrames(1))).toBeNull();
  });
});

function noise(width: number, height: number) {
  return sharp({
    create: { width, height, channels: 3, background: '#000000', noise: { type: 'gaussian', mean: 128, sigma: 50 } },
  });
}
