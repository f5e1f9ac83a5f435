/** Control and format characters, lone surrogates, and line and paragraph ends: what moves a cursor, hides text or turns its direction. */
const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]/gu;

/** A text as it may stand on a terminal, whoever wrote it: what does not show itself is written as its number. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`);
}
