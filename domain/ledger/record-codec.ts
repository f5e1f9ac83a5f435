/** A record as it travels and is stored: its values in the order of its field list, without their names. */
export type PackedRecord = unknown[];

/**
 * Records of one shape, field by field: how many there are, then the values of each field, or the one value in which all of them agree.
 * Orders of a batch agree in most of their fields, so that their text is about half as long as that of records one by one (measured).
 */
export type PackedList = [count: number, ...columns: unknown[]];

/** Packs records of one shape and unpacks them again. Nobody else knows where a field stands. */
export interface RecordCodec<T> {
  pack(record: T): PackedRecord;
  unpack(packed: PackedRecord): T;
  packList(records: readonly T[]): PackedList;
  unpackList(packed: PackedList): T[];
}

type Element<V> = V extends readonly (infer E)[] ? E : never;

/** Codecs of the fields that are no plain JSON values: of a record, or of each record of a list. */
export interface NestedCodecs<T> {
  readonly lists?: { readonly [Field in keyof T]?: RecordCodec<Element<T[Field]>> };
  readonly records?: { readonly [Field in keyof T]?: RecordCodec<T[Field]> };
}

/** Fields that a record may leave out, and that are never null. */
type LeftOut<T> = {
  [Field in keyof T]-?: undefined extends T[Field] ? (null extends T[Field] ? never : Field) : never;
}[keyof T];

/** Each of these, named. */
interface LeftOutFields<T> {
  readonly leftOut: { readonly [Field in LeftOut<T>]: true };
}

type CodecTerms<T> = [LeftOut<T>] extends [never]
  ? [nested?: NestedCodecs<T>]
  : [nested: NestedCodecs<T> & LeftOutFields<T>];

/** Makes a record of its values. Each parameter is named as the field that it becomes: `(owner, batch) => ({ owner, batch })`. */
// biome-ignore lint/suspicious/noExplicitAny: the values come out of JSON; the record that is made of them has its type.
type MakeRecord<T> = (...values: any[]) => T;

/** How one field is packed. */
interface Field {
  readonly name: string;
  readonly pack: (value: unknown) => unknown;
  readonly unpack: (packed: unknown) => unknown;
  readonly packColumn: (values: readonly unknown[]) => unknown;
  /** The value of each record, or the one value of all. */
  readonly unpackColumn: (column: unknown, count: number) => unknown;
}

/**
 * The codec of a record, from the one place that lists its fields: the function that makes it. An object literal is made four times as
 * fast as one that is filled field by field (measured). A field that the function gives a value of its own (`type: 'place'`) is not packed.
 * Last fields that a record does not have (`undefined`) are left out, so that records of before they were thought of keep their text. Before a field that is there,
 * or in a list where another record has it, one that is left out is null in the text: `leftOut` names all that a record may leave out, and they are read as left out.
 *
 * @example const fenceCodec = recordCodec<Fence>((owner, batch, settled) => ({ owner, batch, settled }));
 */
export function recordCodec<T extends object>(make: MakeRecord<T>, ...[terms]: CodecTerms<T>): RecordCodec<T> {
  const nested: NestedCodecs<T> & Partial<LeftOutFields<T>> = terms ?? {};
  const names = fieldNames(make);
  const optional = names.flatMap((name, at) => (name in (nested.leftOut ?? {}) ? [at] : []));
  const fields = names.map((name) => fieldOf(name as keyof T & string, nested));
  const isFlat = fields.every((field) => field.pack === asItIs);
  const pack = (record: T): PackedRecord => {
    const packed: PackedRecord = new Array(fields.length);
    for (let at = 0; at < fields.length; at++) {
      const { name, pack: packValue } = fields[at] as Field;
      packed[at] = packValue(record[name as keyof T]);
    }
    while (packed.length > 0 && packed.at(-1) === undefined) packed.pop();
    return packed;
  };
  const unpack = (packed: PackedRecord): T => {
    const values = isFlat ? packed : packed.map((value, at) => (fields[at] as Field).unpack(value));
    return make.apply(null, optional.some((at) => values[at] === null) ? withoutNulls(values, optional) : values);
  };
  const packList = (records: readonly T[]): PackedList => {
    const packed: PackedList = [records.length];
    if (records.length > 0) for (const field of fields) packed.push(columnOf(records, field));
    while (packed.at(-1) === undefined) packed.pop();
    return packed;
  };
  const unpackList = ([count, ...columns]: PackedList): T[] => {
    const values: unknown[] = new Array(fields.length);
    const varying: { readonly at: number; readonly column: readonly unknown[] }[] = [];
    for (const [at, packed] of columns.entries()) {
      const unpacked = (fields[at] as Field).unpackColumn(packed, count);
      const column = optional.includes(at) ? presentIn(unpacked) : unpacked;
      if (Array.isArray(column)) varying.push({ at, column });
      else values[at] = column;
    }
    const records: T[] = new Array(count);
    for (let index = 0; index < count; index++) {
      for (const { at, column } of varying) values[at] = column[index];
      records[index] = make.apply(null, values);
    }
    return records;
  };
  return { pack, unpack, packList, unpackList };
}

