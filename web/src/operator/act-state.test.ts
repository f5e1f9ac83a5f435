import { describe, expect, test } from 'vitest';
import { ApiProblem } from '../api/api-problem.ts';
import { askedBefore, haltOffered, marketActHolds, outcomeOf, venueActHolds, venueActOf } from './act-state.ts';

const problem = (status: number, code: string, details: Record<string, unknown> = {}) =>
  new ApiProblem({ status, code, message: '', details });

describe('an act that was not answered by success', () => {
  test.each([
    [problem(503, 'UNAVAILABLE'), 'unknown'],
    [problem(0, 'NO_ANSWER'), 'unknown'],
    [problem(409, 'CONFLICT', { reason: 'in_flight' }), 'unknown'],
    [problem(409, 'CONFLICT', { reason: 'not_approved', approval: 'a1' }), 'not_approved'],
    [problem(409, 'CONFLICT', { reason: 'approval_required', approval: 'a1' }), 'asked'],
    [problem(403, 'STEP_UP_REQUIRED'), 'step_up'],
    [problem(422, 'INVALID'), 'refused'],
    [problem(429, 'RATE_LIMITED'), 'refused'],
  ])('that says %o is %s', (error, outcome) => {
    expect(outcomeOf(error, false)).toBe(outcome);
  });

  test('and was not answered before stays unknown when it is turned away', () => {
    expect(outcomeOf(problem(429, 'RATE_LIMITED'), true)).toBe('unknown');
    expect(outcomeOf(problem(422, 'INVALID'), true)).toBe('refused');
  });
});

test('an approval that was asked for is kept with the call that it is for', () => {
  const asked = { approval: 'a1', call: '[{"roles":"trader"},"why"]' };
  expect(askedBefore(JSON.stringify(asked))).toEqual(asked);
  for (const kept of [null, '', 'a1', '{"approval":"a1"}', 'null']) expect(askedBefore(kept)).toBeNull();
});

describe('the halt of all trading', () => {
  const trading = (venueHalted: boolean) =>
    ({ venueHalted, markets: { open: '3' }, books: { liveOrders: '9' } }) as never;

  test('stays what it was when its dialog was opened, and holds no more once somebody else has halted', () => {
    const act = venueActOf(trading(false));
    expect(act).toEqual({ verb: 'halt', open: 3, liveOrders: 9 });
    expect(venueActHolds(act, trading(false))).toBe(true);
    expect(venueActHolds(act, trading(true))).toBe(false);
    expect(venueActHolds(venueActOf(trading(true)), trading(true))).toBe(true);
  });

  test('is offered also where trading could not be read, without numbers', () => {
    const act = venueActOf(null);
    expect(act).toEqual({ verb: 'halt', open: null, liveOrders: null });
    expect(venueActHolds(act, null)).toBe(true);
    expect(venueActOf(null, true).verb).toBe('resume');
  });
});

describe('an act on a market', () => {
  const market = (status: string, liveOrders: string | null, changed: object = {}) =>
    ({
      haltedUntil: null,
      rules: { status, bandHaltSeconds: '60' },
      book: liveOrders === null ? null : { halted: null, liveOrders },
      ...changed,
    }) as never;

  test('holds while the market is as it was, and no longer', () => {
    expect(marketActHolds('halt_market', market('open', '1'), market('open', '2'))).toBe(true);
    expect(marketActHolds('halt_market', market('open', '1'), market('halted', '1'))).toBe(false);
    expect(marketActHolds('resume_market', market('halted', '0'), market('open', '0'))).toBe(false);
    const band = market('open', '0', { haltedUntil: '2026-11-29T12:00:00.000Z' });
    expect(marketActHolds('end_band', band, market('open', '0'))).toBe(false);
    const stopped = market('open', null, { book: { halted: 'row 1', liveOrders: '0' } });
    expect(marketActHolds('resume_book', stopped, market('open', '0'))).toBe(false);
    expect(marketActHolds('resume_book', stopped, market('open', null))).toBe(true);
  });

  test('is its halt once more while a halted market shows open orders', () => {
    expect(haltOffered(market('open', null))).toBe('halt');
    expect(haltOffered(market('halted', '2'))).toBe('again');
    expect(haltOffered(market('halted', '0'))).toBeNull();
    expect(haltOffered(market('halted', null))).toBeNull();
    expect(haltOffered(market('closed', '2'))).toBeNull();
  });
});
