import { describe, expect, test } from 'vitest';
import { type AlgorithmEvent, commandsOf } from './algorithm.ts';
import { bracket, startBracket } from './bracket.ts';
import { exitedOf, filledOf } from './child-orders.ts';
import { bookOf, open, over, TERMS } from './played-orders.fixtures.ts';

const BRACKET = { ...TERMS, takeProfitPrice: '22', stopPrice: '18', stopLimitPrice: '17' } as const;
const bids = (at: number, price: string) => bookOf(at, [[price, '1']], []);

function played(events: readonly AlgorithmEvent[], terms: Parameters<typeof startBracket>[1] = BRACKET) {
  return events.reduce(bracket.step, startBracket('run', terms));
}

describe('a bracket', () => {
  test('takes the profit on what has been entered, as it is entered', () => {
    expect(commandsOf(played([]))).toMatchObject([{ type: 'place', side: 'buy', price: '20', size: '10' }]);
    expect(commandsOf(played([open('run-1')]))).toEqual([]);
    const part = played([open('run-1', '4')]);
    expect(commandsOf(part)).toMatchObject([{ clientOrderId: 'run-2', side: 'sell', price: '22', size: '4' }]);
    // One placement at a time: more is asked for when the last one is known to stand.
    const more = bracket.step(part, over('run-1', '10'));
    expect(commandsOf(more)).toMatchObject([{ clientOrderId: 'run-2', size: '4' }]);
    expect(commandsOf(bracket.step(more, open('run-2')))).toMatchObject([{ clientOrderId: 'run-3', size: '6' }]);
    const ended = [open('run-2'), open('run-3'), over('run-2', '4'), over('run-3', '6')].reduce(bracket.step, more);
    expect([ended.stage, ended.reason, filledOf(ended), exitedOf(ended)]).toEqual([
      'ended',
      { is: 'closed' },
      '10',
      '10',
    ]);
  });

  test('enters nothing more once an exit has traded', () => {
    const begun = played([open('run-1', '4'), open('run-2', '1')]);
    expect([begun.exit, commandsOf(begun)]).toEqual(['take_profit', [{ type: 'cancel', clientOrderId: 'run-1' }]]);
    // What the entry has filled before its end is closed as well.
    const late = bracket.step(begun, over('run-1', '7', 'user'));
    expect(commandsOf(late)).toMatchObject([{ side: 'sell', price: '22', size: '3' }]);
  });

  test('stops with what is left after the other exit has ended, whatever that has filled meanwhile', () => {
    const entered = played([over('run-1', '10'), open('run-2')]);
    expect(bracket.step(entered, bids(1, '18.01'))).toBe(entered);
    const reached = bracket.step(entered, bids(2, '18'));
    expect(commandsOf(reached)).toEqual([{ type: 'cancel', clientOrderId: 'run-2' }]);
    const stopping = bracket.step(reached, over('run-2', '3', 'user'));
    expect(commandsOf(stopping)).toMatchObject([{ clientOrderId: 'run-3', side: 'sell', price: '17', size: '7' }]);
    const ended = bracket.step(stopping, over('run-3', '7'));
    expect([ended.reason, exitedOf(ended)]).toEqual([{ is: 'closed' }, '10']);
    const whole = bracket.step(reached, over('run-2', '10'));
    expect([whole.stage, whole.placed]).toEqual(['ended', 2]);
  });

  test('has nothing to stop before it has entered', () => {
    const waiting = played([open('run-1')]);
    expect(bracket.step(waiting, bids(1, '10'))).toBe(waiting);
  });

  test('keeps its exits where somebody else ends the entry; one that has not traded ends all', () => {
    const cut = played([open('run-1', '4'), open('run-2'), over('run-1', '4', 'halt')]);
    expect([cut.stage, Object.keys(cut.orders)]).toEqual(['running', ['run-2']]);
    expect(played([open('run-1'), over('run-1', '0', 'halt')]).reason).toEqual({ is: 'order_ended', reason: 'halt' });
  });

  test('puts exits together that are many, or too small for an order of their own', () => {
    const small = played([open('run-1', '4'), open('run-2'), over('run-1', '6', 'user')], { ...BRACKET, sizeMin: '3' });
    expect(commandsOf(small)).toEqual([{ type: 'cancel', clientOrderId: 'run-2' }]);
    expect(commandsOf(bracket.step(small, over('run-2', '0', 'user')))).toMatchObject([{ size: '6' }]);
    const fills = [1, 2, 3, 4, 5].flatMap((filled) => [open('run-1', String(filled)), open(`run-${filled + 1}`)]);
    const many = played([...fills, open('run-1', '6')]);
    expect(commandsOf(many).map(({ type }) => type)).toEqual(Array(5).fill('cancel'));
  });

  test('of a sale is the mirror, and prices on the wrong side are refused', () => {
    const sale = { ...TERMS, side: 'sell', takeProfitPrice: '18', stopPrice: '22', stopLimitPrice: '23' } as const;
    const reached = played(
      [over('run-1', '10'), open('run-2'), bookOf(1, [], [['22', '1']]), over('run-2', '0', 'user')],
      sale,
    );
    expect(commandsOf(reached)).toMatchObject([{ side: 'buy', price: '23', size: '10' }]);
    for (const wrong of [{ stopPrice: '20' }, { takeProfitPrice: '19' }, { stopLimitPrice: '18.01' }])
      expect(() => startBracket('run', { ...BRACKET, ...wrong })).toThrow(RangeError);
  });
});
