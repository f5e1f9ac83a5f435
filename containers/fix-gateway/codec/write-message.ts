import { checkSum } from './check-sum.ts';
import { BEGIN_STRING, type Field, SOH } from './fix-message.ts';

/** Writes a message. Header fields are put in ascending order, the body as it is given. */
export function writeMessage(type: string, header: readonly Field[], body: readonly Field[]): string {
  let text = `35=${type}${SOH}`;
  for (const [tag, value] of header.toSorted(byTag)) text += `${tag}=${value}${SOH}`;
  for (const [tag, value] of body) text += `${tag}=${value}${SOH}`;
  const message = `8=${BEGIN_STRING}${SOH}9=${text.length}${SOH}${text}`;
  return `${message}10=${checkSum(message)}${SOH}`;
}

function byTag(a: Field, b: Field): number {
  return a[0] - b[0];
}
