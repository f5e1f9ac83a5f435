import { expect, it } from 'vitest';
import { lineOfText } from './line-of-text.ts';

const isTaken = (text: string) => lineOfText(200).safeParse(text).success;

it.each([0xad, 0x200e, 0x3164, 0x2800, 0x115f, 0xfe0f, 0x200d, 0x200c, 0x34f, 0xe0041, 0x200b, 0x202e])(
  'E-16: a name has no character that nobody sees: U+%s',
  (code) => {
    const unseen = String.fromCodePoint(code);
    for (const name of [`Ad${unseen}a`, `${unseen}Ada`, `Ada${unseen}`, unseen, `${unseen} ${unseen}`])
      expect(isTaken(name), JSON.stringify(name)).toBe(false);
  },
);

it('a name shows something', () => {
  for (const name of ['', '  ', '\u0301', '\u00a0', '\u3000']) expect(isTaken(name), JSON.stringify(name)).toBe(false);
});

it.each(['Ada Winters', 'O’Brien & Søn (2.) GmbH', 'שרה לוי', '山田 太郎', 'می\u200cرود', '#1', 'Zoe\u0301', '🎉'])(
  'a name may be %s',
  (name) => {
    expect(isTaken(name)).toBe(true);
  },
);
