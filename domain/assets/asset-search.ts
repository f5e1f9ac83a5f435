/** What assets are searched for, as full-text queries of SQLite FTS5 (docs/design/market-data.md#search). */
export interface AssetSearch {
  /** As a symbol would be spelt. */
  readonly symbol: string;
  /** Every word stands in symbol or name, whole. */
  readonly words: string;
  /** Every word stands there, or begins one that does. */
  readonly prefixes: string;
}

const WORDS_MAX = 10;

/** What a word is made of for FTS5's tokenizer unicode61; anything else parts words. */
const LETTER = /[\p{L}\p{N}\p{Co}]/u;
const BETWEEN_WORDS = /[\s\p{Cc}\p{Cs}]+/u;

/**
 * What a text asks for; null for a blank one, which asks for nothing in particular. Words are quoted, so that no sign of the text is syntax. One
 * without a letter or digit is left out; a text of nothing else finds nothing, and so does one of control characters.
 *
 * @example assetSearchOf('apple "inc') // { symbol: 'APPLE "INC', words: '"apple" AND """inc"', prefixes: '"apple"* AND """inc"*' }
 */
export function assetSearchOf(text: string): AssetSearch | null {
  const parts = text.split(BETWEEN_WORDS).filter((part) => part !== '');
  if (text.trim() === '') return null;
  const words = parts.filter((part) => LETTER.test(part)).slice(0, WORDS_MAX);
  const quoted = words.length === 0 ? ['""'] : words.map((word) => `"${word.replaceAll('"', '""')}"`);
  return {
    symbol: parts.join(' ').toUpperCase(),
    words: quoted.join(' AND '),
    prefixes: quoted.map((word) => `${word}*`).join(' AND '),
  };
}
