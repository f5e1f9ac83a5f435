import type { IncomingMessage } from 'node:http';

export type Body =
  | { readonly is: 'whole'; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly is: 'too_large' }
  /** The client went away before its end. */
  | { readonly is: 'cut' };

/** Reads a request's body into a buffer of its own, which can be moved to a worker; stops at `bytes_max`, whatever the length says. */
export async function readBody(request: IncomingMessage, bytes_max: number): Promise<Body> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) > bytes_max) return { is: 'too_large' };
  const chunks: Buffer[] = [];
  let length = 0;
  try {
    // Left open, because the refusal is still to be sent over it.
    for await (const chunk of request.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>) {
      length += chunk.length;
      if (length > bytes_max) return { is: 'too_large' };
      chunks.push(chunk);
    }
  } catch {
    return { is: 'cut' };
  }
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, at);
    at += chunk.length;
  }
  return { is: 'whole', bytes };
}
