/**
 * Control characters, halves of surrogate pairs, separators of lines, what turns the direction of writing (Unicode TR #36, section 2.8), and spaces
 * without width.
 */
const NOT_IN_A_LINE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069\u200b\u2060\ufeff]/u;

/** Whether a name or number can be shown and stored as it was sent: one line, of characters alone. */
export function isOneLine(text: string): boolean {
  return !NOT_IN_A_LINE.test(text);
}
