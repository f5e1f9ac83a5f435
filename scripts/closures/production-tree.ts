import {
  cpSync,
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { dirname, join } from 'node:path';

interface LockedPackage {
  readonly dev?: boolean;
  readonly link?: boolean;
}

/** Folders below node_modules that `npm ci --omit=dev` makes, by the lock file. @internal */
export function productionPackages(lockFile: string): string[] {
  const { packages } = JSON.parse(lockFile) as { packages: Record<string, LockedPackage> };
  return Object.entries(packages)
    .filter(([path, locked]) => path !== '' && locked.dev !== true && locked.link !== true)
    .map(([path]) => path);
}

/** Puts the production packages that are installed in `root` into `target`: what is optional and for another system is in neither. */
export function linkProductionPackages(root: string, target: string): number {
  const packages = productionPackages(readFileSync(join(root, 'package-lock.json'), 'utf8'));
  const installed = packages.filter((path) => existsSync(join(root, path)));
  for (const path of installed) linkTree(join(root, path), join(target, path));
  return installed.length;
}

/** Hard links, so that a module's address is in the new tree; copies where that is on another disk. Leaves out nested node_modules. */
export function linkTree(from: string, to: string): void {
  if (lstatSync(from).isDirectory()) {
    mkdirSync(to, { recursive: true });
    for (const name of readdirSync(from)) if (name !== 'node_modules') linkTree(join(from, name), join(to, name));
    return;
  }
  mkdirSync(dirname(to), { recursive: true });
  if (lstatSync(from).isSymbolicLink()) symlinkSync(readlinkSync(from), to);
  else
    try {
      linkSync(from, to);
    } catch {
      cpSync(from, to);
    }
}
