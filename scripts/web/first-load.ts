import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** What a browser may fetch before the page of an asset can be used, gzipped: JavaScript and CSS. Charts come after it. */
export const FIRST_LOAD_MAX = 250_000;

/** The page that needs most. */
const PAGE = 'src/asset/asset-page.tsx';

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly src?: string;
  readonly imports?: readonly string[];
  readonly css?: readonly string[];
}

type Manifest = Readonly<Record<string, Chunk>>;

/** Bytes of the entry and of the page, with all that they import at once. */
export function firstLoadOf(dist: string, manifest: Manifest): number {
  const entry = Object.keys(manifest).find((key) => manifest[key]?.isEntry === true);
  if (entry === undefined || manifest[PAGE] === undefined)
    throw new Error('the build has no entry, or no page of an asset');
  const files = new Set<string>();
  const chunks = new Set<string>();
  const walk = (key: string): void => {
    const chunk = manifest[key];
    if (chunk === undefined || chunks.has(key)) return;
    chunks.add(key);
    files.add(chunk.file);
    for (const file of chunk.css ?? []) files.add(file);
    for (const imported of chunk.imports ?? []) walk(imported);
  };
  walk(entry);
  walk(PAGE);
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(dist, file)), { level: 9 }).length, 0);
}

export function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
