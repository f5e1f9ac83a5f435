/** References of one chain, as text that has one form: `name=value`, separated by spaces, in the order of the fields. */
export interface ReferenceRecord<Name extends string> {
  write(values: Readonly<Record<Name, string>>): string;
  /** @throws RangeError where the text is not what `write` would have written */
  read(text: string): Record<Name, string>;
  /** Those of the texts that are references of this chain. */
  readAll(texts: readonly string[]): Record<Name, string>[];
}

/** No reference is longer: one of Sui names 64 coins of at most 128 characters. */
const REFERENCE_CHARACTERS_MAX = 9_000;

/** Decimal digits without a leading zero, as references hold numbers. */
export const WHOLE_NUMBER = /(?:0|[1-9][0-9]{0,38})/;
/** 32 bytes in hexadecimal, as a field of a reference holds them. */
export const HEX_32 = /[0-9a-f]{64}/;

/** Whether a text is 32 bytes in hexadecimal, and nothing else. */
export function isHex32(text: string): boolean {
  return text.length === 64 && HEX_32.test(text);
}

/**
 * @param fields names in their order, with what each value looks like: no spaces
 */
export function referenceRecord<Name extends string>(fields: Readonly<Record<Name, RegExp>>): ReferenceRecord<Name> {
  const names = Object.keys(fields) as Name[];
  const pattern = new RegExp(`^${names.map((name) => `${name}=(${fields[name].source})`).join(' ')}$`);

  function values(text: string): Record<Name, string> | null {
    const found = text.length <= REFERENCE_CHARACTERS_MAX ? pattern.exec(text) : null;
    if (found === null) return null;
    return Object.fromEntries(names.map((name, index) => [name, found[index + 1] ?? ''])) as Record<Name, string>;
  }

  function read(text: string): Record<Name, string> {
    const record = values(text);
    if (record === null) throw new RangeError('a reference of another form');
    return record;
  }

  return {
    write(record) {
      const text = names.map((name) => `${name}=${record[name]}`).join(' ');
      read(text);
      return text;
    },
    read,
    readAll: (texts) => texts.map(values).filter((record) => record !== null),
  };
}
