import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { PATHS } from '../local/paths.ts';
import { busyTime_ms, type CpuProfile } from './busy-time.ts';
import { runWrangler } from './run-wrangler.ts';

const PROFILE = join(PATHS.root, '.wrangler', 'startup.cpuprofile');

/**
 * Time, in milliseconds, that workerd is busy with the start of the Worker on this machine. Other work on the machine can only lengthen a
 * measurement, so the shortest counts: it is repeated, `attempts` times at most, until one is within `enough_ms`.
 *
 * @param bundle as `wrangler deploy --outfile` writes it
 */
export function measureStartup(bundle: string, enough_ms: number, attempts: number): number {
  let shortest_ms = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= attempts && shortest_ms > enough_ms; attempt++) {
    rmSync(PROFILE, { force: true });
    runWrangler('check', 'startup', `--outfile=${PROFILE}`, `--worker=${bundle}`);
    const profile = JSON.parse(readFileSync(PROFILE, 'utf8')) as CpuProfile;
    shortest_ms = Math.min(shortest_ms, Math.round(busyTime_ms(profile)));
  }
  return shortest_ms;
}
