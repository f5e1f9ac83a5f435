import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';

/** A process as the system lists it. */
export interface ListedProcess {
  readonly pid: number;
  readonly group: number;
  /** When it started, as the system writes it: a process id is given again, with another start. */
  readonly start: string;
  /** Processor time that it has taken, in whatever unit the system counts. */
  readonly used: number;
  readonly command: string;
}

const FIELDS = { state: 0, group: 2, used: [11, 12], start: 19 } as const;

/** All processes that this one may see. Those that have ended and were not waited for are left out. */
export function listProcesses(): ListedProcess[] {
  if (!existsSync('/proc/self/stat')) return listByPs();
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, 'utf8');
      const command = readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ').trim();
      const listed = processOf(Number(name), stat, command);
      return listed === null ? [] : [listed];
    } catch {
      // It has ended meanwhile.
      return [];
    }
  });
}

/** Reads a line of /proc/<pid>/stat; null for a process that has ended. The name in parentheses may have spaces and parentheses of its own. @internal */
export function processOf(pid: number, stat: string, command: string): ListedProcess | null {
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  if (fields[FIELDS.state] === 'Z' || fields[FIELDS.state] === 'X') return null;
  const used = FIELDS.used.reduce((sum, at) => sum + Number(fields[at]), 0);
  return { pid, group: Number(fields[FIELDS.group]), start: fields[FIELDS.start] ?? '', used, command };
}

function listByPs(): ListedProcess[] {
  const printed = execFileSync('ps', ['-axo', 'pid=,pgid=,stat=,time=,lstart=,command='], { encoding: 'utf8' });
  return printed.split('\n').flatMap((line) => {
    const match = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+(\S+\s+\S+\s+\S+\s+\S+\s+\S+)\s+(.*)$/.exec(line);
    if (match === null || match[3]?.startsWith('Z')) return [];
    const used = (match[4] ?? '').split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
    return [{ pid: Number(match[1]), group: Number(match[2]), start: match[5] ?? '', used, command: match[6] ?? '' }];
  });
}
