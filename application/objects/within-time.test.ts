import { afterEach, expect, test, vi } from 'vitest';
import { withinTime } from './within-time.ts';

afterEach(() => void vi.useRealTimers());

test('an answer in time is given, and one that fails is null', async () => {
  expect(await withinTime(3_000, Promise.resolve('all right'))).toBe('all right');
  expect(await withinTime(3_000, Promise.reject(new Error('away')))).toBeNull();
});

test('an answer that hangs is not waited for any longer', async () => {
  vi.useFakeTimers();
  const answer = withinTime(3_000, new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(3_000);
  expect(await answer).toBeNull();
});
