import { readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { isNonCommercial } from '../../containers/inference/production/is-non-commercial.ts';
import { download, sha256Of } from './download.ts';
import type { ModelFile, RecommendedModel } from './recommended-models.ts';

export interface PullTerms {
  /** MODELS_DIR. */
  readonly folder: string;
  readonly allowNonCommercial: boolean;
  readonly say: (line: string) => void;
}

export interface PullResult {
  /** Names of models: described in models.json, their files verified. */
  readonly installed: readonly string[];
  /** Their licence forbids commercial use. */
  readonly refused: readonly string[];
  /** Fetched, but with a hash that nobody has vouched for. */
  readonly unpinned: readonly string[];
}

type Description = Readonly<Record<string, unknown>>;

/** Fetches models that are not there yet, verifies all, and describes them in models.json; slots that hold another model stay as they are. */
export async function pullModels(models: readonly RecommendedModel[], terms: PullTerms): Promise<PullResult> {
  const { allowNonCommercial, folder, say } = terms;
  const result = { installed: [] as string[], refused: [] as string[], unpinned: [] as string[] };
  for (const model of models) {
    const { commercialUse, licence, name, source } = model.description;
    say(`${model.slot}: ${name}, ${licence} (${source})`);
    if (isNonCommercial({ licence, commercialUse }) && !allowNonCommercial) {
      say('  refused: its licence forbids commercial use; --allow-noncommercial fetches it');
      result.refused.push(name);
      continue;
    }
    const described = await readModels(folder);
    const before = described[model.slot] as Description | undefined;
    if (before !== undefined && before.name !== name) {
      say(`  models.json has ${String(before.name)} there, which stays`);
      continue;
    }
    const hashes = new Map<ModelFile, string>();
    let vouched = true;
    for (const file of model.files) {
      const pinned = pinnedHash(model, file, before) ?? file.sha256;
      const sha256 = await fetchFile(folder, file, pinned, say);
      hashes.set(file, sha256);
      vouched &&= pinned !== null;
    }
    const description = describe(model, hashes);
    if (vouched) {
      await writeModels(folder, { ...(await readModels(folder)), [model.slot]: description });
      result.installed.push(name);
      continue;
    }
    say(
      '  nobody has published its hashes to us. Compare them with the source, then pin them: put this into models.json',
    );
    say(JSON.stringify({ [model.slot]: description }, null, 2));
    result.unpinned.push(name);
  }
  return result;
}

async function fetchFile(
  folder: string,
  { path, url }: ModelFile,
  pinned: string | null,
  say: PullTerms['say'],
): Promise<string> {
  const target = join(folder, path);
  const there = await sha256Of(target);
  if (there !== null && (pinned === null || there === pinned)) {
    say(`  ${path} is there: ${there}`);
    return there;
  }
  say(`  fetching ${path} from ${url}`);
  const sha256 = await download(url, target, pinned);
  say(`  ${pinned === null ? 'SHA-256' : 'verified'} ${sha256}`);
  return sha256;
}

/** What models.json says of a file; null where it says nothing. */
function pinnedHash(model: RecommendedModel, { path }: ModelFile, before: Description | undefined): string | null {
  if (before === undefined) return null;
  const hash =
    model.folder === undefined
      ? before.sha256
      : (before.files as Description | undefined)?.[relative(model.folder, path)];
  return typeof hash === 'string' ? hash : null;
}

function describe(
  { description, files, folder }: RecommendedModel,
  hashes: ReadonlyMap<ModelFile, string>,
): Description {
  if (folder === undefined) return { ...description, file: files[0].path, sha256: hashes.get(files[0]) };
  return {
    ...description,
    folder,
    files: Object.fromEntries(files.map((file) => [relative(folder, file.path), hashes.get(file)])),
  };
}

async function readModels(folder: string): Promise<Description> {
  try {
    return JSON.parse(await readFile(join(folder, 'models.json'), 'utf8')) as Description;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return {};
    throw error;
  }
}

async function writeModels(folder: string, models: Description): Promise<void> {
  const target = join(folder, 'models.json');
  await writeFile(`${target}.part`, `${JSON.stringify(models, null, 2)}\n`);
  await rename(`${target}.part`, target);
}
