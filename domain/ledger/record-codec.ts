/** A record as it travels and is stored: its values in the order of its field list, without their names. */
export type PackedRecord = unknown[];

/** Packs records of one shape and unpacks them again. Nobody else knows where a field stands. */
export interface RecordCodec<T> {
  pack(record: T): PackedRecord;
  unpack(packed: PackedRecord): T;
}

type Element<V> = V extends readonly (infer E)[] ? E : never;

/** Codecs of the fields that hold lists of records. */
type NestedCodecs<T> = { readonly [Field in keyof T]?: RecordCodec<Element<T[Field]>> };

/** Makes a record of its values. Each parameter is named as the field that it becomes: `(owner, batch) => ({ owner, batch })`. */
// biome-ignore lint/suspicious/noExplicitAny: the values come out of JSON; the record that is made of them has its type.
type MakeRecord<T> = (...values: any[]) => T;

/**
 * The codec of a record, from the one place that lists its fields: the function that makes it. An object literal is made four times as
 * fast as one that is filled field by field (measured). Values are JSON values; a field that holds a list of records packs each of them
 * with its own codec, given in `lists`.
 *
 * @example const fenceCodec = recordCodec<Fence>((owner, batch, settled) => ({ owner, batch, settled }));
 */
export function recordCodec<T extends object>(make: MakeRecord<T>, lists: NestedCodecs<T> = {}): RecordCodec<T> {
  const names = fieldsOf(make);
  const codecs = names.map((name) => (lists[name as keyof T] as RecordCodec<unknown> | undefined) ?? null);
  const isFlat = codecs.every((codec) => codec === null);
  const pack = (record: T): PackedRecord => {
    const packed: PackedRecord = new Array(names.length);
    for (let at = 0; at < names.length; at++) {
      const value = record[names[at] as keyof T] as unknown;
      const codec = codecs[at] as RecordCodec<unknown> | null;
      packed[at] = codec === null ? value : (value as unknown[]).map(codec.pack);
    }
    return packed;
  };
  if (isFlat) return { pack, unpack: (packed) => make.apply(null, packed) };
  return {
    pack,
    unpack: (packed) =>
      make(
        ...packed.map((value, at) => {
          const codec = codecs[at] as RecordCodec<unknown> | null;
          return codec === null ? value : (value as PackedRecord[]).map(codec.unpack);
        }),
      ),
  };
}

/** The fields in the order of the parameters that they come from. @throws Error when some parameter becomes no field, or two */
function fieldsOf<T extends object>(make: MakeRecord<T>): string[] {
  const positions = Array.from({ length: make.length }, (_, position) => position);
  const fields: string[] = [];
  for (const [name, position] of Object.entries(make(...positions))) fields[position as number] = name;
  if (Object.keys(fields).length !== positions.length || fields.length !== positions.length)
    throw new Error(`a record is not made of its values one by one: ${fields.join(', ')}`);
  return fields;
}
