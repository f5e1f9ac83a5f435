import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  add,
  compare,
  divide,
  floorTo,
  fromFeed,
  isMultiple,
  multiply,
  round,
  subtract,
  sum,
  trim,
} from './decimal.ts';

describe('decimals', () => {
  test('never go through a float', () => {
    expect(add('0.1', '0.2')).toBe('0.3');
    expect(add('9007199254740993', '0.01')).toBe('9007199254740993.01');
    expect(subtract('1', '1.10')).toBe('-0.10');
    expect(multiply('1.10', '3')).toBe('3.30');
    expect(multiply('-0.05', '0.5')).toBe('-0.025');
    expect(sum(['1.5', '2.25', '-0.75'])).toBe('3.00');
  });

  test('are cut by division, and rounded half away from zero', () => {
    expect(divide('10', '3', 4)).toBe('3.3333');
    expect(() => divide('1', '0', 2)).toThrow('division by zero');
    expect(round('2.345', 2)).toBe('2.35');
    expect(round('-2.345', 2)).toBe('-2.35');
    expect(round('2', 2)).toBe('2.00');
  });

  test('keep to steps', () => {
    expect(floorTo('25.37', '0.05')).toBe('25.35');
    expect(floorTo('119.9', '1')).toBe('119');
    expect(isMultiple('0.3', '0.1')).toBe(true);
    expect(isMultiple('0.35', '0.1')).toBe(false);
  });

  test('compare and trim', () => {
    expect(compare('1.10', '1.1')).toBe(0);
    expect(compare('-1', '0.5')).toBe(-1);
    expect([trim('1.500'), trim('2.00'), trim('100')]).toEqual(['1.5', '2', '100']);
  });

  test('of a feed are the digits that were sent', () => {
    expect([fromFeed(25.36), fromFeed(1e-7), fromFeed(1.5e-8)]).toEqual(['25.36', '0.0000001', '0.000000015']);
  });

  test('what is added and taken away again is what it was', () => {
    const decimal = fc
      .tuple(fc.bigInt(-(10n ** 20n), 10n ** 20n), fc.nat(8))
      .map(([digits, scale]) => divide(String(digits), String(10n ** BigInt(scale)), scale));
    fc.assert(fc.property(decimal, decimal, (a, b) => compare(subtract(add(a, b), b), a) === 0));
  });
});
