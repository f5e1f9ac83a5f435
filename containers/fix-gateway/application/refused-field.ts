import { isExactDecimal } from '../codec/decimal.ts';
import type { FixMessage } from '../codec/fix-message.ts';
import { typeOf } from '../codec/fix-message.ts';
import { TAG } from '../codec/tags.ts';
import { FIELDS, HEADER, TRAILER } from '../dictionary/dictionary.ts';
import { TAKEN_FIELDS, type Treatment } from './taken-fields.ts';

/** They ask us to pass a message on to another firm. */
const ROUTED_ON: ReadonlySet<number> = new Set([TAG.DeliverToCompID, TAG.DeliverToSubID, TAG.DeliverToLocationID]);

/** Terms that are read as numbers: none is rounded. */
const NUMBERS: ReadonlySet<number> = new Set([TAG.OrderQty, TAG.Price, TAG.StopPx, TAG.MaxFloor]);

const VALUE_LENGTH_MAX = 64;

/** A field that asks for what the gateway does not do. */
export interface RefusedField {
  readonly tag: number;
  /** `MinQty(110)=5 is not offered`. */
  readonly text: string;
}

/** The first field of a request that the gateway would have to ignore; null when it does all that the message says. */
export function refusedField(message: FixMessage): RefusedField | null {
  const treatments = TAKEN_FIELDS.get(typeOf(message));
  for (const [tag, value] of message.fields) {
    const isOutside = HEADER.members.has(tag) || TRAILER.members.has(tag);
    const taken = isOutside ? !ROUTED_ON.has(tag) : isTaken(treatments?.get(tag), tag, value, message);
    if (!taken) return { tag, text: `${named(tag, value)} is not offered` };
    if (treatments?.get(tag) === 'done' && NUMBERS.has(tag) && !isExactDecimal(value))
      return { tag, text: `${named(tag, value)} has more digits than the exchange counts` };
  }
  return null;
}

/** @example named(110, '5') // 'MinQty(110)=5' */
export function named(tag: number, value: string): string {
  return `${FIELDS.get(tag)?.name ?? ''}(${tag})=${value.slice(0, VALUE_LENGTH_MAX)}`;
}

function isTaken(treatment: Treatment | undefined, tag: number, value: string, message: FixMessage): boolean {
  const type = FIELDS.get(tag)?.type;
  // A group without entries says nothing.
  if (treatment === undefined) return type === 'NUMINGROUP' && value === '0';
  if (typeof treatment === 'string') return true;
  if (typeof treatment === 'function') return treatment(value, message);
  return (type === 'MULTIPLEVALUESTRING' ? value.split(' ') : [value]).every((one) => treatment.includes(one));
}
