import type { ReactNode } from 'react';

/** A column of a table of rows. */
export interface Column<Row> {
  /** Under which it is kept that somebody leaves it out. */
  readonly name: string;
  readonly title: string;
  readonly cell: (row: Row) => ReactNode;
  /** Classes of its head and its cells. */
  readonly looks?: string;
  /** Further classes of one cell. */
  readonly tone?: (row: Row) => string;
  /** By it a row is known, or acted on: it is always there. */
  readonly isFixed?: boolean;
  /** For those alone who hear the table. */
  readonly isTitleHidden?: boolean;
}

type Choosable = Pick<Column<unknown>, 'name' | 'isFixed'>;

/** What is left of the columns without those that somebody leaves out. */
export function shownColumns<C extends Choosable>(columns: readonly C[], left: readonly string[]): readonly C[] {
  return columns.filter(({ name, isFixed }) => isFixed === true || !left.includes(name));
}

/** What is left out after a column was switched: names that the table does not have any more go. */
export function leftAfter(columns: readonly Choosable[], left: readonly string[], switched: string): string[] {
  return columns
    .filter(({ name, isFixed }) => isFixed !== true && left.includes(name) !== (name === switched))
    .map(({ name }) => name);
}
