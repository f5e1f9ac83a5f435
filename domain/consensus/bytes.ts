import { createHash } from 'node:crypto';

/** SHA-256 of 32 bytes as 64 lower-case hexadecimal digits. */
export type Hash = string;

const HASH = /^[0-9a-f]{64}$/;

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
  return Uint8Array.from(Buffer.from(text, 'hex'));
}

/** Writes what consensus signs and hashes: fixed widths, big-endian, no separators, so that no two values share their bytes. */
export class ByteWriter {
  readonly #parts: Uint8Array[] = [];

  /** A tag of what follows, so that bytes of one kind are never taken for another's. */
  tag(text: string): this {
    this.#parts.push(new TextEncoder().encode(text));
    return this;
  }

  u32(value: number): this {
    if (!Number.isInteger(value) || value < 0 || value > 0xffff_ffff) throw new RangeError(`${value} is no u32`);
    const bytes = new Uint8Array(4);
    new DataView(bytes.buffer).setUint32(0, value);
    this.#parts.push(bytes);
    return this;
  }

  u64(value: number): this {
    if (!Number.isSafeInteger(value) || value < 0) throw new RangeError(`${value} is no safe unsigned integer`);
    const bytes = new Uint8Array(8);
    new DataView(bytes.buffer).setBigUint64(0, BigInt(value));
    this.#parts.push(bytes);
    return this;
  }

  hash(hash: Hash): this {
    if (!isHash(hash)) throw new TypeError('not a SHA-256 hash');
    this.#parts.push(fromHex(hash));
    return this;
  }

  /** Bytes of any length, behind their length. */
  bytes(bytes: Uint8Array): this {
    this.u32(bytes.length);
    this.#parts.push(bytes);
    return this;
  }

  end(): Uint8Array<ArrayBuffer> {
    const all = new Uint8Array(this.#parts.reduce((sum, { length }) => sum + length, 0));
    let at = 0;
    for (const part of this.#parts) {
      all.set(part, at);
      at += part.length;
    }
    return all;
  }
}
