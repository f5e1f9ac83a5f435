import fc from 'fast-check';
import { expect, test } from 'vitest';
import { assetSearchOf } from './asset-search.ts';

test('every word is quoted, so that nothing of the text is syntax', () => {
  expect(assetSearchOf('apple OR "inc NEAR(x)*')).toEqual({
    symbol: 'APPLE OR "INC NEAR(X)*',
    words: '"apple" AND "OR" AND """inc" AND "NEAR(x)*"',
    prefixes: '"apple"* AND "OR"* AND """inc"* AND "NEAR(x)*"*',
  });
});

test('a blank text asks for nothing in particular, one without a letter for nothing that there is', () => {
  for (const blank of ['', '  \t\n', '\u3000']) expect(assetSearchOf(blank)).toBeNull();
  for (const unsaid of ['\u0000', ' \u0007 ', '\ud800']) expect(assetSearchOf(unsaid)).toMatchObject({ words: '""' });
  expect(assetSearchOf("%' -- *")).toMatchObject({ words: '""', prefixes: '""*' });
});

test('ten words count, and the rest does not', () => {
  const text = Array.from({ length: 12 }, (_, at) => `w${at}`).join(' ');
  expect(assetSearchOf(text)?.words.split(' AND ')).toHaveLength(10);
});

test('quotes are balanced and no control sign is left, whatever the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 50 }), (text) => {
      const search = assetSearchOf(text);
      if (search === null) return;
      expect(search.words).not.toMatch(/\p{Cc}/u);
      expect((search.words.match(/"/g) ?? []).length % 2).toBe(0);
    }),
  );
});
