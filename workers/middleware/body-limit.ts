import type { AppContext } from './app-env.ts';

/**
 * Whether the body is longer than `bytesMax`. A declared length is what HTTP framing will deliver; without one the body is read up to
 * the limit, and kept for the handler.
 */
export async function exceedsBodyLimit(c: AppContext, bytesMax: number): Promise<boolean> {
  const declared = c.req.raw.headers.get('content-length');
  if (declared !== null) return Number(declared) > bytesMax;
  const { body } = c.req.raw;
  if (body === null) return false;
  const read = await readUpTo(body, bytesMax);
  if (read === null) return true;
  c.req.raw = new Request(c.req.raw, { body: read });
  return false;
}

async function readUpTo(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<Blob | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return new Blob(chunks);
}
