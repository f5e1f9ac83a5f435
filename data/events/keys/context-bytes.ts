/**
 * Parts in one sequence of bytes that no other parts give: each with its length in front.
 *
 * @example contextBytes(['ab', 'c']) // differs from contextBytes(['a', 'bc'])
 */
export function contextBytes(parts: readonly (string | Uint8Array)[]): Uint8Array<ArrayBuffer> {
  const encoder = new TextEncoder();
  const encoded = parts.map((part) => (typeof part === 'string' ? encoder.encode(part) : part));
  const bytes = new Uint8Array(encoded.reduce((total, part) => total + LENGTH_BYTES + part.length, 0));
  const view = new DataView(bytes.buffer);
  let at = 0;
  for (const part of encoded) {
    view.setUint32(at, part.length);
    bytes.set(part, at + LENGTH_BYTES);
    at += LENGTH_BYTES + part.length;
  }
  return bytes;
}

const LENGTH_BYTES = 4;
