import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * A file itself; of a folder, all files in it and in the folders below, in the order of their names, but for hidden ones. What is no
 * photograph among them is for the decoder to tell, by content.
 */
export async function listPhotos(place: string): Promise<string[]> {
  if (!(await stat(place)).isDirectory()) return [place];
  const entries = await readdir(place, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.'))
    .map((entry) => path.join(entry.parentPath, entry.name))
    .toSorted();
}
