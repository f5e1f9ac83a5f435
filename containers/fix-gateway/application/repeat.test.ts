import { expect, it, vi } from 'vitest';
import type { ExchangeAnswer } from './exchange.ts';
import { repeatWhenItFits } from './repeat.ts';

const limited = (details: Readonly<Record<string, unknown>>): ExchangeAnswer => ({
  type: 'refused',
  status: 429,
  code: 'RATE_LIMIT_EXCEEDED',
  message: 'too many requests',
  details,
  remaining: 0,
});
const done: ExchangeAnswer = { type: 'ok', body: {}, next: null };

/** An exchange that answers in this order. */
function exchange(answers: readonly ExchangeAnswer[], askedAfter_s = Number.POSITIVE_INFINITY) {
  const left = [...answers];
  const waited = { s: 0 };
  const answer = repeatWhenItFits(
    async () => left.shift() ?? done,
    () => waited.s >= askedAfter_s,
    async (seconds) => {
      waited.s += seconds;
    },
  );
  return { answer, waited, left };
}

it('Cancels of a session that ends go on once the limit has room for them', async () => {
  const { answer, waited } = exchange([limited({ retry_after: 42 }), limited({ retry_after: 3 }), done]);
  expect(await answer).toBe(done);
  expect(waited.s).toBe(45);
});

it('wait a minute where nobody says how long', async () => {
  const { answer, waited } = exchange([limited({}), limited({ retry_after: 100_000 }), done]);
  expect(await answer).toBe(done);
  expect(waited.s).toBe(120);
});

it('end with any other refusal, and after an hour of waiting', async () => {
  const refused = { ...limited({}), code: 'UNAUTHORIZED' } as ExchangeAnswer;
  expect((await exchange([refused, done]).answer).type).toBe('refused');
  const { answer, left } = exchange(Array.from({ length: 70 }, () => limited({ retry_after: 1 })));
  expect((await answer).type).toBe('refused');
  expect(left).toHaveLength(9);
});

it('wait no longer once the session is asked for something else', async () => {
  const { answer, waited, left } = exchange([limited({ retry_after: 42 }), done], 5);
  expect((await answer).type).toBe('refused');
  expect(waited.s).toBe(5);
  expect(left).toEqual([done]);
});

it('Cancels of a session that ends go on while the exchange is out of reach', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  try {
    const { answer, waited, left } = exchange([
      ...Array.from({ length: 15 }, () => ({ type: 'unknown' }) as const),
      done,
    ]);
    await vi.runAllTimersAsync();
    expect(await answer).toBe(done);
    expect([waited.s, left]).toEqual([1 + 2 + 4, []]);
  } finally {
    vi.useRealTimers();
  }
});
