import type { EmbeddingModel } from '../../../protocol/inference/wire.ts';

const FLOAT_BYTES = 4;

/**
 * An embedding as the container sends it: base64 of little-endian float32, as wide as its model says.
 *
 * @throws for anything else, which is a defect of the container's
 */
export function decodeEmbedding(text: string, { dimensions }: EmbeddingModel): Float32Array {
  const embedding = embeddingValues(text);
  if (embedding.length !== dimensions) throw new Error('an embedding is not as wide as its model');
  if (!embedding.every(Number.isFinite)) throw new Error('an embedding is not finite');
  return embedding;
}

/** Its components, however many there are. */
export function embeddingValues(text: string): Float32Array {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  if (bytes.length % FLOAT_BYTES !== 0) throw new Error('an embedding is no list of float32');
  return new Float32Array(bytes.buffer);
}
