import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileScanKernel } from '../../../scripts/build-scan-kernel.ts';
import { loadScanKernel } from './load-scan-kernel.ts';

const FRAMES_AT = 16_384;
const FOUND_AT = 8_192;
const VECTORS = 8;

describe('the committed scan.wasm', () => {
  it('is what scan.wat compiles to', async () => {
    const committed = new Uint8Array(readFileSync('durable-objects/gallery/shard/scan.wasm'));
    expect(await compileScanKernel()).toEqual(committed);
  });

  it('finds the vectors whose upper bound reaches the cut, with both bounds', () => {
    const kernel = loadScanKernel();
    const { buffer } = kernel.memory;
    const code = fc.integer({ min: -128, max: 127 });
    const queryCode = fc.integer({ min: -8190, max: 8190 });
    const galleries = fc.tuple(fc.constantFrom(1, 2), fc.nat(3)).chain(([units, blocks]) => {
      const length = VECTORS * units * 112;
      return fc.record({
        units: fc.constant(units),
        codes: fc.array(fc.array(code, { minLength: length, maxLength: length }), {
          minLength: blocks,
          maxLength: blocks,
        }),
        query: fc.array(queryCode, { minLength: units * 128, maxLength: units * 128 }),
        bias: fc.integer({ min: -100_000, max: 100_000 }),
        cut: fc.constantFrom(-1, 0, 0.25),
      });
    });
    fc.assert(
      fc.property(galleries, ({ units, codes, query, bias, cut }) => {
        const stride = VECTORS * (units * 112 + 12);
        const queryScale = 1 / (4095 * Math.sqrt(units * 128));
        const scaleOf = (at: number) => (at === 3 ? Number.NaN : (1 + at) / (127 * 8));
        new Int16Array(buffer, 0, query.length).set(query);
        for (const [block, all] of codes.entries()) {
          new Int8Array(buffer, FRAMES_AT + block * stride, all.length).set(all);
          const scales = new Float32Array(buffer, FRAMES_AT + block * stride + all.length, VECTORS);
          for (let at = 0; at < VECTORS; at++) scales[at] = scaleOf(at);
        }
        const rounding = 3;
        const slack = 0.001;
        const terms = [0, queryScale, bias, rounding, slack, cut, FOUND_AT] as const;
        const count = kernel.scan(FRAMES_AT, codes.length, stride, VECTORS, units, 1000, ...terms);
        const found = new Map(
          Array.from({ length: count }, (_, i) => {
            const view = new DataView(buffer, FOUND_AT + i * 12);
            return [view.getUint32(0, true), [view.getFloat32(4, true), view.getFloat32(8, true)] as const];
          }),
        );
        expect(found.size).toBe(count);
        for (const [block, all] of codes.entries()) {
          for (let at = 0; at < VECTORS; at++) {
            const s = (dot(all.slice(at * units * 112, (at + 1) * units * 112), query) - bias) * queryScale;
            const upper = scaleOf(at) * (s + rounding) + slack;
            const lower = scaleOf(at) * (s - rounding) - slack;
            const bounds = found.get(1000 + block * VECTORS + at);
            if (!(Math.abs(upper - cut) < 1e-5)) expect(bounds !== undefined).toBe(upper >= cut);
            if (bounds === undefined) continue;
            expect(bounds[0]).toBeCloseTo(upper, 4);
            expect(bounds[1]).toBeCloseTo(lower, 4);
          }
        }
      }),
    );
  });
});

/** Bytes with seven rows of a query, the numbers that their lowest bits spell with the eighth. */
function dot(bytes: readonly number[], query: readonly number[]): number {
  let sum = 0;
  for (const [at, byte] of bytes.entries()) {
    const unit = Math.floor(at / 112);
    const row = Math.floor((at % 112) / 16);
    sum += byte * query[unit * 128 + (at % 112)]!;
    sum += (byte & 1) * 2 ** row * query[unit * 128 + 112 + (at % 16)]!;
  }
  return sum;
}
