import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process with the CPU time that it has had. */
interface ProcessTime {
  readonly pid: number;
  readonly parent: number;
  readonly seconds: number;
}

/** Linux counts CPU time in hundredths of a second, whatever the kernel's own tick is. */
const TICKS_PER_S = 100;

/** CPU time in seconds of this process and of all that it has started and that still run; what else the machine does is not in it. */
export function ownCpuSeconds(): number {
  const all = existsSync('/proc/self/stat') ? ofProc() : ofPs();
  const own = new Set([process.pid]);
  for (let size = 0; size < own.size; ) {
    size = own.size;
    for (const { pid, parent } of all) if (own.has(parent)) own.add(pid);
  }
  return all.reduce((sum, { pid, seconds }) => (own.has(pid) ? sum + seconds : sum), 0);
}

function ofProc(): ProcessTime[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((name) => {
      const stat = readStat(name);
      if (stat === null) return [];
      // The name stands in parentheses and may hold any of them.
      const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      const seconds = (Number(fields[11]) + Number(fields[12])) / TICKS_PER_S;
      return [{ pid: Number(name), parent: Number(fields[1]), seconds }];
    });
}

/** Null for a process that has ended meanwhile. */
function readStat(pid: string): string | null {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return null;
  }
}

/** macOS: `pid ppid mm:ss.hh`. */
function ofPs(): ProcessTime[] {
  const lines = execFileSync('ps', ['-A', '-o', 'pid=,ppid=,time='], { encoding: 'utf8' }).trim().split('\n');
  return lines.map((line) => {
    const [pid = '', parent = '', time = ''] = line.trim().split(/\s+/);
    const seconds = time.split(':').reduce((total, part) => total * 60 + Number(part), 0);
    return { pid: Number(pid), parent: Number(parent), seconds };
  });
}
