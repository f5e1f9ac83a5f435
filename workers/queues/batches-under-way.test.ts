import { expect, test } from 'vitest';
import { BatchesUnderWay } from './batches-under-way.ts';

test('a batch is under way until it ends', () => {
  const batches = new BatchesUnderWay();
  const [first, second] = [batches.begin(0), batches.begin(10_000)];
  expect(batches.count).toBe(2);
  first();
  first();
  expect(batches.count).toBe(1);
  second();
  expect(batches.count).toBe(0);
});

test('one that never says that it has ended is believed to be under way for thirty seconds', () => {
  const batches = new BatchesUnderWay();
  for (let count = 0; count < 9; count++) batches.begin(count);
  const end = batches.begin(29_999);
  expect(batches.count).toBe(10);
  end();
  batches.begin(30_007);
  expect(batches.count).toBe(2);
  batches.begin(30_008);
  expect(batches.count).toBe(2);
});
