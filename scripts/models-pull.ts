/**
 * `MODELS_DIR=/srv/models npm run models:pull [-- --allow-noncommercial]`: fetches the recommended models of the production engine, verifies
 * their hashes, prints their licences and describes them in models.json. It can be stopped and run again.
 */
import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { pullModels } from './models/pull-models.ts';
import { RECOMMENDED_MODELS } from './models/recommended-models.ts';

const { values } = parseArgs({ options: { 'allow-noncommercial': { type: 'boolean', default: false } } });
const given = process.env.MODELS_DIR ?? '';
if (given === '') {
  console.error('MODELS_DIR is not set: the folder for models.json and the models.');
  process.exit(1);
}
const folder = resolve(given);
mkdirSync(folder, { recursive: true });
try {
  const { installed, refused, unpinned } = await pullModels(RECOMMENDED_MODELS, {
    folder,
    allowNonCommercial: values['allow-noncommercial'],
    say: (line) => console.log(line),
  });
  console.log(`installed: ${installed.join(', ') || 'none'}`);
  if (refused.length > 0) console.log(`refused for their licence: ${refused.join(', ')}`);
  if (unpinned.length > 0) console.log(`to be pinned by you in ${folder}/models.json: ${unpinned.join(', ')}`);
  process.exitCode = unpinned.length > 0 ? 2 : 0;
} catch (error) {
  console.error(error instanceof Error ? `${error.message}${causeOf(error)}` : String(error));
  process.exitCode = 1;
}

function causeOf({ cause }: Error): string {
  return cause instanceof Error ? `: ${cause.message}` : '';
}
