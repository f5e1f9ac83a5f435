import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { jsonFlaw } from './json-flaw.ts';

test.each([
  ['{"size":1,"size":100}', 'size'],
  ['{"size":1,"\\u0073ize":100}', 'size'],
  ['{"orders":[{"a":1},{"b":{"c":[],"c":2}}]}', 'c'],
  ['{"a":"}","b":{},"a":1}', 'a'],
  ['{"a\\"":1,"a\\"":2}', 'a"'],
  ['{"a\\\\":1,"b":"\\\\","a\\\\":2}', 'a\\'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('%s has a field twice', (text, field) => {
  expect(jsonFlaw(text)).toMatchObject({ field, error: { details: { reason: 'repeated_field' } } });
});

test.each([
  '{"a":1,"b":{"a":1},"c":[{"a":1},{"a":2}]}',
  '{"a":"a","b":"a"}',
  '["a","a",{"a":["a"]},"a"]',
  '{"a":",\\"a\\":1","b":2}',
  '"a"',
  '',
  '{"a":1,"b',
  '}{,]"',
])('%s has none', (text) => {
  expect(jsonFlaw(text)).toBeNull();
});

test('no text that is written from a value has one', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(2), (value, indent) => jsonFlaw(JSON.stringify(value, null, indent)) === null),
  );
});

test('a field that is written once more is found wherever it stands', () => {
  const name = fc.string();
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }), fc.jsonValue(), (object, value) => {
      const [field = ''] = Object.keys(object);
      const text = JSON.stringify(object);
      const doubled = `${text.slice(0, -1)},${JSON.stringify(field)}:${JSON.stringify(value)}}`;
      return jsonFlaw(`[${doubled}]`)?.field === field;
    }),
  );
});

describe('a number', () => {
  test.each([
    ['{"price":1.00000000000000001}', 'price', '1.00000000000000001'],
    ['{"size":9007199254740993}', 'size', '9007199254740993'],
    ['{"orders":[{"price":25},{"price":[0.1,25.3600000000000001]}]}', 'price', '25.3600000000000001'],
    ['{"price":-123456789.123456789123}', 'price', '-123456789.123456789123'],
    ['{"a":1e400}', 'a', '1e400'],
    ['{"a":1e-400}', 'a', '1e-400'],
    ['{"a":123456789012345678e-2}', 'a', '123456789012345678e-2'],
    [`{"a":0.${'3'.repeat(120)}}`, 'a', `0.${'3'.repeat(62)}`],
    ['9007199254740993', '', '9007199254740993'],
  ])('%s is not what a double keeps of it', (text, field, number) => {
    expect(jsonFlaw(text)?.error).toMatchObject({
      code: 'VALIDATION_ERROR',
      details: { reason: 'too_many_digits', field, number },
    });
  });

  test.each([
    '{"a":25.36,"b":-0,"c":0.0000000000000000,"d":1e-7,"e":1E+21,"f":100000000000000000000}',
    '{"a":9007199254740991,"b":25.360000000000000000000000}',
    // As programs print a double: as short as it goes, with 17 digits, and with all that %.20f asks for.
    '{"a":0.30000000000000004,"b":25.359999999999999,"c":0.10000000000000000555}',
    '{"a":"1.00000000000000001","b":["9007199254740993"],"1.00000000000000001":1}',
    '{"a":5e-324,"b":1.7976931348623157e308,"c":0e999}',
  ])('%s is kept', (text) => {
    expect(jsonFlaw(text)).toBeNull();
  });

  test('is kept where any program prints a double with enough digits', () => {
    const doubles = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(doubles, fc.integer({ min: 17, max: 60 }), (value, digits) => {
        for (const written of [String(value), value.toPrecision(digits), value.toExponential(digits)])
          expect(jsonFlaw(`{"a":${written}}`)).toBeNull();
      }),
    );
  });

  test('is found to be another one once a digit is put behind those of a double', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 53 - 1 }), fc.integer({ min: 0, max: 15 }), (units, scale) => {
        const written = `${units}`.padStart(scale + 1, '0');
        const exact = scale === 0 ? `${written}.` : `${written.slice(0, -scale)}.${written.slice(-scale)}`;
        expect(jsonFlaw(`{"a":${exact}${'0'.repeat(20)}1}`)?.error.details.reason).toBe('too_many_digits');
      }),
    );
  });
});
