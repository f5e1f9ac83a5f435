import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packCodes, packedBytes, packQuery } from './pack-codes.ts';

const component = fc.float({ min: -1, max: 1, noNaN: true, noDefaultInfinity: true });
const vectors = fc.constantFrom(1, 20, 128, 130, 512).chain((dimensions) => {
  const vector = fc
    .array(component, { minLength: dimensions, maxLength: dimensions })
    .map((components) => Float32Array.from(components))
    .filter((components) => Math.hypot(...components) > 1e-6);
  return fc.tuple(vector, vector);
});

/** What packed codes stand for, by the words of their description. */
function unpack(bytes: Int8Array, dimensions: number): number[] {
  return Array.from({ length: dimensions }, (_, at) => {
    const unit = Math.floor(at / 128) * 112;
    const row = Math.floor((at % 128) / 16);
    const lane = at % 16;
    if (row < 7) return bytes[unit + row * 16 + lane]!;
    let spelt = 0;
    for (let bit = 0; bit < 7; bit++) spelt |= (bytes[unit + bit * 16 + lane]! & 1) << bit;
    return 2 * spelt - 127;
  });
}

function unitLength(vector: Float32Array): number[] {
  const length = Math.hypot(...vector);
  return [...vector].map((x) => x / length);
}

describe('packed codes', () => {
  it('take seven eighths of a byte a component of the usual widths', () => {
    expect([128, 512, 1024].map(packedBytes)).toEqual([112, 448, 896]);
  });

  it('are as far from the exact vector, at unit length, as their rounding says, which is less than one code a component', () => {
    fc.assert(
      fc.property(vectors, ([exact]) => {
        const bytes = new Int8Array(packedBytes(exact.length));
        const { scale, rounding } = packCodes(exact, bytes);
        const codes = unpack(bytes, exact.length);
        const distance = Math.hypot(...unitLength(exact).map((x, i) => x - scale * codes[i]!));
        expect(distance).toBeLessThanOrEqual(scale * rounding + 1e-6);
        expect(rounding).toBeLessThanOrEqual(Math.sqrt(exact.length) + 1e-6);
      }),
    );
  });

  it('have a dot product with a packed query that is, less its bias, that of what both stand for', () => {
    fc.assert(
      fc.property(vectors, ([query]) => {
        const codes = new Int16Array(Math.ceil(query.length / 128) * 128);
        const { scale, rounding, bias } = packQuery(query, codes);
        const plain = [...codes].slice(0, query.length).map((code, at) => (at % 128 < 112 ? code : code / 2));
        const distance = Math.hypot(...unitLength(query).map((x, i) => x - scale * plain[i]!));
        expect(distance).toBeLessThanOrEqual(scale * rounding + 1e-6);
        expect(bias).toBe(plain.reduce((total, code, at) => total + (at % 128 < 112 ? 0 : 127 * code), 0));
        expect(codes.subarray(query.length).every((code) => code === 0)).toBe(true);
      }),
    );
  });
});
