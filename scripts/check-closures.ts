/**
 * `npm run check:closures`: every package that a Worker or a container loads stands in `dependencies`, and every image copies the files that its
 * process loads. What is wrong would show at the start of an image alone, where no development package is.
 */
import { existsSync, globSync, readFileSync } from 'node:fs';
import { closureProblems } from './closures/closure-problems.ts';

const WORKER_CONFIGS = 'wrangler*.toml';
const MAIN = /^main = "([^"]+)"$/m;

const workers = globSync(WORKER_CONFIGS).map((file) => {
  const [, main] = MAIN.exec(readFileSync(file, 'utf8')) ?? [];
  if (main === undefined) throw new Error(`${file} names no main`);
  return main;
});
const containers = globSync('containers/*/main.ts').toSorted();
const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: Record<string, string> };
const problems = closureProblems({
  workers,
  containers,
  dockerfiles: globSync('containers/*/Dockerfile*'),
  production: new Set(Object.keys(dependencies)),
  read: (path) => (existsSync(path) ? readFileSync(path, 'utf8') : null),
});
for (const problem of problems) console.error(`closures: ${problem}`);
console.log(`closures: ${workers.length} Workers, ${containers.length} containers, ${problems.length} problems`);
if (workers.length === 0 || containers.length === 0 || problems.length > 0) process.exit(1);
