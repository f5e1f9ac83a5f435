import { expect, it } from 'vitest';
import { workOf } from './work-of.ts';

const FACES = { kind: 'faces', embed: 'qualified' } as const;

it('a photo costs a look of the detector, and a large one many', () => {
  expect(workOf(FACES, { width: 1_000, height: 800, passes: 1 })).toBeCloseTo(1.2);
  expect(workOf(FACES, { width: 8_000, height: 5_000, passes: 1 })).toBeGreaterThan(20);
});

it('I-01: a photo of many scans costs the decoding of each', () => {
  const [plain, progressive] = [1, 21].map((passes) => workOf(FACES, { width: 2_000, height: 1_000, passes }));
  expect(progressive! - plain!).toBeCloseTo(10);
});

it('what has no readable header costs next to nothing', () => {
  expect(workOf(FACES, null)).toBe(1);
});

it('an enhancement costs by the pixels that it makes', () => {
  const terms = { kind: 'enhance', fidelity: 0.5 } as const;
  const size = { width: 400, height: 400, passes: 1 };
  expect(workOf({ ...terms, upscale: 4 }, size)).toBeGreaterThan(3 * workOf({ ...terms, upscale: 2 }, size));
});
