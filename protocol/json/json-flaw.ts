import { type ApiError, apiError } from '../errors/api-error.ts';

const [QUOTE, BACKSLASH, COMMA, OPEN_OBJECT, CLOSE_OBJECT, OPEN_LIST, CLOSE_LIST] = [
  0x22, 0x5c, 0x2c, 0x7b, 0x7d, 0x5b, 0x5d,
];
const [ZERO, NINE, PLUS, MINUS, POINT, SMALL_E, LARGE_E] = [0x30, 0x39, 0x2b, 0x2d, 0x2e, 0x65, 0x45];

/** What two readers of one text may read differently. */
export interface JsonFlaw {
  /** The field that stands twice, or that has the number; empty for a number outside of any object. */
  readonly field: string;
  readonly error: ApiError;
}

/**
 * What makes a JSON text say something else to us than to whoever looks at it before us, or who has sent it; null where nothing does. A field that stands twice in one object: parsers differ in which of
 * the two they take (RFC 8259, section 4). A number with digits that a double does not keep (section 6): it would be rounded without a word, and an amount be another one. Of what is no JSON it says
 * nothing.
 */
export function jsonFlaw(text: string): JsonFlaw | null {
  /** The fields of each object that is open, null for a list. */
  const open: (Set<string> | null)[] = [];
  let isKey = false;
  let field = '';
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    switch (code) {
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
          const name = textOf(text.slice(at, end + 1));
          const fields = open.at(-1);
          if (name === null) return null;
          if (fields?.has(name)) return { field: name, error: fieldTwice(name) };
          fields?.add(name);
          field = name;
          isKey = false;
        }
        at = end;
        break;
      }
      default:
        if (code === MINUS || isDigit(code)) {
          const end = endOfNumber(text, at);
          const written = text.slice(at, end);
          if (!isKept(written)) return { field, error: notKept(field, written) };
          at = end - 1;
        }
    }
  }
  return null;
}

function isDigit(code: number): boolean {
  return code >= ZERO && code <= NINE;
}

/** Behind the last character that a number can have. */
function endOfNumber(text: string, start: number): number {
  let end = start + 1;
  for (; end < text.length; end++) {
    const code = text.charCodeAt(end);
    const isOfNumber = isDigit(code) || code === POINT || code === PLUS || code === MINUS;
    if (!isOfNumber && code !== SMALL_E && code !== LARGE_E) break;
  }
  return end;
}

/** A text of so many characters without an exponent has digits that each double keeps. */
const SURE_LENGTH = 15;
/** The most digits that a double is printed with. */
const DIGITS_MAX = 100;

/** Whether a double says the same: written as short as it goes, or with as many digits as stand here, as some programs print it. */
function isKept(written: string): boolean {
  if (written.length <= SURE_LENGTH && !/e/i.test(written)) return true;
  const wanted = significantOf(written);
  // What is no number is no JSON either.
  if (wanted === null) return true;
  const value = Number(written);
  if (!Number.isFinite(value)) return false;
  if (isSame(wanted, String(value))) return true;
  const count = wanted.digits.length;
  return count > 0 && count <= DIGITS_MAX && isSame(wanted, value.toPrecision(count));
}

/** A number without the zeros around it: `digits` are those behind the point of `0.…`, times ten to the `exponent`. No digits are zero. */
interface Significant {
  readonly digits: string;
  readonly exponent: number;
}

function significantOf(written: string): Significant | null {
  const parts = /^-?(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(written);
  if (parts === null) return null;
  const [, whole = '', fraction = '', exponent = '0'] = parts;
  const all = whole + fraction;
  const first = all.search(/[1-9]/);
  if (first < 0) return { digits: '', exponent: 0 };
  return { digits: all.slice(first).replace(/0+$/, ''), exponent: whole.length - first + Number(exponent) };
}

function isSame(wanted: Significant, printed: string): boolean {
  const got = significantOf(printed);
  return got !== null && got.digits === wanted.digits && got.exponent === wanted.exponent;
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

/** Longest name, and number, that an answer repeats. */
const NAME_LENGTH_MAX = 64;

function fieldTwice(field: string): ApiError {
  const name = field.slice(0, NAME_LENGTH_MAX);
  return apiError('VALIDATION_ERROR', 'a field stands twice in one object', { reason: 'repeated_field', field: name });
}

function notKept(field: string, written: string): ApiError {
  const details = {
    reason: 'too_many_digits',
    field: field.slice(0, NAME_LENGTH_MAX),
    number: written.slice(0, NAME_LENGTH_MAX),
  };
  return apiError('VALIDATION_ERROR', 'a number has more digits than a JSON number carries', details);
}
