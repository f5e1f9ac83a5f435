/**
 * `npm run bench:import-memory`: the peak of memory of an import at its bounds, as JSON, CSV and OCF, and of bodies that are refused once they are parsed, as dear as the bounds let them
 * be. Each runs the import's own functions, in a process whose heap is smaller than an isolate's 128 MB: one that needs more ends it, and this bench fails. The ratio is the largest peak by the
 * 128 MB; it counts what is garbage by then.
 */
import { spawnSync } from 'node:child_process';
import { printReport } from './report.ts';
import { sized } from './smoke.ts';

const ISOLATE_MB = 128;
/** Half of it: an isolate has other requests as well, and buffers that are outside of this. */
const HEAP_MB = 64;
const KINDS = ['json', 'csv', 'ocf', 'objects', 'empty_rows', 'empty_cells'];
const SHARE = sized('1', '0.02');

type Seen = Readonly<Record<'body_mb' | 'rows' | 'peak_mb', number>>;

const table: Record<string, string | number>[] = [];
let largest_mb = 0;
const failed: string[] = [];
for (const kind of KINDS) {
  const program = [`--max-old-space-size=${HEAP_MB}`, 'bench/runtime/import-memory.ts', kind, SHARE];
  const { status, stdout, stderr } = spawnSync(process.execPath, program, { encoding: 'utf8' });
  if (status !== 0) failed.push(`${kind}: ${stderr.slice(-500)}`);
  else {
    const { body_mb, rows, peak_mb } = JSON.parse(stdout) as Seen;
    table.push({ kind, body_mb, rows, peak_mb });
    largest_mb = Math.max(largest_mb, peak_mb);
  }
}
printReport({
  bench: 'import-memory',
  ratio: largest_mb / ISOLATE_MB,
  table,
  figures: { largest_mb, heap_mb: HEAP_MB },
});
for (const each of failed) console.error(`does not fit ${HEAP_MB} MB: ${each}`);
process.exitCode = failed.length === 0 ? 0 : 1;
