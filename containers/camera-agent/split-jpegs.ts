const MARKER = 0xff;
const START = 0xd8;
const END = 0xd9;

/**
 * Cuts a stream of concatenated JPEG files, as ffmpeg's image2pipe writes them, into files. Within the entropy-coded data of a JPEG
 * 0xFF is followed by 0x00 or a restart marker (ITU-T T.81, B.1.1.5), so the end marker cannot stand in it; ffmpeg's encoder writes no
 * thumbnails, in whose header it could.
 */
export class JpegSplitter {
  readonly #bytesMax: number;
  #rest: Uint8Array = new Uint8Array(0);
  /** Bytes of `#rest` that are known to hold no end marker. */
  #searched = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** The files that are whole with this chunk. Throws when the stream is no JPEG stream, or a file exceeds the limit. */
  push(chunk: Uint8Array): Uint8Array[] {
    const bytes = new Uint8Array(this.#rest.length + chunk.length);
    bytes.set(this.#rest);
    bytes.set(chunk, this.#rest.length);
    const files: Uint8Array[] = [];
    let start = 0;
    let at = Math.max(2, this.#searched);
    for (; at + 1 < bytes.length; at++) {
      if (at === start + 2 && (bytes[start] !== MARKER || bytes[start + 1] !== START))
        throw new Error('the stream does not start with a JPEG');
      if (bytes[at] !== MARKER || bytes[at + 1] !== END) continue;
      files.push(bytes.slice(start, at + 2));
      start = at + 2;
      at = start + 1;
    }
    this.#rest = bytes.slice(start);
    this.#searched = Math.max(0, at - start);
    if (this.#rest.length > this.#bytesMax) throw new Error(`a frame has more than ${this.#bytesMax} bytes`);
    return files;
  }
}
