import { type ApiError, apiError } from '../errors/api-error.ts';

const [QUOTE, BACKSLASH, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [
  0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
];

/**
 * A field that stands twice in one object of a JSON text; null where none does. Parsers differ in which of the two they take (RFC 8259, section 4), so whoever
 * looks at a request before us may have read another one. Of what is no JSON it says nothing.
 */
export function repeatedField(text: string): string | null {
  /** The fields of each object that is open, null for a list. */
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case OPEN_OBJECT:
        open.push(new Set());
        isKey = true;
        break;
      case OPEN_LIST:
        open.push(null);
        isKey = false;
        break;
      case CLOSE_OBJECT:
      case CLOSE_LIST:
        open.pop();
        isKey = false;
        break;
      case COMMA:
        isKey = open.at(-1) != null;
        break;
      case QUOTE: {
        const end = endOfString(text, at);
        if (end < 0) return null;
        if (isKey) {
          const field = textOf(text.slice(at, end + 1));
          const fields = open.at(-1);
          if (field === null) return null;
          if (fields?.has(field)) return field;
          fields?.add(field);
          isKey = false;
        }
        at = end;
      }
    }
  }
  return null;
}

/** Where the string that begins here ends; −1 where it does not. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end >= 0; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes += 1;
    if (escapes % 2 === 0) return end;
  }
  return -1;
}

/** Two spellings of one name are one. Null for what is no string. */
function textOf(literal: string): string | null {
  if (!literal.includes('\\')) return literal.slice(1, -1);
  try {
    return JSON.parse(literal) as string;
  } catch {
    return null;
  }
}

/** Longest name that an answer repeats. */
const NAME_LENGTH_MAX = 64;

export function fieldTwice(field: string): ApiError {
  const name = field.slice(0, NAME_LENGTH_MAX);
  return apiError('VALIDATION_ERROR', 'a field stands twice in one object', { reason: 'repeated_field', field: name });
}
