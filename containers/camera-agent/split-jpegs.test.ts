import fc from 'fast-check';
import sharp from 'sharp';
import { expect, it } from 'vitest';
import { JpegSplitter } from './split-jpegs.ts';

const BYTES_MAX = 1_000_000;

const jpeg = (seed: number): Promise<Buffer> => {
  const data = Uint8Array.from({ length: 40 * 30 * 3 }, (_, i) => (Math.imul(i + seed, 2_654_435_761) >>> 24) & 0xff);
  return sharp(data, { raw: { width: 40, height: 30, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
};

it('gives each file whole, wherever the stream is cut', async () => {
  const files = await Promise.all([1, 2, 3].map(jpeg));
  const stream = Buffer.concat(files);
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: stream.length - 1 }), { maxLength: 20 }), (cuts) => {
      const splitter = new JpegSplitter(BYTES_MAX);
      const found: Uint8Array[] = [];
      const edges = [0, ...[...cuts].sort((a, b) => a - b), stream.length];
      for (let i = 1; i < edges.length; i++) found.push(...splitter.push(stream.subarray(edges[i - 1], edges[i])));
      expect(found.map((file) => Buffer.from(file))).toEqual(files);
    }),
    { numRuns: 50 },
  );
});

it('refuses a stream that is none of JPEGs, and a frame without an end', async () => {
  expect(() => new JpegSplitter(BYTES_MAX).push(new Uint8Array(100))).toThrow('JPEG');
  const endless = new JpegSplitter(1_000);
  expect(() => {
    for (let i = 0; i < 10; i++)
      endless.push(i === 0 ? Uint8Array.of(0xff, 0xd8, ...new Array(400).fill(1)) : new Uint8Array(400));
  }).toThrow('1000 bytes');
});
