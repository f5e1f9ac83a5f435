/** Separates fields (FIX 4.4 volume 1). */
export const SOH = '\x01';

/** The version that this gateway speaks. */
export const BEGIN_STRING = 'FIX.4.4';

/** The longest body of a message that is read. */
export const BODY_BYTES_MAX = 1024 * 1024;

/** One `tag=value`. The value is text of one byte a character (latin1), so that lengths count bytes. */
export type Field = readonly [tag: number, value: string];

/** A well-formed message: its fields as they came, the check sum left out. */
export interface FixMessage {
  readonly fields: readonly Field[];
  /** The whole of it as it came. */
  readonly text: string;
  /** Longer than a message may be: these are its first fields. */
  readonly isCut?: boolean;
}

/** The first field of a tag, or null. */
export function textOf({ fields }: FixMessage, tag: number): string | null {
  for (const [candidate, value] of fields) if (candidate === tag) return value;
  return null;
}

/** MsgType(35), which the codec guarantees. */
export function typeOf({ fields }: FixMessage): string {
  return fields[2]?.[1] ?? '';
}

/** A field that holds a whole number, or null when it is absent or none. */
export function integerOf(message: FixMessage, tag: number): number | null {
  const text = textOf(message, tag);
  return text !== null && /^-?\d{1,15}$/.test(text) ? Number(text) : null;
}
