import { describe, expect, test } from 'vitest';
import { CATALOGUES, fill, LANGUAGES, type TextKey } from './texts.ts';

const keys = Object.keys(CATALOGUES.en) as TextKey[];
const factsOf = (text: string) => [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();

describe('texts', () => {
  test.each(LANGUAGES)('of %s are complete, and name the same facts', (language) => {
    expect(Object.keys(CATALOGUES[language]).sort()).toEqual([...keys].sort());
    const differing = keys.filter(
      (key) => factsOf(CATALOGUES[language][key]).join() !== factsOf(CATALOGUES.en[key]).join(),
    );
    expect(differing).toEqual([]);
    expect(keys.filter((key) => CATALOGUES[language][key].trim() === '')).toEqual([]);
  });

  test('that count have both forms', () => {
    expect(
      keys.filter((key) => key.endsWith('_one') && !keys.includes(key.replace(/_one$/, '_other') as TextKey)),
    ).toEqual([]);
  });

  test('are filled with facts, and with those alone', () => {
    expect(fill('{side} {size} at {price}', { side: 'Bought', size: '{price}' })).toBe('Bought {price} at {price}');
  });
});
