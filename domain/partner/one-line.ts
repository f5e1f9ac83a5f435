/**
 * As part of a class of a regular expression with the flag u: what is no character of any text. Halves of surrogate pairs, noncharacters and private use (Unicode, sections 23.5 to 23.7), what marks
 * annotations or stands for an object or for a character that was lost (U+FFF9 to U+FFFD), and what turns the direction of writing (Unicode TR #36, section 2.8).
 */
export const NO_CHARACTER = '\\p{Cs}\\p{Noncharacter_Code_Point}\\p{Co}\\ufff9-\\ufffd\\u202a-\\u202e\\u2066-\\u2069';

/** These, control characters, separators of lines, and spaces without width. */
const NOT_IN_A_LINE = new RegExp(`[${NO_CHARACTER}\\p{Cc}\\p{Zl}\\p{Zp}\\u200b\\u2060\\ufeff]`, 'u');

/** Whether a name or number can be shown and stored as it was sent: one line, of characters alone. */
export function isOneLine(text: string): boolean {
  return !NOT_IN_A_LINE.test(text);
}
