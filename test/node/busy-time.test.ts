import { expect, test } from 'vitest';
import { busyTime_ms } from '../../scripts/deploy/busy-time.ts';

const node = (id: number, functionName: string) => ({ id, callFrame: { functionName } });

test('The time of a start is that of samples at work, and what another process took in between is not', () => {
  const nodes = [node(1, '(root)'), node(2, '(idle)'), node(3, 'evaluate'), node(4, '(garbage collector)')];
  const profile = (samples: number[], timeDeltas: number[]) => ({ nodes, samples, timeDeltas });
  expect(busyTime_ms(profile([3, 3, 4], [1_000, 1_100, 900]))).toBe(3);
  expect(busyTime_ms(profile([3, 2, 3], [1_000, 50_000, 1_000]))).toBe(2);
  expect(busyTime_ms(profile([3, 3, 3], [1_000, 120_000, 1_000]))).toBe(4);
});
