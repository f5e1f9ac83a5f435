import { closeSync, existsSync, fsyncSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import type { CoSigned } from './co-sign-policy.ts';

/** What the module has signed in its window, in a file of JSON lines. An entry is on disk before its signature leaves. */
export class CoSignLog {
  readonly #path: string;
  readonly #window_ms: number;
  #entries: CoSigned[];

  /** @throws Error where the file is none of it */
  constructor(path: string, window_ms: number, now: number) {
    this.#path = path;
    this.#window_ms = window_ms;
    const lines = existsSync(path) ? readFileSync(path, 'utf8').split('\n') : [];
    // The last line may be half of one: its signature has never left.
    const whole = lines.slice(0, -1).map((line) => JSON.parse(line) as CoSigned);
    this.#entries = whole.filter(({ at }) => now - at < window_ms);
    this.#rewrite();
  }

  /** Those that still count. */
  entries(now: number): readonly CoSigned[] {
    this.#entries = this.#entries.filter(({ at }) => now - at < this.#window_ms);
    return this.#entries;
  }

  add(entry: CoSigned): void {
    append(this.#path, `${JSON.stringify(entry)}\n`);
    this.#entries.push(entry);
  }

  #rewrite(): void {
    const next = `${this.#path}.next`;
    write(next, 'w', this.#entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
    renameSync(next, this.#path);
    const folder = openSync(dirname(this.#path), 'r');
    try {
      fsyncSync(folder);
    } finally {
      closeSync(folder);
    }
  }
}

function append(path: string, text: string): void {
  write(path, 'a', text);
}

function write(path: string, flags: 'a' | 'w', text: string): void {
  const file = openSync(path, flags, 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
