import { describe, expect, test } from 'vitest';
import type { EngineEvent } from '../engine/engine.ts';
import { MarketView } from './market-view.ts';

/** Events of a cycle in which levels have changed at these numbers of the engine. */
const levels = (...sequences: number[]) =>
  sequences.map((sequence): EngineEvent => ({ type: 'level', sequence, side: 'buy', price: 1, quantity: 1 }));

describe('the public sequence of a book', () => {
  test('counts changes of levels alone', () => {
    const view = new MarketView();
    view.advance(levels(7, 900), [], 1_000, true);
    expect([view.bookSequence, view.changedAt]).toEqual([2, 1_000]);
    view.advance([{ type: 'accepted', sequence: 950, orderId: 'hidden' }], [], 2_000, true);
    expect([view.bookSequence, view.changedAt]).toEqual([2, 1_000]);
  });

  test('never falls below what a book of an earlier version has told, which were the numbers of its engine', () => {
    const view = new MarketView({ bookSequence: 40, bars: [] }, 5_000);
    view.advance(levels(60, 75), [], 6_000, false);
    expect(view.bookSequence).toBe(75);
    view.advance(levels(80), [], 7_000, true);
    expect(view.bookSequence).toBe(76);
    const restored = new MarketView(view.snapshot(), 9_000);
    expect([restored.bookSequence, restored.changedAt]).toEqual([76, 7_000]);
  });
});

test('a book from before public times has changed by the last cycle before its snapshot, and not at the beginning of time', () => {
  expect(new MarketView({ bookSequence: 40, bars: [] }, 5_000).changedAt).toBe(5_000);
  expect(new MarketView({ bookSequence: 40, changedAt: 0, bars: [] }, 5_000).changedAt).toBe(0);
  expect(new MarketView(undefined, 0).changedAt).toBe(0);
});
