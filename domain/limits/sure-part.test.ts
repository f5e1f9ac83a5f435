import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { DEFAULT_RATE_LIMITS } from './rate-bucket.ts';
import { drawInPart, drawTogether } from './rate-windows.ts';
import { SlidingWindow } from './sliding-window.ts';
import { windowsOfCancels } from './sure-part.ts';

/** What each is sure of. */
const SURE_CANCELS = 60;
const CANCELS = DEFAULT_RATE_LIMITS.cancels;

/** An account whose credentials cancel. */
function account() {
  const windows = new Map<string, SlidingWindow>();
  const windowOf = (name: string, limit = CANCELS.limit) => {
    const window = windows.get(name) ?? new SlidingWindow();
    windows.set(name, window);
    return { window, limit: { ...CANCELS, limit } };
  };
  const drawnBy = (who: string, cost: number, now = 0, limit?: number) =>
    drawTogether(
      now,
      cost,
      windowsOfCancels(now, { cost, isDivisible: false }, windowOf(who, limit), windowOf('account')),
    );
  return { windowOf, drawnBy };
}

describe('cancels of an account', () => {
  it('are sure for each of its keys, whatever the others have used up', () => {
    const { drawnBy } = account();
    for (let at = 0; at < CANCELS.limit; at++) expect(drawnBy('agent', 1).type).toBe('counted');
    expect(drawnBy('agent', 1).type).toBe('limited');
    for (const who of ['owner', 'another']) {
      for (let at = 0; at < SURE_CANCELS; at++)
        expect(drawnBy(who, 1)).toMatchObject({
          type: 'counted',
          rate: { limit: SURE_CANCELS, remaining: SURE_CANCELS - at - 1 },
        });
      expect(drawnBy(who, 1)).toMatchObject({ type: 'limited', rate: { limit: CANCELS.limit, remaining: 0 } });
    }
    expect(drawnBy('agent', 1, CANCELS.windowMs).type).toBe('counted');
  });

  it('are as many as before where one of them cancels alone', () => {
    const { drawnBy } = account();
    expect(drawnBy('owner', 290)).toMatchObject({ type: 'counted', rate: { limit: CANCELS.limit, remaining: 10 } });
    expect(drawnBy('owner', 11).type).toBe('limited');
    expect(drawnBy('owner', 10).type).toBe('counted');
  });

  it('are no more than its limit for a key that has less', () => {
    const { drawnBy } = account();
    drawnBy('agent', CANCELS.limit);
    for (let at = 0; at < 3; at++) expect(drawnBy('slow', 1, 0, 3).type).toBe('counted');
    expect(drawnBy('slow', 1, 0, 3).type).toBe('limited');
  });

  it('fit in part where a part is asked for, and whole or not at all else', () => {
    const { drawnBy, windowOf } = account();
    drawnBy('agent', 290);
    expect(drawnBy('owner', SURE_CANCELS + 1).type).toBe('limited');
    const cost = 100;
    const windows = windowsOfCancels(0, { cost, isDivisible: true }, windowOf('owner'), windowOf('account'));
    expect(drawInPart(0, cost, windows)).toMatchObject({
      drawn: { type: 'counted', rate: { remaining: 0 } },
      beyond: { count: cost - SURE_CANCELS },
    });
  });

  it('of no credential are more than its limit, and of all of them no more than what each is sure of beside the limit', () => {
    const step = fc.record({
      who: fc.nat(4).map(String),
      cost: fc.integer({ min: 1, max: 120 }),
      later: fc.nat(20_000),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
        const { drawnBy } = account();
        const drawn: { readonly who: string; readonly cost: number; readonly at: number }[] = [];
        let at = 0;
        for (const { who, cost, later } of steps) {
          at += later;
          const within = drawn.filter((draw) => at - draw.at < CANCELS.windowMs);
          const mine = within.filter((draw) => draw.who === who).reduce((sum, draw) => sum + draw.cost, 0);
          if (drawnBy(who, cost, at).type === 'counted') drawn.push({ who, cost, at });
          else expect(mine + cost).toBeGreaterThan(SURE_CANCELS);
          const now = drawn.filter((draw) => at - draw.at < CANCELS.windowMs);
          const sumOf = (draws: typeof drawn) => draws.reduce((sum, draw) => sum + draw.cost, 0);
          expect(sumOf(now.filter((draw) => draw.who === who))).toBeLessThanOrEqual(CANCELS.limit);
          expect(sumOf(now)).toBeLessThanOrEqual(CANCELS.limit + 5 * SURE_CANCELS);
        }
      }),
      { numRuns: 300 },
    );
  });
});
