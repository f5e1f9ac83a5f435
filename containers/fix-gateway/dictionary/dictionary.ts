import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MSG_TYPE } from '../codec/msg-types.ts';

/** A repeating group: the first member begins each of its entries. */
export interface Group {
  readonly delimiter: number;
  /** Position of each member in an entry. */
  readonly positions: ReadonlyMap<number, number>;
  readonly required: ReadonlySet<number>;
  readonly groups: ReadonlyMap<number, Group>;
}

/** What may and must stand in a message, in one of its groups, or in the header. */
export interface Layout {
  readonly members: ReadonlySet<number>;
  /** Ascending. */
  readonly required: readonly number[];
  readonly groups: ReadonlyMap<number, Group>;
}

export interface FieldDefinition {
  readonly name: string;
  readonly type: string;
  /** Null where any value of the type is one. */
  readonly values: ReadonlySet<string> | null;
}

type Member = string | { readonly count: number; readonly required: boolean; readonly members: readonly Member[] };

interface Compact {
  readonly fields: Readonly<Record<string, readonly [string, string, ...string[]]>>;
  readonly components: Readonly<Record<string, readonly Member[]>>;
  readonly header: readonly Member[];
  readonly trailer: readonly Member[];
  readonly messages: Readonly<Record<string, readonly Member[]>>;
}

/** Flags of a Logon that FIX leaves to the venue (docs/fix.md). */
const USER_DEFINED = { fields: { 8013: ['CancelOrdersOnDisconnect', 'BOOLEAN'], 9406: ['DropCopyFlag', 'BOOLEAN'] } };
const LOGON_FLAGS = ['8013', '9406'];
/** FIX 4.4 volume 1: the component Instrument is named by its Symbol. */
const INSTRUMENT_REQUIRED = '55';

const compact = JSON.parse(readFileSync(join(import.meta.dirname, 'fix44.json'), 'utf8')) as Compact;

/** Fields of FIX 4.4 by tag. */
export const FIELDS: ReadonlyMap<number, FieldDefinition> = new Map(
  Object.entries({ ...compact.fields, ...(USER_DEFINED.fields as unknown as Compact['fields']) }).map(
    ([tag, [name, type, ...values]]) => [
      Number(tag),
      { name, type, values: values.length === 0 ? null : new Set(values) },
    ],
  ),
);

export const HEADER: Layout = layoutOf(compact.header);
export const TRAILER: Layout = layoutOf(compact.trailer);

/** Bodies of the messages of FIX 4.4 by MsgType. */
export const MESSAGES: ReadonlyMap<string, Layout> = new Map(
  Object.entries(compact.messages).map(([type, members]) => [
    type,
    layoutOf(type === MSG_TYPE.Logon ? [...members, ...LOGON_FLAGS] : members),
  ]),
);

interface Resolved {
  readonly tag: number;
  readonly required: boolean;
  readonly group: Group | null;
}

function layoutOf(members: readonly Member[]): Layout {
  const resolved = members.flatMap((member) => resolve(member, true));
  return {
    members: new Set(resolved.map(({ tag }) => tag)),
    required: resolved.flatMap(({ tag, required }) => (required ? tag : [])).sort((a, b) => a - b),
    groups: groupsOf(resolved),
  };
}

function groupsOf(resolved: readonly Resolved[]): Map<number, Group> {
  return new Map(resolved.flatMap(({ tag, group }) => (group === null ? [] : [[tag, group] as const])));
}

/** @param counts whether what holds the member is itself required: else nothing in it is. */
function resolve(member: Member, counts: boolean): Resolved[] {
  if (typeof member !== 'string') {
    const inside = member.members.flatMap((each) => resolve(each, true));
    const group: Group = {
      delimiter: inside[0]?.tag ?? 0,
      positions: new Map(inside.map(({ tag }, position) => [tag, position])),
      required: new Set(inside.flatMap(({ tag, required }) => (required ? tag : []))),
      groups: groupsOf(inside),
    };
    return [{ tag: member.count, required: member.required && counts, group }];
  }
  const required = member.endsWith('!') && counts;
  const name = member.replace('!', '');
  if (!name.startsWith('@')) return [{ tag: Number(name), required, group: null }];
  const component = compact.components[name.slice(1)] ?? [];
  const parts =
    name === '@Instrument' ? component.map((part) => (part === INSTRUMENT_REQUIRED ? `${part}!` : part)) : component;
  return parts.flatMap((part) => resolve(part, required));
}
