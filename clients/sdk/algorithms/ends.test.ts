import { describe, expect, test } from 'vitest';
import { BookClient } from '../book.ts';
import { type PlayedAnswer, playedExchange, refusal } from '../played-exchange.fixtures.ts';
import { commandsOf } from './algorithm.ts';
import { hidden, startHidden } from './hidden.ts';
import { over, TERMS } from './played-orders.fixtures.ts';
import { schedule, startTwap } from './schedule.ts';
import { bookVenue } from './venue.ts';

const book = (sequence: number, at: number) =>
  ({ type: 'book', sequence, bids: [], asks: [['20', '4'] as const], at }) as const;

describe('orders that end', () => {
  const tried = () => hidden.step(startHidden('run', { ...TERMS, intervalMs: 100 }), book(1, 1_000));

  test('unfilled make a hidden order wait longer after each, until one fills', () => {
    let state = hidden.step(tried(), over('run-1', '0', 'unfilled'));
    expect(hidden.step(state, book(2, 1_199))).toBe(state);
    state = hidden.step(hidden.step(state, book(2, 1_200)), over('run-2', '0', 'unfilled'));
    expect(hidden.step(state, book(3, 1_599))).toBe(state);
    state = hidden.step(hidden.step(state, book(3, 1_600)), over('run-3', '4', null));
    expect(hidden.step(state, book(4, 1_700)).placed).toBe(4);
  });

  test.each(['self_trade', 'halt', 'revoked', null])('by %s end a hidden order and a schedule that takes', (reason) => {
    const ended = hidden.step(tried(), over('run-1', '2', reason));
    expect(ended).toMatchObject({ stage: 'ended', reason: { is: 'order_ended', reason }, filled: '2' });
    const twap = startTwap('run', { ...TERMS, slices: 2, style: 'take', startAt: 0, durationMs: 1_000 });
    const asked = schedule.step(twap, { type: 'time', at: 1 });
    expect(schedule.step(asked, over('run-1', '0', 'unfilled')).stage).toBe('running');
    expect(schedule.step(asked, over('run-1', '0', reason)).stage).toBe('ended');
  });

  test('let a schedule that is behind ask for no more at once than it may', () => {
    const terms = { ...TERMS, slices: 10, style: 'take', startAt: 0, durationMs: 1_000, orderSizeMax: '3' } as const;
    const late = schedule.step(startTwap('run', terms), { type: 'time', at: 850 });
    expect(commandsOf(late)).toMatchObject([{ type: 'place', size: '3' }]);
    const next = schedule.step(schedule.step(late, over('run-1', '3', null)), { type: 'time', at: 900 });
    expect(commandsOf(next)).toMatchObject([{ type: 'place', size: '3' }]);
    expect(() => startTwap('run', { ...terms, orderSizeMax: '0.5' })).toThrow('orderSizeMax');
  });

  test('are not placed again once a slice is over: only whether they stand is asked', () => {
    const twap = startTwap('run', { ...TERMS, slices: 2, style: 'rest', startAt: 0, durationMs: 1_000 });
    const asked = schedule.step(twap, { type: 'time', at: 1 });
    const next = schedule.step(asked, { type: 'time', at: 500 });
    expect(commandsOf(next)).toEqual([{ type: 'withdraw', clientOrderId: 'run-1' }]);
    const gone = schedule.step(next, { type: 'absent', clientOrderId: 'run-1' });
    expect(commandsOf(schedule.step(gone, { type: 'time', at: 501 }))).toMatchObject([
      { type: 'place', clientOrderId: 'run-2', size: '10' },
    ]);
    // Of an order that is wanted it says nothing.
    expect(schedule.step(asked, { type: 'absent', clientOrderId: 'run-1' })).toBe(asked);
  });
});

describe('an order of an algorithm that was amended by hand', () => {
  const command = {
    type: 'place',
    clientOrderId: 'run-1',
    symbol: 'ACME-USD',
    side: 'buy',
    price: '20',
    size: '4',
    timeInForce: 'GTC',
  } as const;
  const shown = (change: object) => ({
    body: {
      client_order_id: 'run-1',
      symbol: 'ACME-USD',
      side: 'buy',
      type: 'limit',
      price: '20',
      size: '4',
      time_in_force: 'GTC',
      stop_price: null,
      expires_at: null,
      status: 'partially_filled',
      filled_size: '1',
      reason: null,
      ...change,
    },
  });
  const placed = async (answers: readonly PlayedAnswer[]) => {
    const { seams, sent } = playedExchange(answers);
    const venue = bookVenue(new BookClient({ baseUrl: 'https://exchange.example/book', seams }));
    return {
      event: await venue.place(command, new AbortController().signal),
      methods: sent.map(({ method }) => method),
    };
  };

  test('is cancelled, and what it had filled counts', async () => {
    const amended = shown({ price: '21' });
    const cancelled = shown({ price: '21', status: 'cancelled', filled_size: '2', reason: 'user' });
    const { event, methods } = await placed([refusal(409, 'CONFLICT'), amended, amended, cancelled]);
    expect(event).toEqual(over('run-1', '2', 'user'));
    expect(methods).toEqual(['POST', 'GET', 'GET', 'DELETE']);
  });

  test('is left alone where it is of another pair: that was another program', async () => {
    const other = shown({ symbol: 'MAPLE-USD' });
    const { event, methods } = await placed([refusal(409, 'CONFLICT'), other, other]);
    expect(event).toEqual({ type: 'refused', clientOrderId: 'run-1', code: 'CONFLICT', details: {} });
    expect(methods).not.toContain('DELETE');
  });

  test('that was refused has code and details of the answer, or the code that is stored with it', async () => {
    const details = { required: '80', available: '3', orderId: 'o-1' };
    const rejected = shown({ status: 'rejected', filled_size: '0', reason: 'INSUFFICIENT_BALANCE' });
    const answered = await placed([refusal(400, 'INSUFFICIENT_BALANCE', details), rejected]);
    expect(answered.event).toEqual({ type: 'refused', clientOrderId: 'run-1', code: 'INSUFFICIENT_BALANCE', details });
    const repeated = await placed([refusal(409, 'CONFLICT'), rejected]);
    expect(repeated.event).toEqual({ ...over('run-1', '0', 'INSUFFICIENT_BALANCE'), isRejected: true });
  });
});
