import { join } from 'node:path';
import { PATHS } from '../local/paths.ts';
import { runWrangler } from './run-wrangler.ts';

const ACTIVE = /Active: ([\d.]+) ms/;

/**
 * Time, in milliseconds, that workerd is busy with the start of the Worker on this machine. Other work on the machine can only lengthen a
 * measurement, so the shortest counts: it is repeated, `attempts` times at most, until one is within `enough_ms`.
 *
 * @param bundle as `wrangler deploy --outfile` writes it
 */
export function measureStartup(bundle: string, enough_ms: number, attempts: number): number {
  let shortest_ms = Number.POSITIVE_INFINITY;
  for (let attempt = 1; attempt <= attempts && shortest_ms > enough_ms; attempt++) {
    const printed = runWrangler(
      'check',
      'startup',
      `--outfile=${join(PATHS.root, '.wrangler', 'startup.cpuprofile')}`,
      `--worker=${bundle}`,
    );
    const active = ACTIVE.exec(printed)?.[1];
    if (active === undefined) throw new Error(`wrangler check startup names no time:\n${printed}`);
    shortest_ms = Math.min(shortest_ms, Number(active));
  }
  return shortest_ms;
}
