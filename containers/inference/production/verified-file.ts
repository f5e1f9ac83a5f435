import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';

/** A model's bytes, which are those that were hashed. Throws when the file is missing or another. */
export async function verifiedFile(modelsFolder: string, file: string, sha256: string): Promise<Uint8Array> {
  const bytes = await readFile(join(modelsFolder, file)).catch(() => {
    throw new Error(`${file} is missing`);
  });
  const found = createHash('sha256').update(bytes).digest('hex');
  if (found !== sha256) throw new Error(`${file} has the SHA-256 ${found}, not ${sha256}`);
  return bytes;
}

/** Throws unless the folder has exactly the files that are named, each with its hash: what is not hashed must not be loaded. */
export async function verifyFolder(
  modelsFolder: string,
  folder: string,
  files: Readonly<Record<string, string>>,
): Promise<void> {
  for (const [file, sha256] of Object.entries(files)) await verifiedFile(modelsFolder, `${folder}/${file}`, sha256);
  const root = join(modelsFolder, folder);
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const file = relative(root, join(entry.parentPath, entry.name)).split(sep).join('/');
    if (!entry.isDirectory() && !(file in files)) throw new Error(`${folder}/${file} is not in models.json`);
  }
}
