import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { firstLoadOf } from './first-load.ts';
import { prepareStaticFiles } from './static-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const WEB = join(ROOT, 'web');
const DIST = join(WEB, 'dist');
/** What the files in web/dist were made of. */
const STAMP = join(WEB, '.built');
/** Everything that the console is made of. */
const INPUTS = [
  'web/{index.html,vite.config.ts,public/**,src/**}',
  'protocol/feeds/**',
  'clients/sdk/**',
  'package-lock.json',
];

interface Stamp {
  readonly inputs: string;
  readonly firstLoad: number;
}

/** Builds the console where its inputs have changed. What is served meanwhile stays whole: the new files take the place of the old ones at once. */
export async function buildConsole(): Promise<{ readonly isNew: boolean; readonly firstLoad: number }> {
  const inputs = hashOf();
  const before = readStamp();
  if (before?.inputs === inputs && existsSync(join(DIST, 'static'))) {
    prepareStaticFiles();
    return { isNew: false, firstLoad: before.firstLoad };
  }
  // Loaded here, because a start that builds nothing is faster without it.
  const { build } = await import('vite');
  const folder = mkdtempSync(join(WEB, '.building-'));
  try {
    await build({ configFile: join(WEB, 'vite.config.ts'), logLevel: 'error', build: { outDir: folder } });
    const manifest = join(folder, '.vite', 'manifest.json');
    const firstLoad = firstLoadOf(folder, JSON.parse(readFileSync(manifest, 'utf8')));
    rmSync(join(folder, '.vite'), { recursive: true });
    rmSync(DIST, { recursive: true, force: true });
    renameSync(folder, DIST);
    prepareStaticFiles();
    writeFileSync(STAMP, JSON.stringify({ inputs, firstLoad } satisfies Stamp));
    return { isNew: true, firstLoad };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function hashOf(): string {
  const hash = createHash('sha256');
  const files = INPUTS.flatMap((pattern) => globSync(pattern, { cwd: ROOT })).sort();
  for (const file of files) {
    const path = join(ROOT, file);
    if (!statSync(path).isFile() || file.endsWith('.test.ts')) continue;
    hash.update(`${file}\0`).update(readFileSync(path)).update('\0');
  }
  return hash.digest('hex');
}

function readStamp(): Stamp | null {
  try {
    return JSON.parse(readFileSync(STAMP, 'utf8')) as Stamp;
  } catch {
    return null;
  }
}
