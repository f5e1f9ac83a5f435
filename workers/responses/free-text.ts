import { z } from '@hono/zod-openapi';
import { NO_CHARACTER } from '../../domain/partner/one-line.ts';
import { isSeen } from '../../domain/register/look-alike.ts';

/** Control characters but tabs and ends of lines, and what is no character: others print and show it. */
const NOT_IN_A_TEXT = new RegExp(`[^\\P{Cc}\\t\\n\\r]|[${NO_CHARACTER}]`, 'u');

/** Of a request: notes, reasons and descriptions, of several lines where they want, without blanks around them. */
export function freeText(lengthMax: number) {
  return z
    .string()
    .trim()
    .max(lengthMax)
    .refine((text) => !NOT_IN_A_TEXT.test(text), { error: ({ input }) => wordsFor(String(input)) })
    .refine((text) => text === '' || NOT_IN_A_TEXT.test(text) || isSeen(text), 'has nothing that anybody sees');
}

/** Whoever has copied it with a name or a number does not see it. */
function wordsFor(text: string): string {
  const [character = ''] = NOT_IN_A_TEXT.exec(text) ?? [];
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `has a character that is no text: U+${code}`;
}
