/** A record as it travels and is stored: its values in the order of its field list, without their names. */
export type PackedRecord = unknown[];

/** Packs records of one shape and unpacks them again. Nobody else knows where a field stands. */
export interface RecordCodec<T> {
  pack(record: T): PackedRecord;
  unpack(packed: PackedRecord): T;
}

/** As a type, it says that `Fields` names every field of T. */
type EveryField<T, Fields extends readonly (keyof T)[]> =
  Exclude<keyof T, Fields[number]> extends never ? Fields : never;

type Element<V> = V extends readonly (infer E)[] ? E : never;

/** Codecs of the fields that hold lists of records. */
type NestedCodecs<T> = { readonly [Field in keyof T]?: RecordCodec<Element<T[Field]>> };

/**
 * The codec of a record, made from its field list. Values are JSON values; a field that holds a list of records packs each of them with
 * its own codec, given in `lists`.
 *
 * @example const fenceCodec = recordCodec<Fence>()(['owner', 'batch', 'settled']);
 */
export function recordCodec<T extends object>() {
  return <const Fields extends readonly (keyof T & string)[]>(
    fields: EveryField<T, Fields> & Fields,
    lists: NestedCodecs<T> = {},
  ): RecordCodec<T> => {
    const names: readonly string[] = fields;
    const codecs = names.map((name) => (lists[name as keyof T] as RecordCodec<unknown> | undefined) ?? null);
    return {
      pack: (record) => {
        const packed: PackedRecord = new Array(names.length);
        for (let at = 0; at < names.length; at++) {
          const value = record[names[at] as keyof T] as unknown;
          const codec = codecs[at] as RecordCodec<unknown> | null;
          packed[at] = codec === null ? value : (value as unknown[]).map(codec.pack);
        }
        return packed;
      },
      unpack: (packed) => {
        const record: Record<string, unknown> = {};
        for (let at = 0; at < names.length; at++) {
          const codec = codecs[at] as RecordCodec<unknown> | null;
          record[names[at] as string] = codec === null ? packed[at] : (packed[at] as PackedRecord[]).map(codec.unpack);
        }
        return record as T;
      },
    };
  };
}
