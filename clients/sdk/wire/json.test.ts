import { describe, expect, test } from 'vitest';
import { JsonNumber, parseJson, writeJson } from './json.ts';

describe('JSON with numbers as text', () => {
  test('keeps every digit that was sent', () => {
    expect(parseJson('{"price":25.10,"size":9007199254740993,"none":null,"deep":[{"fee":1e-7}]}')).toEqual({
      price: '25.10',
      size: '9007199254740993',
      none: null,
      deep: [{ fee: '0.0000001' }],
    });
    expect(parseJson('[1.25E+3, -1.5e-2, 12e0]')).toEqual(['1250', '-0.015', '12']);
  });

  test('writes a decimal as a number, digit by digit, and leaves texts texts', () => {
    expect(
      writeJson({ size: new JsonNumber('10.50'), symbol: 'ACME-"USD', none: undefined, list: [new JsonNumber('1')] }),
    ).toBe('{"size":10.50,"symbol":"ACME-\\"USD","list":[1]}');
    expect(() => new JsonNumber('1e5')).toThrow('no decimal number');
    expect(() => new JsonNumber('1,"type":"market"')).toThrow('no decimal number');
  });
});
