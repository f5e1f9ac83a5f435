import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';

const FLOAT_BYTES = 4;

/**
 * An embedding as the container sends it: base64 of little-endian float32, as wide as its model says.
 *
 * @throws for anything else, which is a defect of the container's
 */
export function decodeEmbedding(text: string, { dimensions }: EmbeddingModel): Float32Array {
  const binary = atob(text);
  if (binary.length !== dimensions * FLOAT_BYTES) throw new Error('an embedding is not as wide as its model');
  const bytes = Uint8Array.from(binary, (char) => char.charCodeAt(0));
  const embedding = new Float32Array(bytes.buffer);
  if (!embedding.every(Number.isFinite)) throw new Error('an embedding is not finite');
  return embedding;
}
