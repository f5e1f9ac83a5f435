import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { composed, hasUnseen, hasUnseenInName, lookAlikeForm } from './look-alike.ts';

describe('R-11: references that look alike', () => {
  test.each([
    ['an accent of its own', 'É-1', 'E\u0301-1'],
    ['capitals and small letters', 'H-1', 'h-1'],
    ['a sharp s', 'Straße', 'STRASSE'],
    ['wide letters', 'Ｈ-１', 'H-1'],
    ['a ligature', 'ﬁ-1', 'fi-1'],
    ['raised digits', 'H¹', 'H1'],
    ['spaces of other kinds', 'H\u00a0 1', 'H 1'],
    ['dashes of other kinds', 'H–1', 'H-1'],
    ['a hyphen that does not break', 'H\u20111', 'H-1'],
    ['apostrophes of other kinds', 'O’Hara', "O'Hara"],
    ['a Cyrillic letter', 'Н-1', 'H-1'],
    ['a Greek letter', 'Α-1', 'A-1'],
    ['a word of Cyrillic letters', 'АСМЕ', 'ACME'],
    ['a small Greek nu', 'ν-1', 'v-1'],
    ['a capital Greek nu', 'Ν-1', 'N-1'],
    ['a small Greek upsilon', 'υ-1', 'u-1'],
    ['a capital Greek upsilon', 'Υ-1', 'Y-1'],
    ['a lunate sigma', 'ϲ-1', 'c-1'],
    ['a capital lunate sigma', 'Ϲ-1', 'C-1'],
    ['a palochka', 'Ӏ-1', 'I-1'],
    ['a small palochka', 'ӏ-1', 'l-1'],
    ['a Cyrillic letter with an accent', 'Ё-1', 'Ë-1'],
    ['a straight u', 'Ү-1', 'Y-1'],
    ['a Cyrillic ze', 'H-З', 'H-3'],
    ['an Armenian letter', 'Օ-1', 'O-1'],
    ['letters of phonetics', 'ɑɡ-1', 'ag-1'],
    ['Cherokee letters', 'ᎻᎪ-1', 'HA-1'],
    ['Lisu letters', 'ꓧꓮ-1', 'HA-1'],
    ['Coptic letters', 'Ⲏⲟ-1', 'Ho-1'],
    ['a capital sharp s', 'STRAẞE', 'Straße'],
    ['a capital sharp s and two letters', 'STRAẞE', 'strasse'],
    ['a slash of division', 'H∕1', 'H/1'],
    ['a slash of fractions', 'H⁄1', 'H/1'],
    ['a colon of ratios', 'H∶1', 'H:1'],
    ['quotes of other kinds', '“H”', '"H"'],
    ['a quote and two apostrophes', 'H”1', 'H’’1'],
    ['a prime of letters', 'OʹHara', "O'Hara"],
    ['an accent that stands alone', 'O´Hara', "O'Hara"],
    ['a hyphen of lists', 'H⁃1', 'H-1'],
    ['a minus of letters', 'H˗1', 'H-1'],
    ['a minus', 'H−1', 'H-1'],
    ['an eth and a d with a stroke', 'Ðukić', 'Đukić'],
    ['an African d and a d with a stroke', 'Ɖ-1', 'đ-1'],
    ['a small eth and a capital one', 'ðukić', 'Ðukić'],
    ['characters that nobody sees', 'H\u200b-\u00ad1', 'H-1'],
  ])('have one form: %s', (_, one, other) => {
    expect(lookAlikeForm(one)).toBe(lookAlikeForm(other));
  });

  test('have the form of their plain letters, however it is come to', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        // A character that nobody sees takes the longer way, and counts for nothing.
        expect(lookAlikeForm(text)).toBe(lookAlikeForm(`${text}\u200b`));
      }),
    );
  });

  test.each([
    ['É-1', 'E-1'],
    ['H-1', 'H-I'],
    ['H-0', 'H-O'],
    ['H-1', 'H-11'],
    ['H 1', 'H1'],
    ['H-n', 'H-v'],
    ['H-u', 'H-y'],
    ['H-I', 'H-l'],
    ['H-3', 'H-E'],
    ['H/1', 'H:1'],
    ['H-1', 'H/1'],
  ])('%s and %s have two', (one, other) => {
    expect(lookAlikeForm(one)).not.toBe(lookAlikeForm(other));
  });

  test('are stored composed, with nothing around them', () => {
    expect(composed(' E\u0301-1\u00a0')).toBe('É-1');
  });

  test('have no character that nobody sees; a name has none but the joiners of letters', () => {
    for (const unseen of [
      '\u2800',
      '\u200e',
      '\u115f',
      '\u200b',
      '\u2060',
      '\ufeff',
      '\u00ad',
      '\u034f',
      '\ufe0f',
      '\u3164',
      '\u{e0041}',
    ]) {
      expect(hasUnseen(`H${unseen}1`)).toBe(true);
      expect(hasUnseenInName(`A${unseen}da`)).toBe(true);
    }
    for (const joiner of ['\u200c', '\u200d']) {
      expect(hasUnseen(`H${joiner}1`)).toBe(true);
      expect(hasUnseenInName(`ن${joiner}ی`)).toBe(false);
      expect(hasUnseenInName(`क्${joiner}ष`)).toBe(false);
      for (const name of [`A${joiner}da`, `${joiner}Ada`, joiner, `ن${joiner}${joiner}ی`])
        expect(hasUnseenInName(name), JSON.stringify(name)).toBe(true);
    }
    expect([hasUnseen('É-1 Zoé'), hasUnseenInName('Zoé Example')]).toEqual([false, false]);
  });
});
