import { type Field, type FixMessage, typeOf } from '../codec/fix-message.ts';
import { FIELDS, type Group, HEADER, type Layout, MESSAGES, TRAILER } from './dictionary.ts';
import { isValidFormat } from './is-valid-format.ts';
import { SESSION_REJECT_REASON as REASON, type SessionRejectReason } from './session-reject-reason.ts';

/** What a session-level Reject says of a message; `tag` is its RefTagID. */
export interface Fault {
  readonly reason: SessionRejectReason;
  readonly tag: number | null;
}

/**
 * Holds a message against the dictionary (FIX 4.4 volume 2, session-level rejects): first its structure, then its type, what it lacks,
 * and its fields one by one in ascending order, header before trailer before body. Null when nothing is wrong.
 */
export function validateMessage(message: FixMessage): Fault | null {
  const misplaced = firstMisplaced(message.fields);
  if (misplaced !== null) return { reason: REASON.TAG_OUT_OF_ORDER, tag: misplaced };
  const layout = MESSAGES.get(typeOf(message));
  if (layout === undefined) return { reason: REASON.INVALID_MSG_TYPE, tag: null };

  const header: Field[] = [];
  const trailer: Field[] = [];
  const body: Field[] = [];
  for (const field of message.fields) partOf(field[0], header, trailer, body).push(field);
  // The codec has taken the check sum off.
  for (const [fields, { required }] of [[header, HEADER] as const, [body, layout] as const]) {
    const present = new Set(fields.map(([tag]) => tag));
    const missing = required.find((tag) => !present.has(tag));
    if (missing !== undefined) return { reason: REASON.REQUIRED_TAG_MISSING, tag: missing };
  }
  return faultIn(header, HEADER) ?? faultIn(trailer, TRAILER) ?? faultIn(body, layout);
}

function partOf<T>(tag: number, header: T, trailer: T, body: T): T {
  if (HEADER.members.has(tag)) return header;
  return TRAILER.members.has(tag) ? trailer : body;
}

function firstMisplaced(fields: readonly Field[]): number | null {
  let part = 0;
  for (const [tag] of fields) {
    const its = partOf(tag, 0, 2, 1);
    if (its < part) return tag;
    part = its;
  }
  return null;
}

interface Entry {
  readonly field: Field;
  /** Entries of the group that the field counts. */
  readonly group: GroupReading | null;
}

interface GroupReading {
  readonly count: number;
  readonly fault: Fault | null;
}

function faultIn(fields: readonly Field[], layout: Layout): Fault | null {
  const entries: Entry[] = [];
  for (let at = 0; at < fields.length; ) {
    const field = fields[at] as Field;
    at += 1;
    const group = layout.groups.get(field[0]);
    if (group === undefined) {
      entries.push({ field, group: null });
      continue;
    }
    const reading = readGroup(fields, at, field[0], group);
    at = reading.next;
    entries.push({ field, group: reading });
  }
  entries.sort((a, b) => a.field[0] - b.field[0]);
  let before: number | null = null;
  for (const { field, group } of entries) {
    const [tag, value] = field;
    if (tag === before) return { reason: REASON.TAG_REPEATED, tag };
    before = tag;
    const fault = faultOf(tag, value);
    if (fault !== null) return fault;
    if (!layout.members.has(tag)) return { reason: REASON.TAG_NOT_DEFINED_FOR_MESSAGE, tag };
    if (group === null) continue;
    if (group.count !== Number(value)) return { reason: REASON.GROUP_COUNT_INCORRECT, tag };
    if (group.fault !== null) return group.fault;
  }
  return null;
}

function faultOf(tag: number, value: string): Fault | null {
  if (value === '') return { reason: REASON.TAG_WITHOUT_VALUE, tag };
  const definition = FIELDS.get(tag);
  if (definition === undefined) return { reason: REASON.INVALID_TAG_NUMBER, tag };
  const { type, values } = definition;
  if (!isValidFormat(type, value)) return { reason: REASON.INCORRECT_DATA_FORMAT, tag };
  if (values === null) return null;
  const known = type === 'MULTIPLEVALUESTRING' ? value.split(' ').every((one) => values.has(one)) : values.has(value);
  return known ? null : { reason: REASON.VALUE_INCORRECT, tag };
}

/** Reads the entries behind a count; they end with the first field that is no member. */
function readGroup(
  fields: readonly Field[],
  from: number,
  countTag: number,
  group: Group,
): GroupReading & { readonly next: number } {
  let at = from;
  let count = 0;
  let fault: Fault | null = null;
  let seen = new Set<number>();
  let position = -1;
  const found = (next: Fault | null) => {
    fault ??= next;
  };
  const finish = () => {
    const missing = count === 0 ? undefined : [...group.required].find((tag) => !seen.has(tag));
    if (missing !== undefined) found({ reason: REASON.REQUIRED_TAG_MISSING, tag: missing });
  };
  while (at < fields.length) {
    const [tag, value] = fields[at] as Field;
    const place = group.positions.get(tag);
    if (place === undefined) break;
    at += 1;
    if (tag === group.delimiter || count === 0) {
      finish();
      count += 1;
      seen = new Set();
      position = -1;
      // An entry that lacks its first field cannot be told from the next: the count is then wrong.
      if (tag !== group.delimiter) found({ reason: REASON.GROUP_COUNT_INCORRECT, tag: countTag });
    }
    if (seen.has(tag)) found({ reason: REASON.TAG_REPEATED, tag });
    else if (place < position) found({ reason: REASON.GROUP_OUT_OF_ORDER, tag });
    seen.add(tag);
    position = Math.max(position, place);
    found(faultOf(tag, value));
    const inner = group.groups.get(tag);
    if (inner === undefined) continue;
    const reading = readGroup(fields, at, tag, inner);
    at = reading.next;
    if (reading.count !== Number(value)) found({ reason: REASON.GROUP_COUNT_INCORRECT, tag });
    found(reading.fault);
  }
  finish();
  return { count, fault, next: at };
}
