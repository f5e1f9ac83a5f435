import { closeSync, openSync, writeSync } from 'node:fs';
import type { RecordingHeader, RecordingLine } from './recording.ts';

/** Writes a recording line by line: what it holds, each entry, and the state hash that replaying it must give. */
export class RecordingWriter {
  readonly #file: number;
  #buffered: string[] = [];

  constructor(path: string) {
    this.#file = openSync(path, 'w');
  }

  begin(header: RecordingHeader): void {
    this.#put(header);
  }

  write(line: RecordingLine): void {
    this.#put(line);
  }

  end(stateHash: string): void {
    this.#put({ stateHash });
    this.#flush();
    closeSync(this.#file);
  }

  #put(line: object): void {
    this.#buffered.push(JSON.stringify(line));
    if (this.#buffered.length >= BUFFERED_LINES_MAX) this.#flush();
  }

  #flush(): void {
    if (this.#buffered.length > 0) writeSync(this.#file, `${this.#buffered.join('\n')}\n`);
    this.#buffered = [];
  }
}

const BUFFERED_LINES_MAX = 1_000;
