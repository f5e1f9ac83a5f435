import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HOUR_MS } from '../calendar/durations.ts';
import { customerOf, earlierThan, hasOwnRoom, mayPass, type WaitingTransfer } from './lane-turns.ts';

const LIMIT = 10_000;
const waits = (commitment: string, amount: number, overtaken = 0): WaitingTransfer => ({
  commitment,
  amount,
  overtaken,
});
const asks = (commitment: string, amount: number) => ({ commitment, amount, limit: LIMIT, held: LIMIT });

describe('who waits for room in a lane', () => {
  test('B-10: is overtaken by no more than what the limit has beside it', () => {
    expect(mayPass([], asks('b', LIMIT))).toBe(true);
    expect(mayPass([waits('a', 4_600)], asks('b', 5_400))).toBe(true);
    expect(mayPass([waits('a', 4_600)], asks('b', 5_401))).toBe(false);
    expect(mayPass([waits('a', 4_600, 5_000)], asks('b', 400))).toBe(true);
    expect(mayPass([waits('a', 4_600, 5_000)], asks('b', 401))).toBe(false);
    expect(mayPass([waits('a', LIMIT)], asks('b', 1))).toBe(false);
  });

  test('B-10: keeps its turn among those that wait', () => {
    const waiting = [waits('a', 9_000), waits('b', 4_000), waits('c', 500)];
    expect(mayPass(waiting, asks('a', 9_000))).toBe(true);
    expect(mayPass(waiting, asks('b', 4_000))).toBe(false);
    expect(mayPass(waiting, asks('c', 500))).toBe(true);
    expect(earlierThan(waiting, { commitment: 'c' }).map(({ commitment }) => commitment)).toEqual(['a', 'b']);
    expect(earlierThan(waiting, { commitment: 'new' })).toHaveLength(3);
  });

  test('B-10: holds up nobody where it waits for more than room is held for', () => {
    const asking = { ...asks('b', LIMIT), held: 5_000 };
    expect(mayPass([waits('a', 5_001)], asking)).toBe(true);
    expect(mayPass([waits('a', 5_000)], asking)).toBe(false);
    expect(mayPass([waits('a', 5_000)], { ...asking, amount: 5_000 })).toBe(true);
    // It keeps its own place behind those that room is held for.
    expect(mayPass([waits('a', 5_000), waits('b', LIMIT)], asking)).toBe(false);
  });

  test('B-10: is served within a day under any stream of smaller ones, once it is the first in line', () => {
    const arrivals = fc.array(
      fc.record({ hour: fc.integer({ min: 0, max: 60 }), amount: fc.integer({ min: 1, max: 3_000 }) }),
      {
        maxLength: 120,
      },
    );
    const amounts = fc.integer({ min: 1, max: LIMIT });
    fc.assert(
      fc.property(arrivals, amounts, (stream, large) => {
        const counted: { readonly at: number; readonly amount: number }[] = [];
        const room = (now: number) =>
          LIMIT - counted.reduce((sum, { at, amount }) => sum + (at > now - 24 * HOUR_MS ? amount : 0), 0);
        let waiting: WaitingTransfer[] = [];
        let [beganAt, servedAt] = [Number.NaN, Number.NaN];
        const ask = (commitment: string, amount: number, now: number): boolean => {
          const passes = mayPass(waiting, asks(commitment, amount)) && room(now) >= amount;
          if (!passes) return false;
          const earlier = earlierThan(waiting, { commitment });
          counted.push({ at: now, amount });
          waiting = waiting
            .map((one) => (earlier.includes(one) ? { ...one, overtaken: one.overtaken + amount } : one))
            .filter((one) => one.commitment !== commitment);
          return true;
        };
        for (let hour = 0; hour <= 60; hour++) {
          const now = hour * HOUR_MS;
          if (waiting.length > 0 && ask('large', large, now)) servedAt = now;
          for (const [index, { amount }] of stream.entries())
            if (stream[index]?.hour === hour) ask(`small ${index}`, amount, now);
          if (hour === 20 && !ask('large', large, now)) {
            waiting = [waits('large', large)];
            beganAt = now;
          }
        }
        if (Number.isNaN(beganAt)) return;
        expect(servedAt - beganAt).toBeLessThanOrEqual(24 * HOUR_MS);
      }),
    );
  });
});

describe('what a customer was given back', () => {
  test('B-10: counts for that customer, up to the limit of the lane', () => {
    expect(hasOwnRoom(0, asks('a', LIMIT))).toBe(true);
    expect(hasOwnRoom(4_000, asks('a', 6_000))).toBe(true);
    expect(hasOwnRoom(4_001, asks('a', 6_000))).toBe(false);
  });

  test('B-10: is counted by the account of a transfer, and without one by who pays in', () => {
    const account = { kind: 'account', account: 'alice' } as const;
    const wallet = { kind: 'chain', chain: 'ethereum', address: '0x1' } as const;
    const inside = { kind: 'chain', chain: 'exchange', address: '0x2' } as const;
    expect(customerOf({ source: account, destination: wallet })).toBe('account alice');
    expect(customerOf({ source: wallet, destination: account })).toBe('account alice');
    expect(customerOf({ source: wallet, destination: inside })).toBe('ethereum 0x1');
    expect(customerOf({ source: inside, destination: wallet })).toBe('exchange 0x2');
  });
});
