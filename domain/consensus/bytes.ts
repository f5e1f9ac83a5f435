import { createHash } from 'node:crypto';

/** SHA-256 of 32 bytes as 64 lower-case hexadecimal digits. */
export type Hash = string;

const HASH = /^[0-9a-f]{64}$/;
const HASH_BYTES = 32;

export function isHash(text: string): boolean {
  return HASH.test(text);
}

export function sha256(...parts: readonly Uint8Array[]): Uint8Array {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('hex');
}

/** The bytes of an even number of hexadecimal digits. */
export function fromHex(text: string): Uint8Array {
  if (!/^(?:[0-9a-f]{2})*$/.test(text)) throw new TypeError('not lower-case hexadecimal digits');
  return new Uint8Array(Buffer.from(text, 'hex'));
}

const UTF8 = new TextEncoder();
/** A header has some 270 bytes; what has more takes a larger buffer. */
const WRITER_BYTES = 320;

/** Writes what consensus signs and hashes: fixed widths, big-endian, no separators, so that no two values share their bytes. */
export class ByteWriter {
  #buffer = Buffer.allocUnsafe(WRITER_BYTES);
  #length = 0;

  /** A tag of what follows, so that bytes of one kind are never taken for another's. */
  tag(text: string): this {
    return this.#append(UTF8.encode(text));
  }

  u32(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) throw new RangeError(`${value} is no u32`);
    const at = this.#room(4);
    this.#buffer.writeUInt32BE(value, at);
    return this;
  }

  u64(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no safe unsigned integer`);
    const at = this.#room(8);
    this.#buffer.writeUInt32BE(Math.floor(value / 0x1_0000_0000), at);
    this.#buffer.writeUInt32BE(value % 0x1_0000_0000, at + 4);
    return this;
  }

  hash(hash: Hash): this {
    if (!isHash(hash)) throw new TypeError('not a SHA-256 hash');
    const at = this.#room(HASH_BYTES);
    this.#buffer.write(hash, at, HASH_BYTES, 'hex');
    return this;
  }

  /** Bytes of any length, behind their length. */
  bytes(bytes: Uint8Array): this {
    return this.u32(bytes.length).#append(bytes);
  }

  end(): Uint8Array<ArrayBuffer> {
    return new Uint8Array(this.#buffer.subarray(0, this.#length));
  }

  #append(bytes: Uint8Array): this {
    const at = this.#room(bytes.length);
    this.#buffer.set(bytes, at);
    return this;
  }

  /** @returns where so many bytes more have room */
  #room(bytes: number): number {
    const at = this.#length;
    this.#length += bytes;
    if (this.#length > this.#buffer.length) {
      const larger = Buffer.allocUnsafe(2 * this.#length);
      larger.set(this.#buffer.subarray(0, at));
      this.#buffer = larger;
    }
    return at;
  }
}
