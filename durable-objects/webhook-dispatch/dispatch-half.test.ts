import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { DispatchHalf } from './dispatch-half.ts';

const START = 1_800_000_000_000;

beforeEach(() => {
  vi.useFakeTimers({ now: START });
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

/** A half that notes when it looked; each look ends as is said, then nothing is left. */
function halfOf(ends: readonly (number | null | Error)[] = [], pace_ms = 0) {
  const looks: number[] = [];
  const left = [...ends];
  const half = new DispatchHalf(async () => {
    looks.push(Date.now() - START);
    const end = left.shift() ?? null;
    if (end instanceof Error) throw end;
    return end;
  }, pace_ms);
  return { half, looks };
}

function slow() {
  let ends = () => undefined as unknown;
  const work = new Promise<void>((resolve) => {
    ends = resolve;
  });
  return { work, ends };
}

const passes = (ms: number) => vi.advanceTimersByTimeAsync(ms);

test('what is written while slower work is under way waits for none of it', async () => {
  const { half, looks } = halfOf();
  const { work, ends } = slow();
  const over = half.goOn(work);
  await passes(500);
  half.wake();
  await passes(1);
  expect(looks).toEqual([0, 500]);
  await passes(10_000);
  expect(looks, 'it looks at nothing where nobody wakes it').toEqual([0, 500]);
  ends();
  await over;
  expect([looks.length, half.due]).toEqual([2, Number.POSITIVE_INFINITY]);
});

test('what is left comes in its time: while slower work is under way, and by the next alarm', async () => {
  const { half, looks } = halfOf([START + 300, START + 900]);
  const { work, ends } = slow();
  const over = half.goOn(work);
  await passes(500);
  expect(looks).toEqual([0, 300]);
  ends();
  await over;
  expect(half.due).toBe(START + 900);
  half.rings(START + 800);
  await half.goOn(Promise.resolve());
  expect(looks).toEqual([0, 300]);
  half.rings(START + 900);
  await half.goOn(Promise.resolve());
  expect(looks).toEqual([0, 300, 500]);
});

test('what it is told of during a look is looked for before it is over', async () => {
  const looks: number[] = [];
  const half: DispatchHalf = new DispatchHalf(async () => {
    if (looks.push(0) === 1) half.wake();
    return null;
  });
  await half.goOn(Promise.resolve());
  expect([looks.length, half.due]).toEqual([2, Number.POSITIVE_INFINITY]);
});

test('one that always finds more leaves it to the next alarm', async () => {
  const { half, looks } = halfOf(Array.from({ length: 100 }, () => START));
  await half.goOn(Promise.resolve());
  expect([looks.length, half.due]).toEqual([20, START]);
});

test('what fails is tried again after a second, whoever wakes it', async () => {
  const { half, looks } = halfOf([new Error('D1 is away')]);
  const { work, ends } = slow();
  const over = half.goOn(work);
  await passes(400);
  expect(half.wake()).toBe(START + 1_000);
  await passes(599);
  expect(looks).toEqual([0]);
  await passes(1);
  expect(looks).toEqual([0, 1_000]);
  ends();
  await over;
});

test('keeps its pace where something was left, and none where nothing was', async () => {
  const { half, looks } = halfOf([null, START + 60_000], 1_000);
  const { work, ends } = slow();
  const over = half.goOn(work);
  await passes(100);
  half.wake();
  await passes(100);
  expect(looks).toEqual([0, 100]);
  for (let count = 0; count < 5; count++) {
    expect(half.wake()).toBe(START + 1_100);
    await passes(100);
  }
  expect(looks).toEqual([0, 100]);
  await passes(1_000);
  expect(looks).toEqual([0, 100, 1_100]);
  ends();
  await over;
});

test('a clock that was put back lets nobody wait', async () => {
  const { half } = halfOf([START + 60_000], 1_000);
  await half.goOn(Promise.resolve());
  vi.setSystemTime(START - 60_000);
  expect(half.wake()).toBe(START - 60_000);
});
