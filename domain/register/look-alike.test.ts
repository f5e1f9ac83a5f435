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
    ['characters that nobody sees', 'H\u200b-\u00ad1', 'H-1'],
  ])('have one form: %s', (_, one, other) => {
    expect(lookAlikeForm(one)).toBe(lookAlikeForm(other));
  });

  test.each([
    ['É-1', 'E-1'],
    ['H-1', 'H-I'],
    ['H-0', 'H-O'],
    ['H-1', 'H-11'],
    ['H 1', 'H1'],
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
