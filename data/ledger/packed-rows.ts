type Value = string | number | null;
type Row = readonly Value[];

/**
 * Rows as they travel to D1 and stand in the outbox: a field in which all rows agree is given once, the others row by row. Orders of
 * one batch agree in most fields, and SQLite pays for each field that it takes out of JSON.
 */
export interface PackedRows {
  readonly count: number;
  /** Position and value of each field in which all rows agree. The first field is the key of the row and never among them. */
  readonly shared: readonly (readonly [position: number, value: Value])[];
  /** JSON array of the rows, each an array of the other fields in their order. */
  readonly json: string;
}

export function packRows(rows: readonly Row[]): PackedRows {
  const [first = []] = rows;
  const shared: [number, Value][] = [];
  const own: number[] = [];
  for (const [position, value] of first.entries()) {
    if (position > 0 && rows.every((row) => row[position] === value)) shared.push([position, value]);
    else own.push(position);
  }
  return { count: rows.length, shared, json: JSON.stringify(rows.map((row) => own.map((position) => row[position]))) };
}

/** The packed rows as JSON: what the outbox keeps. */
export function packedText({ shared, json }: PackedRows): string {
  return `{"shared":${JSON.stringify(shared)},"rows":${json}}`;
}

/** The rows of a parsed `packedText`, whole. */
export function unpackRows({ shared, rows }: { shared: PackedRows['shared']; rows: readonly Row[] }): Row[] {
  return rows.map((own) => {
    const whole = [...own];
    for (const [position, value] of shared) whole.splice(position, 0, value);
    return whole;
  });
}
