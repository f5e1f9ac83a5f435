/**
 * `npm run inference:report`: what the inference container finds in photographs: a table on standard output, and a contact sheet with
 * a box around every face, green where its embedding is stored and red, with the reason, where it is not.
 *
 *     npm run inference:report -- <folder or photo>... [--out sheet.png]
 *
 * It decodes as the container does and runs the engine that ENGINE, MODELS_DIR and DEVICE name, the embedded one by default.
 */
import { randomUUID } from 'node:crypto';
import { parseArgs } from 'node:util';
import { loadEngines } from '../containers/inference/engine/load-engines.ts';
import { readSettings } from '../containers/inference/settings.ts';
import { writeContactSheets } from './inference-report/contact-sheet.ts';
import { listPhotos } from './inference-report/list-photos.ts';
import { type PhotoReport, rejectionOf } from './inference-report/photo-report.ts';
import { reportPhoto } from './inference-report/report-photo.ts';
import { reportTable } from './inference-report/table.ts';

const USAGE = 'usage: npm run inference:report -- <folder or photo>... [--out sheet.png]';

async function report(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { out: { type: 'string', default: 'inference-report.png' } },
  });
  if (positionals.length === 0) throw new Error(USAGE);
  const files = (await Promise.all(positionals.map(listPhotos))).flat();
  if (files.length === 0) throw new Error(`there are no files in ${positionals.join(', ')}`);

  // A secret is for servers to ask of callers, and this has none.
  const { limits, models } = readSettings({ ...process.env, INFERENCE_SECRET: randomUUID() });
  const { faces: engine } = await loadEngines(models);
  if (engine === null) throw new Error('no model for faces is installed');

  const reports: PhotoReport[] = [];
  for (const file of files) {
    reports.push(await reportPhoto(engine, limits, file));
    process.stderr.write(`\r${reports.length} of ${files.length}`);
  }
  process.stderr.write('\n');
  console.log(reportTable(reports));
  console.log(`\n${summaryOf(reports)}\nmodel: ${engine.model.name} ${engine.model.version}`);
  for (const sheet of await writeContactSheets(reports, values.out)) console.log(`contact sheet: ${sheet}`);
}

function summaryOf(reports: readonly PhotoReport[]): string {
  const readable = reports.filter((photo) => 'faces' in photo);
  const faces = readable.flatMap((photo) => photo.faces);
  const stored = faces.filter((face) => rejectionOf(face) === null).length;
  const ms = readable.reduce((sum, photo) => sum + photo.ms, 0) / Math.max(1, readable.length);
  const unreadable = reports.length - readable.length;
  return (
    `${readable.length} photographs, ${faces.length} faces, ${stored} stored, ${faces.length - stored} rejected, ` +
    `${unreadable} unreadable files, ${Math.round(ms)} ms a photograph`
  );
}

try {
  await report();
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
