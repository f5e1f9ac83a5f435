import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SlidingWindow } from './sliding-window.ts';

const PER_SECOND = { limit: 10, windowMs: 1_000 };

describe('a sliding window', () => {
  it('lets exactly the limit through at one instant, and says so', () => {
    const window = new SlidingWindow();
    const drawn = Array.from({ length: 50 }, () => window.draw(5_000, 1, PER_SECOND));
    expect(drawn.filter((draw) => draw.type === 'counted')).toHaveLength(10);
    expect(drawn.map((draw) => draw.rate.remaining).slice(0, 11)).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0]);
    expect(drawn[49]).toEqual({ type: 'limited', rate: { limit: 10, remaining: 0, reset: 6 }, retryAfter: 1 });
  });

  it('draws the cost of a batch whole or not at all', () => {
    const window = new SlidingWindow();
    window.draw(0, 8, PER_SECOND);
    expect(window.draw(1, 3, PER_SECOND).type).toBe('limited');
    expect(window.draw(1, 2, PER_SECOND)).toMatchObject({ type: 'counted', rate: { remaining: 0 } });
    expect(new SlidingWindow().draw(0, 11, PER_SECOND).type).toBe('limited');
  });

  it('gives back what was drawn one window ago, not before', () => {
    const window = new SlidingWindow();
    window.draw(0, 10, PER_SECOND);
    expect(window.draw(999, 1, PER_SECOND).type).toBe('limited');
    expect(window.draw(1_000, 1, PER_SECOND).type).toBe('counted');
  });

  it('says in whole seconds when enough will be free, and when all will be', () => {
    const window = new SlidingWindow();
    const limit = { limit: 3, windowMs: 60_000 };
    window.draw(0, 1, limit);
    window.draw(20_000, 2, limit);
    expect(window.draw(30_000, 1, limit)).toEqual({
      type: 'limited',
      rate: { limit: 3, remaining: 0, reset: 80 },
      retryAfter: 30,
    });
    expect(window.draw(30_000, 2, limit)).toMatchObject({ retryAfter: 50 });
  });

  it('never lets more than the limit through in any stretch of the window, whatever the draws', () => {
    const draws = fc.array(fc.record({ after: fc.nat(400), cost: fc.integer({ min: 1, max: 4 }) }), { maxLength: 400 });
    fc.assert(
      fc.property(draws, (sequence) => {
        const window = new SlidingWindow();
        const passed: { at: number; cost: number }[] = [];
        let now = 0;
        for (const { after, cost } of sequence) {
          now += after;
          const before = passed.filter(({ at }) => at > now - 1_000).reduce((sum, draw) => sum + draw.cost, 0);
          const fits = before + cost <= 10;
          expect(window.draw(now, cost, PER_SECOND).type).toBe(fits ? 'counted' : 'limited');
          if (fits) passed.push({ at: now, cost });
        }
      }),
      { numRuns: 100 },
    );
  });
});

it('takes back a unit where it was drawn, once, and nothing that it has passed over', () => {
  const window = new SlidingWindow();
  window.draw(0, 1, PER_SECOND);
  window.draw(400, 2, PER_SECOND);
  window.giveBack(400);
  expect(window.left(400, PER_SECOND)).toBe(8);
  window.giveBack(0);
  window.giveBack(0);
  expect(window.left(999, PER_SECOND)).toBe(9);
  expect(window.left(1_000, PER_SECOND)).toBe(9);
  window.giveBack(0);
  expect(window.left(1_399, PER_SECOND)).toBe(9);
  expect([window.isEmpty(1_399, 1_000), window.isEmpty(1_400, 1_000)]).toEqual([false, true]);
});
