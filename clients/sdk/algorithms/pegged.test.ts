import { describe, expect, test } from 'vitest';
import { type AlgorithmEvent, commandsOf } from './algorithm.ts';
import { pegged, startPegged } from './pegged.ts';
import { bookOf, open, over, TERMS } from './played-orders.fixtures.ts';

const PEG = { ...TERMS, peg: 'best', tickSize: '0.01', moveMin: '0.02', pauseMs: 1_000 } as const;
const ASKS = [['20.05', '5']] as const;

function played(events: readonly AlgorithmEvent[], terms: Parameters<typeof startPegged>[1] = PEG) {
  return events.reduce(pegged.step, startPegged('run', terms));
}

describe('a pegged order', () => {
  const first = [bookOf(10_000, [['19.50', '3']], ASKS), open('run-1')];

  test('waits for a price to follow, and stands where others are best', () => {
    expect(commandsOf(played([bookOf(1, [], ASKS)]))).toEqual([]);
    expect(commandsOf(played(first.slice(0, 1)))).toMatchObject([{ type: 'place', price: '19.5', size: '10' }]);
  });

  test('moves no less than its least step, no sooner than its pause, and by one order at a time', () => {
    const near = bookOf(
      12_000,
      [
        ['19.51', '3'],
        ['19.50', '10'],
      ],
      ASKS,
    );
    expect(commandsOf(played([...first, near]))).toEqual([]);
    const early = played([...first, bookOf(10_500, [['19.60', '3']], ASKS)]);
    expect([commandsOf(early), pegged.wakeAt(early)]).toEqual([[], 11_000]);
    expect(pegged.step(early, { type: 'time', at: 10_999 })).toBe(early);
    const moving = pegged.step(early, { type: 'time', at: 11_000 });
    expect(commandsOf(moving)).toEqual([{ type: 'cancel', clientOrderId: 'run-1' }]);
    const ended = pegged.step(moving, over('run-1', '4', 'user'));
    expect([commandsOf(ended), pegged.wakeAt(ended)]).toEqual([[], 11_000]);
    const moved = pegged.step(ended, { type: 'time', at: 11_000 });
    expect(commandsOf(moved)).toMatchObject([{ type: 'place', clientOrderId: 'run-2', price: '19.6', size: '6' }]);
    const again = [open('run-2'), bookOf(11_900, [['19.70', '3']], ASKS)].reduce(pegged.step, moved);
    expect([commandsOf(again), pegged.wakeAt(again)]).toEqual([[], 12_000]);
  });

  test('does not follow itself: where the others have gone back it goes back, too', () => {
    const alone = bookOf(
      12_000,
      [
        ['19.50', '10'],
        ['19.40', '2'],
      ],
      ASKS,
    );
    const back = played([...first, alone, over('run-1', '0', 'user'), { type: 'time', at: 12_000 }]);
    expect(commandsOf(back)).toMatchObject([{ type: 'place', price: '19.4' }]);
    expect(commandsOf(played([...first, bookOf(12_000, [['19.50', '10']], ASKS)]))).toEqual([]);
  });

  test('stays where its level shows less than is left of it: the fill is not told yet, or the book does not show it', () => {
    const less = bookOf(
      12_000,
      [
        ['19.50', '8'],
        ['19.40', '2'],
      ],
      ASKS,
    );
    const state = played([...first, less]);
    expect([commandsOf(state), pegged.wakeAt(state)]).toEqual([[], null]);
    const told = [open('run-1', '2'), { ...less, at: 12_001 }].reduce(pegged.step, state);
    expect(commandsOf(told)).toEqual([{ type: 'cancel', clientOrderId: 'run-1' }]);
  });

  test('goes no further than its limit, and leaves alone what is too small to be placed again', () => {
    const beyond = played([bookOf(1, [['20.02', '1']], ASKS)]);
    expect(commandsOf(beyond)).toMatchObject([{ type: 'place', price: '20' }]);
    const small = played([...first, open('run-1', '8'), bookOf(12_000, [['19.80', '1']], ASKS)], {
      ...PEG,
      sizeMin: '3',
    });
    expect([commandsOf(small), pegged.wakeAt(small)]).toEqual([[], null]);
  });

  test('at the middle is rounded away from the other side', () => {
    const bids = [['19.50', '3']] as const;
    const asks = [['19.53', '3']] as const;
    const middle = (side: 'buy' | 'sell', limitPrice: string) =>
      commandsOf(played([bookOf(1, bids, asks)], { ...PEG, side, limitPrice, peg: 'mid' }));
    expect(middle('buy', '20')).toMatchObject([{ price: '19.51' }]);
    expect(middle('sell', '19')).toMatchObject([{ price: '19.52' }]);
    expect(commandsOf(played([bookOf(1, bids, [])], { ...PEG, peg: 'mid' }))).toEqual([]);
  });

  test('goes nowhere on a price of before an outage: the next book says where to', () => {
    const waiting = played([...first, bookOf(12_000, [['19.60', '3']], ASKS)]);
    const late = [over('run-1', '0', 'user'), { type: 'time', at: 3_600_000 } as const].reduce(pegged.step, waiting);
    expect([commandsOf(late), pegged.wakeAt(late)]).toEqual([[], null]);
    const fresh = pegged.step(late, bookOf(3_600_001, [['19.00', '3']], [['19.10', '5']]));
    expect(commandsOf(fresh)).toMatchObject([{ type: 'place', price: '19' }]);
    const empty = [over('run-1', '0', 'user'), bookOf(12_500, [], ASKS)].reduce(pegged.step, waiting);
    expect(commandsOf(empty)).toEqual([]);
  });

  test('moves on after a clock that ran ahead was put back', () => {
    const ahead = played([bookOf(9_000_000, [['19.50', '3']], ASKS), open('run-1')]);
    const back = pegged.step(ahead, bookOf(12_000, [['19.60', '3']], ASKS));
    expect(commandsOf(back)).toEqual([{ type: 'cancel', clientOrderId: 'run-1' }]);
  });

  test('is refused where it could flood the exchange', () => {
    expect(() => startPegged('run', { ...PEG, pauseMs: 999 })).toThrow('pauseMs');
    expect(() => startPegged('run', { ...PEG, moveMin: '0.001' })).toThrow('moveMin');
    expect(() => startPegged('run', { ...PEG, limitPrice: '20.001' })).toThrow('tickSize');
  });
});
