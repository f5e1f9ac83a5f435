import { z } from '@hono/zod-openapi';

/** Control characters but tabs and ends of lines, halves of surrogate pairs, and what turns the direction of writing: others print and show it. */
const NOT_IN_A_TEXT = /[^\P{Cc}\t\n\r]|[\p{Cs}\u202a-\u202e\u2066-\u2069]/u;

/** Of a request: notes, reasons and descriptions, of several lines where they want, without blanks around them. */
export function freeText(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax)
    .refine((text) => !NOT_IN_A_TEXT.test(text), { error: ({ input }) => wordsFor(String(input)) });
}

/** Whoever has copied it with a name or a number does not see it. */
function wordsFor(text: string): string {
  const [character = ''] = NOT_IN_A_TEXT.exec(text) ?? [];
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `has a character that is no text: U+${code}`;
}
