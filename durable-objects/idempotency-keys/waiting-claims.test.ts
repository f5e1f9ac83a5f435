import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { WaitingClaims } from './waiting-claims.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

describe('claims that wait', () => {
  test('go on in the order in which they came when their key is woken, and no others', async () => {
    const waiting = new WaitingClaims();
    const woken: string[] = [];
    const all = ['a', 'b', 'c'].map(async (name) => {
      if (await waiting.wait(name === 'c' ? 'other' : 'key', 5_000)) woken.push(name);
    });
    waiting.wake('key');
    await vi.advanceTimersByTimeAsync(0);
    expect(woken).toEqual(['a', 'b']);
    await vi.advanceTimersByTimeAsync(5_000);
    await Promise.all(all);
    expect(woken).toEqual(['a', 'b']);
  });

  test('end with their time', async () => {
    const waiting = new WaitingClaims();
    const wait = waiting.wait('key', 5_000);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(await wait).toBe(false);
    waiting.wake('key');
    expect(vi.getTimerCount()).toBe(0);
  });

  test('are so many for a key, and so many in all; who leaves makes room', async () => {
    const waiting = new WaitingClaims();
    const waits = Array.from({ length: 32 }, () => waiting.wait('key', 5_000));
    expect(await waiting.wait('key', 5_000)).toBe(false);
    waiting.wake('key');
    expect(await Promise.all(waits)).toEqual(waits.map(() => true));
    for (let n = 0; n < 1_000; n++) void waiting.wait(`key ${n}`, 5_000);
    expect(await waiting.wait('key', 5_000)).toBe(false);
    waiting.wake('key 0');
    const last = waiting.wait('key', 5_000);
    waiting.wake('key');
    expect(await last).toBe(true);
    await vi.advanceTimersByTimeAsync(5_000);
  });
});
