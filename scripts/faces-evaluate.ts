/**
 * `npm run faces:evaluate`: how often the face engine takes two people for one, and one for two, by group and threshold.
 *
 *     npm run faces:evaluate -- [<folder>] [--det faces-det.svg] [--copies]
 *
 * The folder has a folder a person, with `people.csv` (`person`, `group`) beside them, or `faces.csv` (`photo`, `x`, `y`, `person`, `group`,
 * `set`); left out, it is that of the sample photographs. `--copies` compares each photograph also with itself at half the size, of JPEG
 * quality 30 and mirrored, which says nothing of other days and cameras. It runs the engine that ENGINE, FACE_EMBEDDING, MODELS_DIR and
 * DEVICE name, and stores nothing.
 */
import { randomUUID } from 'node:crypto';
import { existsSync, writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { loadEngines } from '../containers/inference/engine/load-engines.ts';
import { readSettings } from '../containers/inference/settings.ts';
import { matchRuleOf } from '../domain/faces/match-rule.ts';
import { type Comparison, comparisonsOf } from './faces-evaluate/comparison.ts';
import { type DetLine, detPlot } from './faces-evaluate/det-plot.ts';
import { embedLabelled } from './faces-evaluate/embed-labelled.ts';
import { errorRates, type Rate, upperBound } from './faces-evaluate/error-rates.ts';
import { readLabelsOf, SAMPLE_FOLDER } from './labelled-faces/sample-photographs.ts';

const THRESHOLDS = [0.3, 0.4, 0.45, 0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8];
const UNNAMED = 'no group';

async function evaluate(): Promise<void> {
  const { positionals, values } = parseArgs({
    allowPositionals: true,
    options: { det: { type: 'string', default: 'faces-det.svg' }, copies: { type: 'boolean', default: false } },
  });
  const folder = resolve(positionals[0] ?? SAMPLE_FOLDER);
  if (!existsSync(folder)) throw new Error(`${folder} is not there: name a folder of labelled photographs`);
  const labels = readLabelsOf(folder);
  if (labels === null)
    throw new Error(`nothing in ${folder} is labelled: a folder a person, or faces.csv (docs/inference.md)`);

  // A secret is for servers to ask of callers, and this has none.
  const { limits, models } = readSettings({ ...process.env, INFERENCE_SECRET: randomUUID() });
  const { faces: engine } = await loadEngines(models);
  if (engine === null) throw new Error('no model for faces is installed');
  const { samples, notFound, rejected } = await embedLabelled(engine, limits, labels, { copies: values.copies });
  const comparisons = comparisonsOf(samples);
  const photographs = samples.filter(({ copyOf }) => copyOf === null).length;
  console.log(
    `${labels.length} labelled faces, ${notFound} not found, ${rejected} rejected for their quality, ` +
      `${photographs} compared; model ${engine.model.name} ${engine.model.version}`,
  );

  const lines = linesOf(comparisons);
  for (const { name, comparisons: of } of lines) {
    console.log(`\n${name}`);
    console.table(THRESHOLDS.map((threshold) => rowOf(of, threshold)));
  }
  const { matchFrom, reviewFrom, margin } = matchRuleOf(engine.model, []);
  console.log(
    `a match from ${matchFrom} on and ahead by ${margin}, a review from ${reviewFrom}; an upper end is that of 95 %`,
  );
  writeFileSync(values.det, detPlot(`${engine.model.name} ${engine.model.version}`, lines));
  console.log(`DET plot: ${values.det}`);
}

/** Everything, then each group within itself, then pairs across groups, as far as there are any. */
function linesOf(comparisons: readonly Comparison[]): DetLine[] {
  const groups = [...new Set(comparisons.flatMap(({ group }) => group ?? []))].toSorted();
  const within = groups.map((group) => ({
    name: group === '' ? UNNAMED : group,
    comparisons: comparisons.filter((one) => one.group === group),
  }));
  const across = { name: 'across groups', comparisons: comparisons.filter(({ group }) => group === null) };
  const parts = [...within, across].filter((line) => line.comparisons.length > 0);
  return parts.length === 1 ? parts : [{ name: 'all', comparisons }, ...parts];
}

function rowOf(comparisons: readonly Comparison[], threshold: number) {
  const { falseMatch, falseNonMatch } = errorRates(comparisons, threshold);
  return { threshold, 'false match': textOf(falseMatch), 'false non-match': textOf(falseNonMatch) };
}

function textOf(rate: Rate): string {
  if (rate.of === 0) return 'no pairs';
  return `${percent(rate.wrong / rate.of)} (${rate.wrong} of ${rate.of}, up to ${percent(upperBound(rate))})`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(share < 0.001 && share > 0 ? 3 : 1)} %`;
}

try {
  await evaluate();
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}
