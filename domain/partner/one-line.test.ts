import { expect, it } from 'vitest';
import { isOneLine } from './one-line.ts';

it.each(['Ada Winters', 'O’Brien & Søn (2.) GmbH', 'שרה לוי', '山田 太郎', '\u{20bb7}野家', ''])(
  'is a line: %j',
  (text) => {
    expect(isOneLine(text)).toBe(true);
  },
);

it.each([
  ['a control character', 'A\u0000b'],
  ['two lines', 'Ada\nWinters'],
  ['a tab', 'Ada\tWinters'],
  ['a separator of lines', 'Ada\u2028Winters'],
  ['half a character', 'Ada \ud842'],
  ['a turn of the direction', 'Ada\u202eWinters'],
  ['an isolate', 'Ada\u2067Winters'],
  ['an annotation', 'Ada\ufff9Winters\ufffb'],
  ['an object', 'Ada \ufffc'],
  ['a character that was lost', 'Ada W\ufffdnters'],
  ['a noncharacter', 'Ada\ufdd0'],
  ['a noncharacter of another plane', 'Ada \u{1ffff}'],
  ['private use', 'Ada \ue000'],
  ['private use of another plane', 'Ada \u{100000}'],
])('is none: %s', (_, text) => {
  expect(isOneLine(text)).toBe(false);
});
