import { describe, expect, it } from 'vitest';
import type { RgbImage } from '../../engine/engine.ts';
import { measureBlur } from './measure-blur.ts';

const SIDE = 112;

function crop(greyAt: (x: number, y: number) => number): RgbImage {
  const data = new Uint8Array(SIDE * SIDE * 3);
  for (let i = 0; i < SIDE * SIDE; i += 1) data.fill(greyAt(i % SIDE, Math.floor(i / SIDE)), 3 * i, 3 * i + 3);
  return { width: SIDE, height: SIDE, data };
}

describe('blur', () => {
  it('is 1 without an edge', () => {
    expect(measureBlur(crop(() => 90))).toBe(1);
    expect(measureBlur(crop((x) => 2 * x))).toBeCloseTo(1);
  });

  it('is 1/(1+v/100) of the variance v of the Laplacian', () => {
    // A checkerboard of 100 ± 5: the Laplacian is ±40 everywhere, its variance 1600.
    expect(measureBlur(crop((x, y) => ((x + y) % 2 === 0 ? 95 : 105)))).toBeCloseTo(1 / 17, 3);
  });

  it('grows as edges get softer', () => {
    const edges = (softness: number) => crop((x) => 128 + 100 * Math.tanh(Math.sin(x / 6) / softness));
    const blurs = [0.05, 0.2, 0.5, 1, 3].map((softness) => measureBlur(edges(softness)));
    expect(blurs).toEqual(blurs.toSorted((first, second) => first - second));
    expect(blurs[0]).toBeLessThan(0.2);
    expect(blurs.at(-1)).toBeGreaterThan(0.5);
  });
});
