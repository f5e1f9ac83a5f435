import type { PackedRows } from './packed-rows.ts';

/** SQL of each field of one row, by its name. */
type FieldSql<Field extends string> = Readonly<Record<Field, string>>;

/**
 * Writes the statement. `of(row)` gives the SQL of the fields of a row, itself SQL that yields the JSONB array of one packed row; a
 * field that all rows share is a parameter then, and reads no row.
 */
type WriteStatement<Field extends string> = (of: (row: string) => FieldSql<Field>) => string;

/** A statement over packed rows. */
export interface RowStatement {
  /** `values` are the statement's own parameters, ?1 and on; the shared fields that it uses are bound after them. */
  prepare(db: D1Database, rows: PackedRows, ...values: (string | number)[]): D1PreparedStatement;
}

/** The statement as written for rows that share certain fields. */
interface Written {
  readonly text: string;
  /** Positions of the shared fields that it binds, in the order of their parameters. */
  readonly binds: readonly number[];
}

/** Texts of one statement kept for the next batch of the same shape. */
const TEXTS_KEPT_MAX = 200;

/** A statement whose text depends on which fields the rows share. */
export function rowStatement<const Field extends string>(
  fields: readonly Field[],
  write: WriteStatement<Field>,
): RowStatement {
  const kept = new Map<string, Written>();
  return {
    prepare: (db, { shared }, ...values) => {
      const shape = shared.map(([position, value]) => `${position}${kindOf(value)}`).join();
      let written = kept.get(shape);
      if (written === undefined) {
        written = writtenFor(fields, write, shared, values.length);
        if (kept.size >= TEXTS_KEPT_MAX) kept.clear();
        kept.set(shape, written);
      }
      const valueAt = new Map(shared);
      return db.prepare(written.text).bind(...values, ...written.binds.map((position) => valueAt.get(position)));
    },
  };
}

function kindOf(value: string | number | null): 'text' | 'integer' | 'null' {
  if (value === null) return 'null';
  return typeof value === 'number' ? 'integer' : 'text';
}

/** D1 binds numbers as REAL, so shared numbers are cast: all of them are integers. */
function writtenFor<Field extends string>(
  fields: readonly Field[],
  write: WriteStatement<Field>,
  shared: PackedRows['shared'],
  parameters: number,
): Written {
  const kinds = new Map(shared.map(([position, value]) => [position, kindOf(value)]));
  const binds: number[] = [];
  const parameterOf = (position: number): string => {
    if (!binds.includes(position)) binds.push(position);
    return `?${parameters + 1 + binds.indexOf(position)}`;
  };
  const sqlOf = (position: number, own: number, row: string): string => {
    switch (kinds.get(position)) {
      case 'null':
        return 'NULL';
      case 'integer':
        return `CAST(${parameterOf(position)} AS INTEGER)`;
      case 'text':
        return parameterOf(position);
      case undefined:
        return `${row} ->> ${own}`;
    }
  };
  const of = (row: string): FieldSql<Field> => {
    const sql: Partial<Record<Field, string>> = {};
    let own = 0;
    for (const [position, field] of fields.entries()) {
      const at = own;
      // Only what the statement asks for becomes a parameter: D1 refuses values that no parameter takes.
      Object.defineProperty(sql, field, { get: () => sqlOf(position, at, row) });
      if (!kinds.has(position)) own += 1;
    }
    return sql as FieldSql<Field>;
  };
  return { text: write(of), binds };
}
