import { copyFileSync, existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { PAGE_HEADERS } from '../../protocol/console/page-headers.ts';
import { docsFiles } from './docs-files.ts';

const ROOT = join(import.meta.dirname, '..', '..');
/** What is served beside the Worker (`[assets]` of wrangler.toml). */
const DIST = join(ROOT, 'web', 'dist');
/** Made by scripts/build-reference-script.ts. */
const REFERENCE_SCRIPT = join(ROOT, 'web', 'reference', 'scalar.js');

const REFERENCE = { path: '/reference/*', cacheControl: 'public, max-age=86400' };

/** Shown until the app is built. */
const PLACEHOLDER = `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Console</title>
<h1>The console is not built</h1>
<p>Run <code>node scripts/web/build.ts</code>, and load this page again.</p>
</html>
`;

/** Headers of all files, as Cloudflare reads them (`_headers`). @internal */
export function headersFile(): string {
  const rule = (path: string, headers: readonly (readonly [string, string])[]) =>
    [path, ...headers.map(([name, value]) => `  ${name}: ${value}`)].join('\n');
  const kept = rule(REFERENCE.path, [['Cache-Control', REFERENCE.cacheControl]]);
  return `${[rule('/*', PAGE_HEADERS), kept].join('\n')}\n`;
}

/**
 * Puts beside the app what is served with it: headers, pages of docs/ with `llms.txt`, and the script of the reference pages. Where no app has been built there is a page that says so,
 * so that everything starts without one. What is there already is left as it is.
 */
export function prepareStaticFiles(): void {
  mkdirSync(DIST, { recursive: true });
  if (!existsSync(join(DIST, 'index.html'))) write('index.html', PLACEHOLDER);
  write('_headers', headersFile());
  for (const [name, text] of docsFiles()) write(name, text);
  const target = join(DIST, 'reference', 'scalar.js');
  if (!existsSync(REFERENCE_SCRIPT) || sizeOf(target) === sizeOf(REFERENCE_SCRIPT)) return;
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(REFERENCE_SCRIPT, target);
}

function write(name: string, text: string): void {
  const file = join(DIST, name);
  mkdirSync(dirname(file), { recursive: true });
  if (!existsSync(file) || readFileSync(file, 'utf8') !== text) writeFileSync(file, text);
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? -1;
}
