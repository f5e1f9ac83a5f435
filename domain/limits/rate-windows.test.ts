import { describe, expect, it } from 'vitest';
import { drawInPart, drawTogether, RateWindows } from './rate-windows.ts';

const limit = (of: number) => ({ limit: of, windowMs: 1_000 });

describe('windows that are drawn on together', () => {
  it('count on all of them or on none', () => {
    const [key, account] = [new RateWindows(), new RateWindows()];
    const draw = (cost: number) =>
      drawTogether(0, cost, [
        { window: key.of('orders'), limit: limit(10) },
        { window: account.of('orders'), limit: limit(4) },
      ]);
    expect(draw(3)).toMatchObject({ type: 'counted', rate: { limit: 4, remaining: 1 } });
    expect(draw(2)).toMatchObject({ type: 'limited', rate: { limit: 4, remaining: 1 }, retryAfter: 1 });
    expect(key.of('orders').refusal(0, 7, limit(10))).toBeNull();
    expect(key.of('orders').refusal(0, 8, limit(10))).not.toBeNull();
  });

  it('take as much of a cost that may be divided as fits on all of them', () => {
    const [key, account] = [new RateWindows(), new RateWindows()];
    const draw = (cost: number) =>
      drawInPart(0, cost, [
        { window: key.of('orders'), limit: limit(10) },
        { window: account.of('orders'), limit: limit(4) },
      ]);
    expect(draw(3)).toMatchObject({ drawn: { type: 'counted', rate: { remaining: 1 } }, beyond: null });
    expect(draw(7)).toMatchObject({
      drawn: { type: 'counted', rate: { remaining: 0 } },
      beyond: { count: 6, retryAfter: 1 },
    });
    expect(draw(7)).toMatchObject({ drawn: { type: 'limited', retryAfter: 1 }, beyond: null });
    expect(key.of('orders').left(0, limit(10))).toBe(6);
  });

  it('have buckets of their own', () => {
    const account = new RateWindows();
    account.of('orders').draw(0, 4, limit(4));
    expect(account.of('private').refusal(0, 4, limit(4))).toBeNull();
  });
});
