/** A statement over the rows of one table. */
export interface RowStatement<Row> {
  /** One statement for all rows; several when their text is longer than D1 takes in one value. None for no rows. */
  prepare(d1: D1Database, rows: readonly Row[]): D1PreparedStatement[];
}

/** SQL of each field of a row, by its name. */
type FieldSql<Field extends string> = Readonly<Record<Field, string>>;

/** As a type, it says that `Fields` names every field of Row. */
type EveryField<Row, Fields extends readonly (keyof Row)[]> =
  Exclude<keyof Row, Fields[number]> extends never ? Fields : never;

type Value = string | number | boolean | null;

/** In UTF-8 at most three times as many bytes, which stays below D1's 2 MB for a value. */
const TEXT_LENGTH_MAX = 600_000;

/** Fewer rows than this are not looked through for what they share, so that small batches are all of one text. */
const SHARED_FROM_ROWS = 16;

/** Texts of one statement kept for the next rows of the same shape. */
const TEXTS_KEPT_MAX = 100;

/** What a statement selects its rows from. */
export const ROWS = 'jsonb_each(?1) r';

/**
 * A statement whose rows travel as one JSON text. `write` is given the SQL of each field of the row that `ROWS` yields. A field in which
 * all rows agree is bound once instead, because SQLite pays for every field that it takes out of JSON; the first field is the row's key and
 * never among them.
 *
 * @example rowStatement<{ id: string; seq: number }>()(['id', 'seq'], ({ id, seq }) =>
 *   `UPDATE t SET seq = ${seq} FROM ${ROWS} WHERE t.id = ${id}`)
 */
export function rowStatement<Row extends object>() {
  return <const Fields extends readonly (keyof Row & string)[]>(
    fields: EveryField<Row, Fields> & Fields,
    write: (field: FieldSql<Fields[number]>) => string,
  ): RowStatement<Row> => {
    const names: readonly string[] = fields;
    const kept = new Map<string, string>();
    const textOf = (shared: ReadonlyMap<string, Value>): string => {
      const shape = Array.from(shared, ([name, value]) => `${name} ${kindOf(value)}`).join();
      let text = kept.get(shape);
      if (text === undefined) {
        text = write(fieldSql(names, shared));
        if (kept.size >= TEXTS_KEPT_MAX) kept.clear();
        kept.set(shape, text);
      }
      return text;
    };
    return {
      prepare: (d1, rows) => {
        const shared = sharedBy(rows as readonly Readonly<Record<string, Value>>[], names);
        const own = names.filter((name) => !shared.has(name));
        const bound = [...shared.values()].filter((value) => value !== null).map(boundValue);
        const text = textOf(shared);
        return jsonTexts(rows as readonly Readonly<Record<string, Value>>[], own).map((json) =>
          d1.prepare(text).bind(json, ...bound),
        );
      },
    };
  };
}

/** An INSERT of every field into the column of its name. `conflict` is the ON CONFLICT clause. */
export function insertStatement<Row extends object>() {
  return <const Fields extends readonly (keyof Row & string)[]>(
    table: string,
    fields: EveryField<Row, Fields> & Fields,
    conflict: string,
  ): RowStatement<Row> =>
    rowStatement<Row>()<Fields>(fields, (field) => {
      const names: readonly Fields[number][] = fields;
      const values = names.map((name) => field[name]).join(', ');
      return `INSERT INTO ${table} (${names.map(column).join(', ')}) SELECT ${values} FROM ${ROWS} WHERE true ${conflict}`;
    });
}

/** SET clause that gives the columns of these fields their value. */
export function assignments<Field extends string>(fields: readonly Field[], field: FieldSql<Field>): string {
  return fields.map((name) => `${column(name)} = ${field[name]}`).join(', ');
}

/** Column of a field, as the schema's casing names it. */
function column(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}

function sharedBy(
  rows: readonly Readonly<Record<string, Value>>[],
  names: readonly string[],
): ReadonlyMap<string, Value> {
  const shared = new Map<string, Value>();
  const [first] = rows;
  if (first === undefined || rows.length < SHARED_FROM_ROWS) return shared;
  for (const name of names.slice(1)) {
    const value = first[name] as Value;
    if (rows.every((row) => row[name] === value)) shared.set(name, value);
  }
  return shared;
}

/** D1 binds numbers as REAL, so they are cast: all of them are integers. `?1` is the text of the rows. */
function fieldSql(names: readonly string[], shared: ReadonlyMap<string, Value>): FieldSql<string> {
  const sql: Record<string, string> = {};
  let position = 0;
  let parameter = 1;
  for (const name of names) {
    const value = shared.get(name);
    if (value === undefined) {
      sql[name] = `r.value ->> ${position}`;
      position += 1;
    } else if (value === null) sql[name] = 'NULL';
    else {
      parameter += 1;
      sql[name] = typeof value === 'string' ? `?${parameter}` : `CAST(?${parameter} AS INTEGER)`;
    }
  }
  return sql;
}

function kindOf(value: Value): string {
  if (value === null) return 'null';
  return typeof value === 'string' ? 'text' : 'integer';
}

function boundValue(value: Value): string | number {
  return typeof value === 'boolean' ? Number(value) : (value as string | number);
}

/** JSON arrays of the rows, each row the array of its own fields; as many texts as it takes for none to be too long. */
function jsonTexts(rows: readonly Readonly<Record<string, Value>>[], own: readonly string[]): string[] {
  if (rows.length === 0) return [];
  const packed = rows.map((row) => {
    const values: Value[] = new Array(own.length);
    for (let at = 0; at < own.length; at++) values[at] = row[own[at] as string] as Value;
    return values;
  });
  return textsOf(packed);
}

function textsOf(packed: readonly (readonly Value[])[]): string[] {
  const text = JSON.stringify(packed);
  if (text.length <= TEXT_LENGTH_MAX || packed.length === 1) return [text];
  const middle = packed.length >> 1;
  return [...textsOf(packed.slice(0, middle)), ...textsOf(packed.slice(middle))];
}
