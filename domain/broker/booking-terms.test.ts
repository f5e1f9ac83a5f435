import { describe, expect, test } from 'vitest';
import { BREAK_KINDS } from '../ledger/records.ts';
import { err, ok } from '../result.ts';
import { bookingTerms, type StatedTerms, type ToldTerms, tellsOfExecution } from './booking-terms.ts';

const MARKET = { priceScale: 4, quantityScale: 0, quoteScale: 2 };
const TOLD: ToldTerms = { kind: 'unknown_order', executionId: 'x', side: 'buy', price: 99_5000, quantity: 4 };
const NOTHING: StatedTerms = { side: null, price: null, quantity: null };

const booked = (told: Partial<ToldTerms>, stated: Partial<StatedTerms> = {}) =>
  bookingTerms({ ...TOLD, ...told }, { ...NOTHING, ...stated }, MARKET);

const TERMS = { executionId: 'x', side: 'buy', price: 99_5000, quantity: 4, notional: 398_00 } as const;

describe('the execution of a break', () => {
  test('is what the broker says, also where the same is stated', () => {
    expect(booked({})).toEqual(ok(TERMS));
    expect(booked({}, { side: 'buy', price: 99.5, quantity: 4 })).toEqual(ok(TERMS));
  });

  test.each([
    ['side', 'sell'],
    ['price', 99.51],
    ['quantity', 5],
  ] as const)('is none with another %s', (field, value) => {
    expect(booked({}, { [field]: value })).toEqual(err({ reason: 'told_otherwise', field }));
  });

  test.each([
    ['side', 'buy'],
    ['price', 99.5],
    ['quantity', 4],
  ] as const)('is stated where the broker leaves the %s open', (field, value) => {
    expect(booked({ [field]: null })).toEqual(err({ reason: 'not_stated', field }));
    expect(booked({ [field]: null }, { [field]: value })).toEqual(ok(TERMS));
  });

  test('comes to whole amounts above nothing', () => {
    expect(booked({ quantity: null }, { quantity: 0 })).toEqual(err({ reason: 'not_positive', field: 'quantity' }));
    expect(booked({ price: null }, { price: 0.00001 })).toMatchObject({ error: { reason: 'not_representable' } });
    expect(booked({ price: 1 })).toEqual(err({ reason: 'notional_not_whole' }));
  });
});

test('no execution is told of by what takes one back, by an end, or by what has no id of one', () => {
  const without = BREAK_KINDS.filter((kind) => !tellsOfExecution({ kind, executionId: 'x' }));
  expect(without).toEqual(['filled_differs', 'unknown_replacement', 'bust', 'correction']);
  expect(booked({ kind: 'bust' })).toEqual(err({ reason: 'no_execution' }));
  expect(booked({ executionId: null })).toEqual(err({ reason: 'no_execution' }));
});
