import { describe, expect, test } from 'vitest';
import { commandsOf } from './algorithm.ts';
import { bookOf, over, TERMS } from './played-orders.fixtures.ts';
import { startStopTrail, stopOf, stopTrail } from './stop-trail.ts';

const bids = (at: number, price: string) => bookOf(at, [[price, '1']], []);
const asks = (at: number, price: string) => bookOf(at, [], [[price, '1']]);

describe('a trailing stop', () => {
  const sale = { ...TERMS, side: 'sell', limitPrice: '15' } as const;

  test('of a sale follows the highest bid at its distance, never down, and sells at its limit or better', () => {
    const up = [bids(1, '20'), bids(2, '22.50'), bids(3, '21.01'), bookOf(4, [], [])].reduce(
      stopTrail.step,
      startStopTrail('run', { ...sale, trail: { amount: '1.5' } }),
    );
    expect([stopOf(up), commandsOf(up)]).toEqual(['21', []]);
    const reached = stopTrail.step(up, bids(5, '21'));
    expect(commandsOf(reached)).toMatchObject([
      { type: 'place', side: 'sell', price: '15', size: '10', timeInForce: 'GTC' },
    ]);
    // What it does not find at once stands; the market's way back changes nothing.
    const after = [bids(6, '30'), over('run-1', '10')].reduce(stopTrail.step, reached);
    expect([after.stage, after.reason, after.placed]).toEqual(['ended', { is: 'filled' }, 1]);
  });

  test('of a purchase follows the lowest ask, in per cent of it, exactly', () => {
    const down = [asks(1, '20'), asks(2, '18')].reduce(
      stopTrail.step,
      startStopTrail('run', { ...TERMS, trail: { percent: '2.5' } }),
    );
    expect(stopOf(down)).toBe('18.45');
    expect(stopTrail.step(down, asks(3, '18.449999'))).toBe(down);
    expect(commandsOf(stopTrail.step(down, asks(3, '18.45')))).toMatchObject([{ side: 'buy', price: '20' }]);
  });

  test('takes one distance, above zero', () => {
    for (const trail of [{ amount: '0' }, { percent: '100' }, {}, { amount: '1', percent: '1' }])
      expect(() => startStopTrail('run', { ...TERMS, trail: trail as { amount: string } })).toThrow(RangeError);
  });
});
