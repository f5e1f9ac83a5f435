import { describe, expect, test } from 'vitest';
import { freeText } from './free-text.ts';

describe('notes, reasons and descriptions', () => {
  const read = (text: string) => freeText(10).safeParse(text);

  test.each(['Taken on', ' two\nlines\t', 'Zoé 👪', 'א‎ב'])('may be %j', (text) => {
    expect(read(text)).toEqual({ success: true, data: text.trim() });
  });

  test.each([
    ['+1 \u202a555\u202c', 'U+202A'],
    ['a\0b', 'U+0000'],
    ['\ud800', 'U+D800'],
  ])('says which character of %j is none', (text, code) => {
    expect(freeText(20).safeParse(text).error?.issues).toMatchObject([
      { message: `has a character that is no text: ${code}` },
    ]);
  });

  test.each(['\u2060\u2060', '\u{e0041}', '\ufe0f', '\u2800'])('says that nobody sees anything of %j', (text) => {
    expect(read(text).error?.issues).toMatchObject([{ message: 'has nothing that anybody sees' }]);
  });

  test.each([
    'a\ufffdb',
    'a\ufff9',
    'a\ue000',
    'a\u{fffff}',
    'a\0b',
    'a\u001b[31m',
    'a\u007fb',
    'a\u202eb',
    'a\u2066b',
    'a\ud800b',
    'x'.repeat(11),
  ])('may not be %j', (text) => {
    expect(read(text).success).toBe(false);
  });
});
