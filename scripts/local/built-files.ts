import { statSync } from 'node:fs';
import { join } from 'node:path';

/** What `npm install` makes beside the sources, with the script that makes it again. */
const BUILT_FILES: Readonly<Record<string, string>> = {
  'web/reference/scalar.js': 'scripts/build-reference-script.ts',
  'domain/consensus/checkpoints/bls.wasm': 'scripts/build-bls-module.ts',
};

/** A sentence for the person at the terminal about files that are missing or empty in this checkout, or null. */
export function missingFiles(root: string): string | null {
  const missing = Object.entries(BUILT_FILES).filter(
    ([file]) => !statSync(join(root, file), { throwIfNoEntry: false })?.size,
  );
  if (missing.length === 0) return null;
  const files = missing.map(([file]) => file).join(' and ');
  const scripts = missing.map(([, script]) => `node ${script}`).join(' && ');
  return `This checkout lacks ${files}, which npm install makes. Run npm install, or where its scripts were left out: ${scripts}`;
}
