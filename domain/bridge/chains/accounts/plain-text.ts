/** Control characters, separators of lines, and what is no character: nobody types them, and chains write them differently. */
const UNSEEN = /[\p{C}\p{Zl}\p{Zp}]/u;

/** Whether a text is one that somebody may have been told: something seen, no space at its ends, and so many bytes of UTF-8 at most. */
export function isPlainText(text: string, bytes_max: number): boolean {
  if (text === '' || text !== text.trim() || UNSEEN.test(text)) return false;
  return new TextEncoder().encode(text).length <= bytes_max;
}
