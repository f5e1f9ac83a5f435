/** A statement that writes a table of the read model, and where it stands. */
export interface TableWrite {
  readonly table: string;
  /** Line in the source, from 1. */
  readonly line: number;
}

/**
 * Finds what a source writes of these tables: statements in SQL, and calls of the query builder.
 *
 * @param tables names in SQL with the name of the schema's export for each
 */
export function tableWrites(source: string, tables: ReadonlyMap<string, string>): TableWrite[] {
  const writes: TableWrite[] = [];
  for (const [table, exported] of tables) {
    const named = `(?:\\$\\{(?:\\w+\\.)?${exported}\\}|(?:main\\.)?["\`[]?${table}\\b)`;
    const sql = `\\b(?:insert(?:\\s+or\\s+\\w+)?\\s+into|replace\\s+into|update(?:\\s+or\\s+\\w+)?|delete\\s+from)\\s+${named}`;
    const builder = `\\.(?:insert|update|delete)\\(\\s*(?:\\w+\\.)?${exported}\\s*,?\\s*\\)`;
    for (const match of source.matchAll(new RegExp(`${sql}|${builder}`, 'gi')))
      writes.push({ table, line: source.slice(0, match.index).split('\n').length });
  }
  return writes;
}
