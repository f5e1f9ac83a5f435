import { type Closure, closureOf } from './closure-of.ts';
import { imageOf, isCopied } from './image.ts';

/** A checkout, as far as closures go. */
export interface Checkout {
  /** Entry points of Workers. */
  readonly workers: readonly string[];
  /** `containers/<name>/main.ts` of each. */
  readonly containers: readonly string[];
  readonly dockerfiles: readonly string[];
  /** `dependencies` of package.json. */
  readonly production: ReadonlySet<string>;
  readonly read: (path: string) => string | null;
}

/** What would be missing where only production packages and what an image copies are there; each as a sentence. */
export function closureProblems(checkout: Checkout): string[] {
  const problems = new Set<string>();
  const closure = (entry: string): Closure => {
    const found = closureOf(entry, checkout.read);
    for (const [name, file] of found.packages)
      if (!checkout.production.has(name))
        problems.add(`${entry} loads ${name} (${file}), which is not in "dependencies" of package.json`);
    return found;
  };
  for (const entry of checkout.workers) closure(entry);
  for (const entry of checkout.containers) {
    const folder = entry.slice(0, entry.lastIndexOf('/'));
    const files = checkout.dockerfiles.filter((file) => file.startsWith(`${folder}/`));
    if (files.length === 0) problems.add(`${folder} has no Dockerfile`);
    const loaded = closure(entry);
    for (const file of files) {
      const image = imageOf(checkout.read(file) ?? '');
      if (image.main !== entry) problems.add(`${file} starts ${image.main ?? 'nothing of ours'}, not ${entry}`);
      for (const { files: needed, packages } of [loaded, ...image.built.map(closure)]) {
        for (const path of needed) if (!isCopied(image, path)) problems.add(`${file} does not copy ${path}`);
        if (!image.hasPackages && packages.size > 0)
          problems.add(`${file} installs no packages, and ${entry} loads ${[...packages.keys()].join(', ')}`);
      }
    }
  }
  return [...problems];
}