const asItIs = (value: unknown): unknown => value;

function withoutNulls(values: readonly unknown[], optional: readonly number[]): unknown[] {
  return values.map((value, at) => (value === null && optional.includes(at) ? undefined : value));
}

/** A column of a field that records may leave out. */
function presentIn(column: unknown): unknown {
  return Array.isArray(column) ? column.map((value) => value ?? undefined) : (column ?? undefined);
}

function fieldOf<T>(name: keyof T & string, { lists, records }: NestedCodecs<T>): Field {
  const listCodec = lists?.[name] as RecordCodec<unknown> | undefined;
  if (listCodec !== undefined) return listField(name, listCodec);
  const recordCodec = records?.[name] as RecordCodec<unknown> | undefined;
  if (recordCodec !== undefined)
    return {
      name,
      pack: (value) => recordCodec.pack(value),
      unpack: (packed) => recordCodec.unpack(packed as PackedRecord),
      packColumn: (values) => recordCodec.packList(values),
      unpackColumn: (column) => recordCodec.unpackList(column as PackedList),
    };
  return { name, pack: asItIs, unpack: asItIs, packColumn: asItIs, unpackColumn: asItIs };
}

/** Of a field that holds lists; 0 is the column of records that have all of them empty. */
function listField(name: string, codec: RecordCodec<unknown>): Field {
  return {
    name,
    pack: (value) => codec.packList(value as readonly unknown[]),
    unpack: (packed) => codec.unpackList(packed as PackedList),
    packColumn: (values) =>
      (values as (readonly unknown[])[]).every((list) => list.length === 0)
        ? 0
        : (values as (readonly unknown[])[]).map((list) => codec.packList(list)),
    unpackColumn: (column, count) =>
      column === 0
        ? Array.from({ length: count }, () => [])
        : (column as PackedList[]).map((list) => codec.unpackList(list)),
  };
}

/** The field's values, or the one that all records have. Lists and records are compared by nobody. */
function columnOf<T>(records: readonly T[], { name, packColumn }: Field): unknown {
  const key = name as keyof T;
  const first = records[0]?.[key] as unknown;
  let same = 1;
  if (typeof first === 'object' && first !== null) same = 0;
  else while (same < records.length && records[same]?.[key] === first) same += 1;
  if (same === records.length) return first;
  const values: unknown[] = new Array(records.length);
  for (let index = 0; index < records.length; index++) values[index] = records[index]?.[key];
  return packColumn(values);
}

/** The fields in the order of the parameters that they come from. @throws Error when some parameter becomes no field, or two */
function fieldNames<T extends object>(make: MakeRecord<T>): string[] {
  const positions = Array.from({ length: make.length }, (_, position) => position);
  const fields: string[] = [];
  let taken = 0;
  for (const [name, position] of Object.entries(make(...positions))) {
    if (typeof position !== 'number') continue;
    fields[position] = name;
    taken += 1;
  }
  if (Object.keys(fields).length !== positions.length || taken !== positions.length)
    throw new Error(`a record is not made of its values one by one: ${fields.join(', ')}`);
  return fields;
}
