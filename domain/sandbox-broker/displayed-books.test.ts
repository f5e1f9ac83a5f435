import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { displayedBooks } from './displayed-books.ts';
import { tellingsOf } from './faults.ts';
import { bestQuote, bookAt, quoteAt } from './market-data.ts';
import { fairPrice, type PriceProcess } from './price-process.ts';
import { termsOf } from './sandbox-order.ts';
import { priceProcessOf } from './symbols.ts';
import { SANDBOX_VENUES } from './venues.ts';

const LIMIT = {
  clientOrderId: 'one',
  symbol: 'ANY',
  side: 'buy',
  type: 'limit',
  timeInForce: 'gtc',
  quantity: '100',
  stopPrice: null,
} as const;

const times = fc.integer({ min: Date.UTC(2024, 0), max: Date.UTC(2034, 0) });
const processes = fc.stringMatching(/^[A-Z]{1,5}$/).map((symbol) => priceProcessOf(symbol) as PriceProcess);

describe('the price of a symbol', () => {
  test('follows from seed and time alone, stays near its reference and moves little by little', () => {
    fc.assert(
      fc.property(processes, times, (process, at_ms) => {
        const price = fairPrice(process, at_ms);
        expect(Number.isSafeInteger(price)).toBe(true);
        expect(fairPrice(process, at_ms)).toBe(price);
        expect(Math.abs(price - process.reference)).toBeLessThanOrEqual(process.reference * 0.027);
        expect(Math.abs(fairPrice(process, at_ms + 100) - price)).toBeLessThanOrEqual(1 + process.reference * 0.0003);
      }),
      { numRuns: 500 },
    );
  });

  test('begins where the demo says for its assets, and is none for what is no symbol', () => {
    expect(priceProcessOf('AAPL')?.reference).toBe(2_125_000);
    expect(priceProcessOf('aapl')).toBeNull();
    expect(priceProcessOf('A-USD')).toBeNull();
  });

  test('is another with another symbol', () => {
    const at_ms = Date.UTC(2026, 10, 22);
    const moves = ['AAA', 'AAB', 'ABA'].map((symbol) => {
      const process = priceProcessOf(symbol) as PriceProcess;
      return fairPrice({ ...process, reference: 1_000_000 }, at_ms);
    });
    expect(new Set(moves).size).toBe(3);
  });
});

describe('the venues', () => {
  test('are sixteen, with fees within the cap of 17 CFR 242.610(c)', () => {
    expect(new Set(SANDBOX_VENUES.map(({ id }) => id)).size).toBe(16);
    for (const { takeFee } of SANDBOX_VENUES) expect(takeFee).toBeLessThanOrEqual(30);
  });

  test('display prices on the tick, best first, and cross nobody', () => {
    fc.assert(
      fc.property(processes, times, (process, at_ms) => {
        const books = displayedBooks(process, at_ms);
        const { bid, ask } = bestQuote(books);
        expect(bid).toBeLessThan(ask);
        for (const { bids, asks } of books) {
          expect(bids[0]?.price).toBeLessThan(asks[0]?.price ?? 0);
          for (const [levels, sign] of [
            [bids, -1],
            [asks, 1],
          ] as const) {
            for (const [at, level] of levels.entries()) {
              expect(level.price % (process.tick ?? 100)).toBe(0);
              expect(level.quantity).toBeGreaterThan(0);
              if (at > 0) expect(sign * (level.price - (levels[at - 1]?.price ?? 0))).toBeGreaterThan(0);
            }
          }
        }
      }),
      { numRuns: 200 },
    );
  });

  test('X-18: quote currencies in four decimals, a few hundredths of a percent apart', () => {
    const euro = priceProcessOf('EUR') as PriceProcess;
    expect(euro.tick).toBe(1);
    fc.assert(
      fc.property(times, (at_ms) => {
        const { bid, ask } = bestQuote(displayedBooks(euro, at_ms));
        expect(ask).toBeGreaterThan(bid);
        expect((ask - bid) / bid).toBeLessThan(0.000_6);
        const { last, open } = quoteAt(euro, at_ms);
        for (const price of [last, open]) expect(price).toMatch(/^1\.\d{1,4}$|^1$/);
      }),
      { numRuns: 40 },
    );
  });

  test('take an order in a currency between cents, and in a share none', () => {
    const between = { ...LIMIT, limitPrice: '1.0813' };
    expect(termsOf(between, priceProcessOf('EUR') as PriceProcess).ok).toBe(true);
    expect(termsOf(between, priceProcessOf('AAPL') as PriceProcess).ok).toBe(false);
  });

  test('have a quote of the day around their prices, and a book of all of them', () => {
    fc.assert(
      fc.property(processes, times, (process, at_ms) => {
        const quote = quoteAt(process, at_ms);
        const [low, last, high] = [quote.low, quote.last, quote.high].map(Number) as [number, number, number];
        expect(low).toBeLessThanOrEqual(last);
        expect(last).toBeLessThanOrEqual(high);
        expect(Number(quote.bid)).toBeLessThan(Number(quote.ask));
        const book = bookAt(process, at_ms, 5);
        expect(book.bids.length).toBe(5);
        expect(book.bids[0]?.price).toBe(quote.bid);
        expect(book.asks[0]?.price).toBe(quote.ask);
      }),
      { numRuns: 40 },
    );
  });
});

describe('an event that faults befall', () => {
  const faults = {
    seed: 7,
    reject_pm: 0,
    lateRequest_ms_max: 0,
    duplicate_pm: 300,
    delay_pm: 300,
    delay_ms_max: 2_000,
    drop_pm: 200,
    recovery_ms: 5_000,
    lostAnswer_pm: 0,
    awayUntil_ms: 0,
  };

  test('is told at least once and no later than the bounds allow, the same way each time', () => {
    const tellings = Array.from({ length: 2_000 }, (_, event) => tellingsOf(faults, event, 1_000_000));
    expect(tellings).toEqual(Array.from({ length: 2_000 }, (_, event) => tellingsOf(faults, event, 1_000_000)));
    for (const times of tellings) {
      expect(times.length).toBeGreaterThan(0);
      for (const at_ms of times) expect(at_ms).toBeLessThanOrEqual(1_000_000 + 5_000 + 2_000);
    }
    const share = (count: number) => Math.round((count / tellings.length) * 10);
    expect(share(tellings.filter(({ length }) => length === 2).length)).toBe(3);
    expect(share(tellings.filter(([first]) => (first ?? 0) >= 1_005_000).length)).toBe(2);
  });

  test('is told at once where nobody asked for faults', () => {
    expect(tellingsOf(null, 1, 5)).toEqual([5]);
  });
});
