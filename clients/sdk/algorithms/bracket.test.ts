import { describe, expect, test } from 'vitest';
import { type AlgorithmEvent, commandsOf } from './algorithm.ts';
import { bracket, startBracket } from './bracket.ts';
import { exitedOf, filledOf } from './child-orders.ts';
import { bookOf, open, over, TERMS } from './played-orders.fixtures.ts';

const BRACKET = { ...TERMS, takeProfitPrice: '22', stopPrice: '18', stopLimitPrice: '17', tickSize: '0.01' } as const;
const bids = (at: number, price: string) => bookOf(at, [[price, '1']], []);

const time = (at: number): AlgorithmEvent => ({ type: 'time', at });
/** The pause after a placement: from when it is known to when it is over. */
const pause = [time(1), time(1_001)];

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
    // And fills gather for a moment.
    const stands = bracket.step(more, open('run-2'));
    expect([commandsOf(stands), bracket.wakeAt(stands)]).toEqual([[], 0]);
    const known = bracket.step(stands, time(5_000));
    expect([commandsOf(bracket.step(known, time(5_999))), bracket.wakeAt(known)]).toEqual([[], 6_000]);
    expect(commandsOf(bracket.step(known, time(6_000)))).toMatchObject([{ clientOrderId: 'run-3', size: '6' }]);
    const ended = [open('run-2'), ...pause, open('run-3'), over('run-2', '4'), over('run-3', '6')].reduce(
      bracket.step,
      more,
    );
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
    const late = [over('run-1', '7', 'user'), ...pause].reduce(bracket.step, begun);
    expect(commandsOf(late)).toMatchObject([{ side: 'sell', price: '22', size: '3' }]);
  });

  test('stops with what is left after the other exit has ended, whatever that has filled meanwhile', () => {
    const entered = played([over('run-1', '10'), open('run-2')]);
    expect(commandsOf(bracket.step(entered, bids(1, '18.01')))).toEqual([]);
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
    const seen = bracket.step(waiting, bids(1, '10'));
    expect(commandsOf(seen)).toEqual([]);
    // What fills in the fall is closed at once, and not at the next change of the book.
    const filled = bracket.step(seen, over('run-1', '10'));
    expect([commandsOf(filled), bracket.wakeAt(filled)]).toEqual([[], 0]);
    expect(commandsOf(bracket.step(filled, time(30_001)))).toMatchObject([{ price: '17', size: '10' }]);
    // What a book showed longer ago, as before an outage, is not believed.
    const late = bracket.step(filled, time(30_002));
    expect(commandsOf(late)).toMatchObject([{ price: '22', size: '10' }]);
    const fallen = [open('run-2'), bids(30_003, '17.5')].reduce(bracket.step, late);
    expect(commandsOf(fallen)).toEqual([{ type: 'cancel', clientOrderId: 'run-2' }]);
  });

  test('places an exit again that was refused or ended, after a pause that grows, and stops meanwhile', () => {
    const refused = (clientOrderId: string): AlgorithmEvent => ({ type: 'refused', clientOrderId, code: 'HALTED' });
    const lost = played([over('run-1', '10'), refused('run-2')]);
    expect([lost.stage, commandsOf(lost), bracket.wakeAt(lost)]).toEqual(['running', [], 0]);
    const waiting = bracket.step(lost, time(50_000));
    expect([commandsOf(waiting), bracket.wakeAt(waiting)]).toEqual([[], 51_000]);
    expect(bracket.step(waiting, time(50_999))).toBe(waiting);
    const again = bracket.step(waiting, time(51_000));
    expect(commandsOf(again)).toMatchObject([{ clientOrderId: 'run-3', price: '22', size: '10' }]);
    const ended = [open('run-3'), over('run-3', '0', 'halt'), time(60_000)].reduce(bracket.step, again);
    expect([commandsOf(ended), bracket.wakeAt(ended)]).toEqual([[], 62_000]);
    const stopping = bracket.step(ended, bids(60_001, '18'));
    expect(commandsOf(stopping)).toMatchObject([{ price: '17', size: '10' }]);
    const halted = [refused('run-4'), time(61_000)].reduce(bracket.step, stopping);
    expect([halted.stage, commandsOf(halted), bracket.wakeAt(halted)]).toEqual(['running', [], 62_000]);
    expect(commandsOf(bracket.step(halted, time(1_000)))).toMatchObject([{ price: '17', size: '10' }]);
    const forever = Array.from({ length: 20 }, (_, n) => [refused(`run-${n + 5}`), time(70_000), time(200_000)])
      .flat()
      .reduce(bracket.step, bracket.step(halted, time(62_000)));
    expect(commandsOf([refused('run-25'), time(300_000)].reduce(bracket.step, forever))).toEqual([]);
    expect(bracket.wakeAt([refused('run-25'), time(300_000)].reduce(bracket.step, forever))).toBe(360_000);
  });

  test('stops though the exit that it no longer wants is refused at that moment', () => {
    const reached = played([over('run-1', '10'), bids(1, '18')]);
    expect(commandsOf(reached)).toEqual([{ type: 'withdraw', clientOrderId: 'run-2' }]);
    const stopping = bracket.step(reached, { type: 'refused', clientOrderId: 'run-2', code: 'PRICE_BAND' });
    expect(commandsOf(stopping)).toMatchObject([{ clientOrderId: 'run-3', price: '17', size: '10' }]);
  });

  test('keeps its exits where somebody else ends the entry; one that has not traded ends all', () => {
    const cut = played([open('run-1', '4'), open('run-2'), over('run-1', '4', 'halt')]);
    expect([cut.stage, Object.keys(cut.orders)]).toEqual(['running', ['run-2']]);
    expect(played([open('run-1'), over('run-1', '0', 'halt')]).reason).toEqual({ is: 'order_ended', reason: 'halt' });
  });

  test('puts exits together that are many, or too small for an order of their own', () => {
    const small = played([open('run-1', '4'), open('run-2'), over('run-1', '6', 'user'), ...pause], {
      ...BRACKET,
      sizeMin: '3',
    });
    expect(commandsOf(small)).toEqual([{ type: 'cancel', clientOrderId: 'run-2' }]);
    expect(commandsOf(bracket.step(small, over('run-2', '0', 'user')))).toMatchObject([{ size: '6' }]);
    const fills = [1, 2, 3, 4, 5].flatMap((filled) => [
      open('run-1', String(filled)),
      open(`run-${filled + 1}`),
      ...pause,
    ]);
    const many = played([...fills, open('run-1', '6')]);
    expect(commandsOf(many).map(({ type }) => type)).toEqual(Array(5).fill('cancel'));
  });

  test('of a sale is the mirror, and prices on the wrong side are refused', () => {
    const sale = {
      ...TERMS,
      side: 'sell',
      takeProfitPrice: '18',
      stopPrice: '22',
      stopLimitPrice: '23',
      tickSize: '0.01',
    } as const;
    const reached = played(
      [over('run-1', '10'), open('run-2'), bookOf(1, [], [['22', '1']]), over('run-2', '0', 'user')],
      sale,
    );
    expect(commandsOf(reached)).toMatchObject([{ side: 'buy', price: '23', size: '10' }]);
    const offTick = [{ takeProfitPrice: '22.005' }, { stopLimitPrice: '17.001' }, { tickSize: '0' }];
    for (const wrong of [{ stopPrice: '20' }, { takeProfitPrice: '19' }, { stopLimitPrice: '18.01' }, ...offTick])
      expect(() => startBracket('run', { ...BRACKET, ...wrong })).toThrow(RangeError);
  });
});
