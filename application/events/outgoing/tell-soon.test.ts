import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { tellSoon } from './tell-soon.ts';

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const dispatcher = (wake: (half: string) => Promise<void>) =>
  ({ WEBHOOK_DISPATCH: { getByName: () => ({ wake }) } }) as unknown as Env;

test('tells the dispatcher of what tenants are told', async () => {
  const wake = vi.fn(async () => undefined);
  await tellSoon(dispatcher(wake));
  expect(wake).toHaveBeenCalledExactlyOnceWith('tenants');
  expect(vi.getTimerCount()).toBe(0);
});

test('waits a second for a dispatcher that hangs, and is told of nothing by one that fails later', async () => {
  let fails = (_: Error) => undefined as unknown;
  const hangs = new Promise<void>((_, reject) => {
    fails = reject;
  });
  const done = vi.fn();
  const telling = tellSoon(dispatcher(() => hangs)).then(done);
  await vi.advanceTimersByTimeAsync(999);
  expect(done).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(done).toHaveBeenCalledOnce();
  fails(new Error('it was lost'));
  await telling;
  await vi.advanceTimersByTimeAsync(1);
});

test('fails nobody’s request', async () => {
  await expect(tellSoon(dispatcher(() => Promise.reject(new Error('overloaded'))))).resolves.toBeUndefined();
});
