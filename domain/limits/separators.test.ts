import fc from 'fast-check';
import { expect, test } from 'vitest';
import { partsIn, separatorsIn } from './separators.ts';

const countOf = (text: string, enough = Number.POSITIVE_INFINITY) =>
  separatorsIn(new TextEncoder().encode(text), enough);

function valuesOf(json: unknown): number {
  if (typeof json !== 'object' || json === null) return 1;
  return 1 + Object.values(json).reduce<number>((sum, each) => sum + valuesOf(each), 0);
}

test('M-11: a body of JSON has no more values than separators and one', () => {
  fc.assert(
    fc.property(fc.json(), fc.integer({ min: 0, max: 4 }), (text, indent) => {
      const json: unknown = JSON.parse(text);
      expect(valuesOf(json)).toBeLessThanOrEqual(countOf(JSON.stringify(json, null, indent)) + 1);
    }),
  );
});

test('M-11: a CSV has no more cells than separators and one, and counting ends where there are enough', () => {
  expect(countOf('a,b\nc,d')).toBe(3);
  expect(countOf('{},'.repeat(1_000), 10)).toBe(10);
});

test('M-11: a form has no more parts than lines that begin with two hyphens and one, and counting ends where there are enough', () => {
  const partsOf = (text: string, enough = Number.POSITIVE_INFINITY) => partsIn(new TextEncoder().encode(text), enough);
  const part = 'content-disposition: form-data; name="a"\r\n\r\nb\r\n';
  for (const boundary of ['x', '-', '--------7d', 'a'.repeat(70)]) {
    const form = `${`--${boundary}\r\n${part}`.repeat(40)}--${boundary}--\r\n`;
    expect(partsOf(form)).toBe(40);
    expect(partsOf(`preamble\r\n${form}`)).toBe(41);
    expect(partsOf(form, 7)).toBe(7);
  }
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('-', '\n', 'a'), maxLength: 60 }), (text) => {
      expect(partsOf(text)).toBe([...text.matchAll(/(?=\n--)/g)].length);
    }),
  );
});
