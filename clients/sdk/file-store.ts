/// <reference types="node" />
import { linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename, dirname, join } from 'node:path';
import type { AlgorithmState } from './algorithms/algorithm.ts';
import type { Kept, StateStore } from './algorithms/lease.ts';

const HOLDER = /^(.+) process (\d+) ([0-9a-f-]+)$/;
/** Holders of this process. A process before this one may have had the same number. */
const running = new Set<string>();

/**
 * Keeps a run in files of one folder, `<path>.<version>`; the greatest version counts. A version is made whole under another name and gets its own by a
 * hard link, which only the first one gets. So no lock is left behind: the lease stands in the file, and ends with its time, or at once where its
 * process runs on this machine no more.
 */
export function fileStore<S extends AlgorithmState>(path: string): StateStore<S> {
  const folder = dirname(path);
  const name = basename(path);
  let ours: string | null = null;
  const versions = () =>
    readdirSync(folder).flatMap((file) => {
      const digits = file.startsWith(`${name}.`) ? file.slice(name.length + 1) : '';
      return /^[1-9]\d*$/.test(digits) ? [Number(digits)] : [];
    });
  const fileOf = (version: number) => join(folder, `${name}.${version}`);
  return {
    holder: `${hostname()} process ${process.pid}`,
    async read() {
      for (;;) {
        const version = Math.max(0, ...versions());
        if (version === 0) return null;
        try {
          return { kept: JSON.parse(readFileSync(fileOf(version), 'utf8')) as Kept<S>, version };
        } catch (error) {
          // The next version has taken its place.
          if (!isCode(error, 'ENOENT')) throw error;
        }
      }
    },
    async swap(version, next) {
      const made = join(folder, `${name}.${crypto.randomUUID()}.new`);
      try {
        writeFileSync(made, JSON.stringify(next), { flush: true });
        linkSync(made, fileOf(version + 1));
      } catch (error) {
        if (isCode(error, 'EEXIST')) return false;
        throw error;
      } finally {
        rmSync(made, { force: true });
      }
      const others = versions().filter((other) => other !== version + 1);
      // The name was free again because later versions have taken its place.
      if (others.some((other) => other > version)) {
        rmSync(fileOf(version + 1), { force: true });
        return false;
      }
      for (const old of others) rmSync(fileOf(old), { force: true });
      if (ours !== null) running.delete(ours);
      ours = next.lease?.holder ?? null;
      if (ours !== null) running.add(ours);
      return true;
    },
    isGone(other) {
      const [, host, pid] = HOLDER.exec(other) ?? [];
      if (host !== hostname()) return false;
      return Number(pid) === process.pid ? !running.has(other) : !isAlive(Number(pid));
    },
  };
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return !isCode(error, 'ESRCH');
  }
}

function isCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
