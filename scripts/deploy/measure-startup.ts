import { join } from 'node:path';
import { PATHS } from '../local/paths.ts';
import { runWrangler } from './run-wrangler.ts';

const ACTIVE = /Active: ([\d.]+) ms/;

/**
 * CPU time, in milliseconds, that the Worker takes to start in workerd on this machine. Other work on the machine can only lengthen a
 * measurement, so the shortest counts: it is repeated, `attempts` times at most, until one is within `enough_ms`.
 */
export function measureStartup(enough_ms: number, attempts: number): number {
  let shortest_ms = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= attempts && shortest_ms > enough_ms; attempt++) {
    const printed = runWrangler(
      'check',
      'startup',
      `--outfile=${join(PATHS.root, '.wrangler', 'startup.cpuprofile')}`,
      '--args=--containers-rollout=none',
    );
    const active = ACTIVE.exec(printed)?.[1];
    if (active === undefined) throw new Error(`wrangler check startup names no CPU time:\n${printed}`);
    shortest_ms = Math.min(shortest_ms, Number(active));
  }
  return shortest_ms;
}
