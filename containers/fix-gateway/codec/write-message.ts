import { checkSum } from './check-sum.ts';
import { LENGTH_TAG_OF } from './data-fields.ts';
import { BEGIN_STRING, type Field, SOH } from './fix-message.ts';

/** What stands for a character that a value cannot have. */
const REPLACEMENT = '?';
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what a value cannot have.
const CONTROL_CHARACTERS = /[\x00-\x1f\x7f]/g;
const BEYOND_LATIN1 = /[\u0100-\uffff]/g;

/**
 * Writes a message. Header fields are put in ascending order, the body as it is given. Values may come from any door of the exchange: none ends
 * its field, and each character is the one byte that BodyLength counts.
 */
export function writeMessage(type: string, header: readonly Field[], body: readonly Field[]): string {
  let text = `35=${valueText(type)}${SOH}`;
  for (const fields of [header.toSorted(byTag), body])
    for (const [at, [tag, value]] of fields.entries()) text += `${tag}=${fieldText(fields, at, value)}${SOH}`;
  const message = `8=${BEGIN_STRING}${SOH}9=${text.length}${SOH}${text}`;
  return `${message}10=${checkSum(message)}${SOH}`;
}

function fieldText(fields: readonly Field[], at: number, value: string): string {
  const [tag] = fields[at] as Field;
  const [before] = fields[at - 1] ?? [];
  const [after, data = ''] = fields[at + 1] ?? [];
  if (after !== undefined && LENGTH_TAG_OF.get(after) === tag) return String(data.length);
  return before !== undefined && LENGTH_TAG_OF.get(tag) === before ? dataText(value) : valueText(value);
}

/** A data field ends where its length says. */
function dataText(value: string): string {
  return value.replace(BEYOND_LATIN1, REPLACEMENT);
}

function valueText(value: string): string {
  return dataText(value).replace(CONTROL_CHARACTERS, REPLACEMENT);
}

function byTag(a: Field, b: Field): number {
  return a[0] - b[0];
}
