/** A face as it stands in a block. */
export interface BlockEntry {
  readonly faceId: string;
  readonly subject: string | null;
  readonly embedding: Float32Array;
}

/** Vectors that are sealed and opened together: the smaller, the less is opened for a candidate; the larger, the quicker a load. */
export const BLOCK_VECTORS = 64;

/**
 * A block's plaintext, little-endian: number of vectors and their width (u32 each), the vectors (float32), where each face id and each
 * subject ends in the text behind (u32 by turns), and the text in UTF-8. A face that belongs to none has an empty subject.
 */
export function encodeBlock(entries: readonly BlockEntry[], dimensions: number): Uint8Array<ArrayBuffer> {
  const texts = entries.flatMap(({ faceId, subject }) => [encoder.encode(faceId), encoder.encode(subject ?? '')]);
  const endsAt = HEAD_BYTES + entries.length * dimensions * 4;
  const textAt = endsAt + texts.length * 4;
  const bytes = new Uint8Array(textAt + texts.reduce((total, text) => total + text.length, 0));
  new Uint32Array(bytes.buffer, 0, 2).set([entries.length, dimensions]);
  for (const [at, { embedding }] of entries.entries()) {
    new Float32Array(bytes.buffer, HEAD_BYTES + at * dimensions * 4, dimensions).set(embedding);
  }
  const ends = new Uint32Array(bytes.buffer, endsAt, texts.length);
  let end = 0;
  for (const [at, text] of texts.entries()) {
    bytes.set(text, textAt + end);
    end += text.length;
    ends[at] = end;
  }
  return bytes;
}

/** A block's plaintext, read where it lies. */
export class OpenedBlock {
  readonly size: number;
  readonly byteLength: number;
  readonly #bytes: Uint8Array<ArrayBuffer>;
  readonly #dimensions: number;
  readonly #ends: Uint32Array;
  readonly #textAt: number;

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    const [size, dimensions] = new Uint32Array(bytes.buffer, bytes.byteOffset, 2) as unknown as [number, number];
    const endsAt = HEAD_BYTES + size * dimensions * 4;
    this.#bytes = bytes;
    this.#dimensions = dimensions;
    this.#ends = new Uint32Array(bytes.buffer, bytes.byteOffset + endsAt, size * 2);
    this.#textAt = endsAt + size * 8;
    this.size = size;
    this.byteLength = bytes.byteLength;
  }

  embedding(at: number): Float32Array {
    const offset = this.#bytes.byteOffset + HEAD_BYTES + at * this.#dimensions * 4;
    return new Float32Array(this.#bytes.buffer, offset, this.#dimensions);
  }

  faceId(at: number): string {
    return decoder.decode(this.faceIdBytes(at));
  }

  subject(at: number): string | null {
    const bytes = this.subjectBytes(at);
    return bytes.length === 0 ? null : decoder.decode(bytes);
  }

  faceIdBytes(at: number): Uint8Array {
    return this.#text(at * 2);
  }

  subjectBytes(at: number): Uint8Array {
    return this.#text(at * 2 + 1);
  }

  entries(): BlockEntry[] {
    return Array.from({ length: this.size }, (_, at) => ({
      faceId: this.faceId(at),
      subject: this.subject(at),
      embedding: this.embedding(at),
    }));
  }

  #text(index: number): Uint8Array {
    const start = index === 0 ? 0 : this.#ends[index - 1]!;
    return this.#bytes.subarray(this.#textAt + start, this.#textAt + this.#ends[index]!);
  }
}

const HEAD_BYTES = 8;
const encoder = new TextEncoder();
const decoder = new TextDecoder();
