import { z } from '@hono/zod-openapi';
import { plainNumber } from '../../../domain/money/plain-number.ts';
import { amountText } from '../../../domain/register/amount-text.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { csvOf } from '../../responses/csv.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';

/** Rows of one answer; a longer report goes on in its Link header. */
const REPORT_ROWS_MAX = 10_000;

export const formatQuery = z.enum(['json', 'csv', 'html']).default('json').openapi({
  description: '`csv`: RFC 4180. `html`: a page to print.',
});

export const reportLimit = wholeNumberOr(REPORT_ROWS_MAX, 1, REPORT_ROWS_MAX).openapi({
  description: 'Rows of this answer; the next ones are in the Link header.',
});

/** An amount of money as a table shows it, with all decimals of its currency. */
export interface AmountCell {
  readonly amount: string;
}

type Cell = string | number | null | AmountCell;

/** A report as a table: what it is of, and its rows. */
export interface ReportTable {
  /** Of its file. */
  readonly name: string;
  readonly title: string;
  readonly facts: readonly (readonly [label: string, value: Cell])[];
  readonly columns: readonly string[];
  readonly rows: readonly (readonly Cell[])[];
}

/** The answers of a report, for its route: `json` is the schema of the first. */
export function reportAnswers<Schema extends z.ZodType>(description: string, json: Schema) {
  return {
    200: {
      description,
      content: {
        'application/json': { schema: json },
        'text/csv': { schema: z.string() },
        'text/html': { schema: z.string() },
      },
    },
  };
}

/** A report in the format that was asked for. */
export function answerReport(
  c: AppContext,
  format: z.infer<typeof formatQuery>,
  json: Record<string, unknown>,
  table: ReportTable,
) {
  if (format === 'json') return c.json(json, 200) as never;
  if (format === 'csv')
    return c.body(
      csvOf(
        table.columns,
        table.rows.map((row) => row.map((cell) => (isAmount(cell) ? amountText(cell.amount) : cell))),
      ),
      200,
      {
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="${table.name}.csv"`,
      },
    ) as never;
  return c.body(pageOf(table), 200, {
    'content-type': 'text/html; charset=utf-8',
    'content-security-policy': PAGE_POLICY,
  }) as never;
}

/** Nothing but the page's own styles: names in it are strangers' text. */
const PAGE_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox";

const PAGE_STYLES = `body{font:12px/1.4 sans-serif;margin:2em}table{border-collapse:collapse;width:100%}th,td{border:1px solid #999;padding:3px 6px;text-align:left;vertical-align:top}td.n{text-align:right}thead{display:table-header-group}tr{break-inside:avoid}dl{display:grid;grid-template-columns:max-content auto;gap:2px 12px}dt{font-weight:bold}dd{margin:0}@media print{body{margin:0}}`;

function pageOf({ title, facts, columns, rows }: ReportTable): string {
  const head = columns.map((column) => `<th scope="col">${escaped(column)}</th>`).join('');
  const body = rows
    .map(
      (row) =>
        `<tr>${row.map((cell) => `<td${isNumber(cell) ? ' class="n"' : ''}>${escaped(cell)}</td>`).join('')}</tr>`,
    )
    .join('\n');
  const about = facts.map(([label, value]) => `<dt>${escaped(label)}</dt><dd>${escaped(value)}</dd>`).join('');
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(title)}</title><style>${PAGE_STYLES}</style></head>
<body><h1>${escaped(title)}</h1><dl>${about}</dl>
<table><thead><tr>${head}</tr></thead><tbody>
${body}
</tbody></table></body></html>
`;
}

function isNumber(cell: Cell): boolean {
  return typeof cell === 'number' || isAmount(cell);
}

function isAmount(cell: Cell): cell is AmountCell {
  return typeof cell === 'object' && cell !== null;
}

function textOfCell(cell: Cell): string | number | null {
  return isAmount(cell) ? cell.amount : cell;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(cell: Cell): string {
  const text = textOfCell(cell) ?? '';
  return (typeof text === 'number' ? plainNumber(text) : text).replaceAll(
    /[&<>"']/g,
    (character) => ENTITIES[character] as string,
  );
}
