import { createHash } from 'node:crypto';
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, rm, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** SHA-256 of a file in hex; null when there is none. */
export async function sha256Of(path: string): Promise<string | null> {
  const hash = createHash('sha256');
  try {
    for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
  return hash.digest('hex');
}

/**
 * Fetches a file and answers its SHA-256. What an earlier run left in `<path>.part` is gone on with. Where the hash is not `expected`
 * nothing is kept. Throws when the server refuses, or the hash is another.
 */
export async function download(url: string, path: string, expected: string | null): Promise<string> {
  const part = `${path}.part`;
  await mkdir(dirname(path), { recursive: true });
  const have = await stat(part).then(
    ({ size }) => size,
    () => 0,
  );
  const response = await request(url, have);
  if (!response.ok || response.body === null) throw new Error(`${url} answered ${response.status}`);
  const goesOn = response.status === 206;
  await pipeline(Readable.fromWeb(response.body), createWriteStream(part, { flags: goesOn ? 'a' : 'w' }));
  const sha256 = (await sha256Of(part)) ?? '';
  if (expected !== null && sha256 !== expected) {
    await rm(part);
    throw new Error(`${url} has the SHA-256 ${sha256}, not ${expected}; it was not kept`);
  }
  await rename(part, path);
  return sha256;
}

async function request(url: string, have: number): Promise<Response> {
  if (have === 0) return fetch(url);
  const response = await fetch(url, { headers: { range: `bytes=${have}-` } });
  // The part is whole already, or longer than the file: only the hash can tell, so it is fetched again.
  return response.status === 416 ? fetch(url) : response;
}
