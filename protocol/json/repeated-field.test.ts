import fc from 'fast-check';
import { expect, test } from 'vitest';
import { repeatedField } from './repeated-field.ts';

test.each([
  ['{"size":1,"size":100}', 'size'],
  ['{"size":1,"\\u0073ize":100}', 'size'],
  ['{"orders":[{"a":1},{"b":{"c":[],"c":2}}]}', 'c'],
  ['{"a":"}","b":{},"a":1}', 'a'],
  ['{"a\\"":1,"a\\"":2}', 'a"'],
  ['{"a\\\\":1,"b":"\\\\","a\\\\":2}', 'a\\'],
  ['{"__proto__":1,"__proto__":2}', '__proto__'],
])('%s has a field twice', (text, field) => {
  expect(repeatedField(text)).toBe(field);
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
  expect(repeatedField(text)).toBeNull();
});

test('no text that is written from a value has one', () => {
  fc.assert(
    fc.property(
      fc.jsonValue(),
      fc.nat(2),
      (value, indent) => repeatedField(JSON.stringify(value, null, indent)) === null,
    ),
  );
});

test('a field that is written once more is found wherever it stands', () => {
  const name = fc.string();
  fc.assert(
    fc.property(fc.dictionary(name, fc.jsonValue(), { minKeys: 1 }), fc.jsonValue(), (object, value) => {
      const [field = ''] = Object.keys(object);
      const text = JSON.stringify(object);
      const doubled = `${text.slice(0, -1)},${JSON.stringify(field)}:${JSON.stringify(value)}}`;
      return repeatedField(`[${doubled}]`) === field;
    }),
  );
});
