import { usePreferences } from '../session/preferences.tsx';
import { type Column, shownColumns } from './columns.ts';

interface DataTableProps<Row> {
  /** Under which its columns are kept; without it all are shown. */
  readonly name?: string | undefined;
  readonly caption: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly keyOf: (row: Row) => string;
  readonly roomy?: boolean;
}

/** A long table: its person says which columns it has (`TableChoices`). */
export function DataTable<Row>({ name, caption, columns, rows, keyOf, roomy = false }: DataTableProps<Row>) {
  const { preferences } = usePreferences();
  const shown = shownColumns(columns, name === undefined ? [] : (preferences.columns[name] ?? []));
  return (
    <div className="scroll">
      <table className={roomy ? 'table roomy' : 'table'}>
        <caption className="hidden-text">{caption}</caption>
        <thead>
          <tr>
            {shown.map((column) => (
              <th key={column.name} className={column.looks}>
                {column.isTitleHidden === true ? <span className="hidden-text">{column.title}</span> : column.title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={keyOf(row)}>
              {shown.map((column) => (
                <td key={column.name} className={classesOf(column, row)}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function classesOf<Row>({ looks = '', tone }: Column<Row>, row: Row): string | undefined {
  const classes = `${looks} ${tone?.(row) ?? ''}`.trim();
  return classes === '' ? undefined : classes;
}
