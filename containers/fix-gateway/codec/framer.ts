import { BODY_BYTES_MAX, SOH } from './fix-message.ts';

/** What is kept of a message that is too long: its header, which says who sent it under which number. */
const HEAD_BYTES_MAX = 4 * 1024;
/** A message of a peer that never ends is given up at this length. */
const BUFFER_BYTES_MAX = 2 * BODY_BYTES_MAX;
const START = '8=';
const LENGTH = `${SOH}9=`;
const TRAILER = `${SOH}10=`;
const CHECK_SUM = new RegExp(`${TRAILER}\\d{3}${SOH}`);
const CHECK_SUM_LENGTH = `${TRAILER}000${SOH}`.length;

/**
 * Cuts a stream into messages by BodyLength(9) and the CheckSum(10) that follows it (FIX 4.4 volume 1, message structure). Where the
 * length is wrong the cut is at the next check sum, so that the message is recognized as garbled and the stream goes on behind it. Of a
 * message whose length is beyond the limit the first bytes are cut, and the rest is passed over to its check sum.
 */
export class Framer {
  #buffer = '';
  #isPassingOver = false;

  /** Takes bytes as latin1 text; returns the messages that are complete. */
  push(bytes: string): string[] {
    this.#buffer += bytes;
    const frames: string[] = [];
    for (;;) {
      const frame = this.#isPassingOver && !this.#passOver() ? null : this.#next();
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
    if (!/^\d+$/.test(digits)) return this.#cut(to);
    if (Number(digits) > BODY_BYTES_MAX) return this.#head();
    const trailer = buffer.indexOf(TRAILER, to + Number(digits));
    if (trailer < 0) return this.#incomplete();
    const end = buffer.indexOf(SOH, trailer + TRAILER.length);
    return end < 0 ? this.#incomplete() : this.#cut(end);
  }

  /** The first fields of a message that is too long. What follows them is noise up to its check sum. */
  #head(): string | null {
    const checkSum = CHECK_SUM.exec(this.#buffer)?.index ?? -1;
    if (checkSum < 0 && this.#buffer.length < HEAD_BYTES_MAX) return this.#incomplete();
    this.#isPassingOver = true;
    const end = checkSum < 0 ? HEAD_BYTES_MAX : Math.min(HEAD_BYTES_MAX, checkSum + 1);
    const frame = this.#buffer.slice(0, this.#buffer.lastIndexOf(SOH, end - 1) + 1);
    this.#buffer = this.#buffer.slice(frame.length - 1);
    return frame;
  }

  /** Whether the check sum of a message that is too long has come. */
  #passOver(): boolean {
    const found = CHECK_SUM.exec(this.#buffer);
    if (found === null) {
      // The last bytes may be part of one.
      this.#buffer = this.#buffer.slice(-CHECK_SUM_LENGTH);
      return false;
    }
    this.#buffer = this.#buffer.slice(found.index + found[0].length);
    this.#isPassingOver = false;
    return true;
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
    if (this.#buffer.length > BUFFER_BYTES_MAX) this.#buffer = '';
    return null;
  }
}
