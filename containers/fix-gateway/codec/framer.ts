import { SOH } from './fix-message.ts';

/** A message of a peer that never ends is given up at this length. */
const BYTES_MAX = 1024 * 1024;
const LENGTH_DIGITS_MAX = 9;
const START = '8=';
const LENGTH = `${SOH}9=`;
const TRAILER = `${SOH}10=`;

/**
 * Cuts a stream into messages by BodyLength(9) and the CheckSum(10) that follows it (FIX 4.4 volume 1, message structure). Where the
 * length is wrong the cut is at the next check sum, so that the message is recognized as garbled and the stream goes on behind it.
 */
export class Framer {
  #buffer = '';

  /** Takes bytes as latin1 text; returns the messages that are complete. */
  push(bytes: string): string[] {
    this.#buffer += bytes;
    const frames: string[] = [];
    for (;;) {
      const frame = this.#next();
      if (frame === null) return frames;
      frames.push(frame);
    }
  }

  #next(): string | null {
    this.#skipToStart();
    const buffer = this.#buffer;
    const tag = buffer.indexOf(LENGTH);
    if (tag < 0) return this.#incomplete();
    const from = tag + LENGTH.length;
    const to = buffer.indexOf(SOH, from);
    if (to < 0) return this.#incomplete();
    const digits = buffer.slice(from, to);
    if (!/^\d+$/.test(digits) || digits.length > LENGTH_DIGITS_MAX || Number(digits) > BYTES_MAX) return this.#cut(to);
    const trailer = buffer.indexOf(TRAILER, to + Number(digits));
    if (trailer < 0) return this.#incomplete();
    const end = buffer.indexOf(SOH, trailer + TRAILER.length);
    return end < 0 ? this.#incomplete() : this.#cut(end);
  }

  /** A message starts at the start of the stream or of a field; what stands before it is noise. */
  #skipToStart(): void {
    if (this.#buffer.startsWith(START)) return;
    const at = this.#buffer.indexOf(SOH + START);
    // The last bytes may be half of a start.
    this.#buffer = at < 0 ? this.#buffer.slice(-START.length) : this.#buffer.slice(at + 1);
  }

  #cut(end: number): string {
    const frame = this.#buffer.slice(0, end + 1);
    this.#buffer = this.#buffer.slice(end + 1);
    return frame;
  }

  #incomplete(): null {
    if (this.#buffer.length > 2 * BYTES_MAX) this.#buffer = '';
    return null;
  }
}
