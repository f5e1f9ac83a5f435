/**
 * Ways of writing the same words that a name may have. SQLite knows capitals of ASCII alone, so `lower` on both sides finds no "Übersee" by "übersee": each of these is compared,
 * folded by SQLite.
 */
export function caseVariants(words: string): readonly string[] {
  const lower = words.toLowerCase();
  const capitalized = lower.replaceAll(/(?<!\p{L})\p{L}/gu, (letter) => letter.toUpperCase());
  return [...new Set([words, lower, words.toUpperCase(), capitalized])];
}
