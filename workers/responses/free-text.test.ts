import { describe, expect, test } from 'vitest';
import { freeText } from './free-text.ts';

describe('notes, reasons and descriptions', () => {
  const read = (text: string) => freeText(10).safeParse(text);

  test.each(['Taken on', ' two\nlines\t', 'Zoé 👪', 'א‎ב'])('may be %j', (text) => {
    expect(read(text)).toEqual({ success: true, data: text.trim() });
  });

  test.each(['a\0b', 'a\u001b[31m', 'a\u007fb', 'a\u202eb', 'a\u2066b', 'a\ud800b', 'x'.repeat(11)])(
    'may not be %j',
    (text) => {
      expect(read(text).success).toBe(false);
    },
  );
});
