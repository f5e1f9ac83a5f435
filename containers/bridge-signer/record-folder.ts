import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { RecordChange, RecordKind, SignerMemory } from '../../domain/bridge/signing/memory/signer-memory.ts';

const SUFFIX = '.record';
const LOCK = 'lock';

/**
 * A signer's memory in a folder that nobody else may read, a file a record. Each change is on disk before the next begins: written beside its file, and put in its place.
 * One process at a time has it: two would give two shares for the same nonces.
 */
export class RecordFolder implements SignerMemory {
  readonly #path: string;

  /** @throws Error where another process has the folder */
  constructor(path: string) {
    this.#path = path;
    mkdirSync(path, { recursive: true, mode: 0o700 });
    takeLock(join(path, LOCK));
  }

  read(kind: RecordKind, id: string): string | null {
    const path = this.#file(kind, id);
    return existsSync(path) ? readFileSync(path, 'utf8') : null;
  }

  ids(kind: RecordKind): readonly string[] {
    const folder = join(this.#path, kind);
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder).filter((name) => name.endsWith(SUFFIX));
    return names.map((name) => decodeURIComponent(name.slice(0, -SUFFIX.length)));
  }

  write(changes: readonly RecordChange[]): void {
    for (const { kind, id, text } of changes) {
      const folder = join(this.#path, kind);
      if (!existsSync(folder)) {
        mkdirSync(folder, { mode: 0o700 });
        syncFolder(this.#path);
      }
      const path = this.#file(kind, id);
      if (text === null) rmSync(path, { force: true });
      else writeInPlace(path, text);
      syncFolder(folder);
    }
  }

  /** Gives the folder up. */
  close(): void {
    unlinkSync(join(this.#path, LOCK));
  }

  #file(kind: RecordKind, id: string): string {
    return join(this.#path, kind, `${encodeURIComponent(id)}${SUFFIX}`);
  }
}

function writeInPlace(path: string, text: string): void {
  const next = `${path}.next`;
  const file = openSync(next, 'w', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(next, path);
}

function syncFolder(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Holds the number of the process that has the folder. One that a killed process left is taken over. */
function takeLock(path: string): void {
  for (const isLast of [false, true]) {
    try {
      const file = openSync(path, 'wx', 0o600);
      writeSync(file, String(process.pid));
      closeSync(file);
      return;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST' || isLast) throw error;
      const holder = Number(readFileSync(path, 'utf8'));
      if (holder !== process.pid && isRunning(holder)) throw new Error(`process ${holder} has the signer’s memory`);
      unlinkSync(path);
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
