import { describe, expect, test } from 'vitest';
import { frameOf, outlineOf, placeOf, summedUp } from './depth-curve.ts';

const bids = summedUp([
  { price: '10.0', size: '1' },
  { price: '9.0', size: '2.5' },
]);
const asks = summedUp([{ price: '11', size: '2' }]);
const frame = { low: '9.0', high: '11', deepest: '3.5' };

describe('the depth of a book', () => {
  test('sums up each side from its best price', () => {
    expect(bids.map(({ sum }) => sum)).toEqual(['1', '3.5']);
  });

  test('lies between the outermost prices, as deep as the deeper side', () => {
    expect(frameOf(bids, asks)).toEqual(frame);
    expect(frameOf([], asks)).toEqual({ low: '11', high: '11', deepest: '2' });
    expect(frameOf([], [])).toBeNull();
  });

  test('puts a price where it lies', () => {
    expect(['9.0', '10', '11'].map((price) => placeOf(price, frame))).toEqual([0, 0.5, 1]);
    expect(placeOf('11', { low: '11', high: '11', deepest: '2' })).toBe(0.5);
  });

  test('draws steps down to the ground', () => {
    expect(outlineOf(bids, frame, { width: 100, height: 70 })).toBe('M50.0,70H50.0V50.0H0.0V0.0V70Z');
    expect(outlineOf([], frame, { width: 100, height: 70 })).toBe('');
  });
});
