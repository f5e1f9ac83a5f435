/**
 * `npm run bench:consensus`: blocks a second that a committee of 20 in one object makes final, sustained for 30 s, every vote stored before it is given, and one whose
 * members are 20 objects; how long one block takes from its journal row to its certificate; all beside a chain of the same blocks that one key signs, by turns. Timed from outside.
 */
import { percentile } from './load.ts';
import { printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const SUSTAINED_MS = Number(process.env.CONSENSUS_SECONDS ?? sized(30, 1)) * 1_000;
const SERIAL_BLOCKS = Number(process.env.CONSENSUS_BLOCKS ?? sized(300, 3));
const CALL_WAIT_MS = 60_000;

const worker = await startWorker('bench/workers/consensus.toml', { log: () => {} });

type Chain = 'embedded' | 'objects' | 'single';

/** Blocks of one call: some tenth of a second each. */
const CALL_BLOCKS: Readonly<Record<Chain, number>> = sized(
  { embedded: 500, objects: 500, single: 500 },
  { embedded: 20, objects: 4, single: 20 },
);

/** Milliseconds until so many more blocks are final. */
async function finalize(chain: Chain, blocks: number): Promise<number> {
  const started = performance.now();
  const url = new URL(`/${chain}?blocks=${blocks}`, worker.directUrl);
  const response = await fetch(url, { signal: AbortSignal.timeout(CALL_WAIT_MS) });
  if (!response.ok) throw new Error(`${chain}: ${response.status} ${(await response.text()).slice(0, 300)}`);
  await response.text();
  return performance.now() - started;
}

try {
  const chains: readonly Chain[] = ['embedded', 'objects', 'single'];
  for (const chain of chains) await finalize(chain, CALL_BLOCKS[chain]);
  const spent: Record<Chain, number> = { embedded: 0, objects: 0, single: 0 };
  const made: Record<Chain, number> = { embedded: 0, objects: 0, single: 0 };
  while (spent.embedded < SUSTAINED_MS) {
    for (const chain of chains) {
      spent[chain] += await finalize(chain, CALL_BLOCKS[chain]);
      made[chain] += CALL_BLOCKS[chain];
    }
  }
  const sorted = (times: readonly number[]) => times.toSorted((one, other) => one - other);
  const rate = (chain: Chain) => (made[chain] * 1_000) / spent[chain];
  const serial: Record<Chain, number[]> = { embedded: [], objects: [], single: [] };
  for (let block = 0; block < SERIAL_BLOCKS; block++)
    for (const chain of chains) serial[chain].push(await finalize(chain, 1));
  const times = { embedded: sorted(serial.embedded), objects: sorted(serial.objects), single: sorted(serial.single) };
  printReport({
    bench: 'consensus',
    ratio: rate('embedded') / rate('single'),
    table: chains.map((chain) => ({
      chain,
      'blocks/s': rate(chain),
      blocks: made[chain],
      'one block p50 ms': percentile(times[chain], 50),
      'one block p99 ms': percentile(times[chain], 99),
    })),
    figures: Object.fromEntries(
      chains.flatMap((chain) => [
        [`${chain}_blocks_per_s`, Math.round(rate(chain))],
        [`${chain}_p50_ms`, percentile(times[chain], 50)],
        [`${chain}_p99_ms`, percentile(times[chain], 99)],
      ]),
    ),
  });
} finally {
  await worker.stop();
}
