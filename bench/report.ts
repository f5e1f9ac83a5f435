/** What a bench prints: a table to read and, as its last line, one JSON object to compare with. */
export interface BenchReport {
  readonly bench: string;
  /** How many times the reference of the same run; what the bench is judged by. */
  readonly ratio: number;
  /** One line each; a column that a line lacks stays empty. */
  readonly table: readonly Readonly<Record<string, string | number>>[];
  /** What the ratio and the table come from. Units stand last in the names. */
  readonly figures: Readonly<Record<string, unknown>>;
}

/** @example median([3, 1, 2]) // 2 */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >>> 1;
  const upper = sorted[middle];
  if (upper === undefined) throw new RangeError('no values to take the median of');
  return sorted.length % 2 === 1 ? upper : (upper + sorted[middle - 1]!) / 2;
}

export function printReport({ bench, ratio, table, figures }: BenchReport): void {
  const columns = [...new Set(table.flatMap((line) => Object.keys(line)))];
  const lines = [columns, ...table.map((row) => columns.map((column) => cell(row[column] ?? '')))];
  const widths = columns.map((_, at) => Math.max(...lines.map((line) => line[at]!.length)));
  for (const line of lines) console.log(line.map((text, at) => text.padStart(widths[at]!)).join('  '));
  console.log(JSON.stringify({ bench, ratio: Number(ratio.toFixed(2)), ...figures }));
}

/** @example cell(1234567.8) // '1,234,568' */
function cell(value: string | number): string {
  if (typeof value === 'string') return value;
  return value.toLocaleString('en-US', { maximumFractionDigits: Math.abs(value) < 100 ? 2 : 0 });
}
