import type { Field, FixMessage } from '../codec/fix-message.ts';
import { HEADER } from '../dictionary/dictionary.ts';

/** Header fields, without those that every sending sets anew, and body of a message that we have written. */
const SET_ANEW: ReadonlySet<number> = new Set([8, 9, 35, 34, 43, 49, 52, 56, 122]);

export function splitOwn(message: FixMessage): { readonly header: Field[]; readonly body: Field[] } {
  const header: Field[] = [];
  const body: Field[] = [];
  for (const field of message.fields) {
    if (!HEADER.members.has(field[0])) body.push(field);
    else if (!SET_ANEW.has(field[0])) header.push(field);
  }
  return { header, body };
}
