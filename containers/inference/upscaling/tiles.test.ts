import fc from 'fast-check';
import { expect, it } from 'vitest';
import { tiles } from './tiles.ts';

it('tiles answer for every pixel once, are nearly equal, and see their margin where there is image', () => {
  const size = fc.integer({ min: 1, max: 150 });
  const property = fc.property(size, size, fc.integer({ min: 1, max: 40 }), (width, height, side_max) => {
    const margin = 10;
    const covered = new Uint8Array(width * height);
    const parts = tiles({ width, height, side_max, margin });
    for (const { x, y, width: across, height: down, seen } of parts) {
      for (let row = y; row < y + down; row++)
        for (let column = x; column < x + across; column++) covered[row * width + column]!++;
      expect(Math.max(across, down)).toBeLessThanOrEqual(side_max);
      expect([seen.x, seen.y]).toEqual([Math.max(0, x - margin), Math.max(0, y - margin)]);
      expect(seen.x + seen.width).toBe(Math.min(width, x + across + margin));
      expect(seen.y + seen.height).toBe(Math.min(height, y + down + margin));
    }
    expect(covered.every((times) => times === 1)).toBe(true);
    const widths = parts.map((tile) => tile.width);
    expect(Math.max(...widths) - Math.min(...widths)).toBeLessThanOrEqual(1);
  });
  fc.assert(property, { numRuns: 60 });
});
