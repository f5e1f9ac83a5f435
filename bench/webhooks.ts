/**
 * `npm run bench:webhooks [-- --ordering security]`: trades that are told to a hundred endpoints of ten listers, of which one always fails and one never answers. First how many
 * deliveries a second arrive, from the trades' orders on, against a plain loop of requests with as large a body to the same receivers. Then how long a delivery
 * takes from its trade's order on, one trade at a time, with and without the sick endpoints. `--profile`: where a round of deliveries spends the Worker's time, and nothing else.
 */
import { setTimeout as wait } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ORDERINGS } from '../domain/webhooks/ordering.ts';
import { median, printReport } from './report.ts';
import { profiled } from './runtime/cpu-profile.ts';
import { spawnServer } from './runtime/spawn-server.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const LISTERS = sized(10, 3);
const ENDPOINTS_EACH = sized(10, 2);
const ROUNDS = sized(3, 1);
/** Of each security in a round. */
const TRADES = sized(20, 2);
const SINGLE_TRADES = sized(100, 4);
const SINGLE_EVERY_MS = 50;
const ARRIVAL_WAIT_MS = 120_000;
/** Of a trade.executed with all its parties. */
const BODY_BYTES = 2_900;

const INSPECTOR_PORT = 9_377;
const PROFILE_LINES = 40;

interface Taken {
  readonly count: number;
  readonly times: readonly (readonly [id: string, times: readonly number[]])[];
}

const { values } = parseArgs({
  options: { ordering: { type: 'string', default: 'none' }, smoke: { type: 'boolean' }, profile: { type: 'boolean' } },
});
const ordering = ORDERINGS.find((each) => each === values.ordering);
if (ordering === undefined) throw new Error(`--ordering is one of ${ORDERINGS.join(', ')}`);

const receiver = await spawnServer('bench/webhooks/receiver.ts');
const receiverUrl = `http://${receiver.address}`;
const worker = await startWorker('bench/workers/webhooks.toml', {
  log: () => {},
  ...(values.profile === true ? { inspectorPort: INSPECTOR_PORT } : {}),
});

async function ask(path: string, body: object = {}): Promise<void> {
  const init = { method: 'POST', body: JSON.stringify(body), signal: AbortSignal.timeout(ARRIVAL_WAIT_MS) };
  const response = await fetch(new URL(path, worker.url), init);
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
}

const taken = async (path: string): Promise<Taken> => (await (await fetch(`${receiverUrl}${path}`)).json()) as Taken;

async function arrived(count: number): Promise<void> {
  const until = Date.now() + ARRIVAL_WAIT_MS;
  for (;;) {
    const { count: there } = await taken('/taken/count');
    if (there >= count) return;
    if (Date.now() > until) throw new Error(`${there} of ${count} deliveries arrived`);
    await wait(5);
  }
}

let seed = 0;
const trade = (lister: number, trades: number) => ask(`/trade?symbol=W${lister}-USD&trades=${trades}&seed=${++seed}`);
const forget = () => fetch(`${receiverUrl}/taken`, { method: 'DELETE' });

/** Deliveries a second that arrive, from the first order of their trades to the last of them. */
async function burst(healthy: number, trades: number): Promise<number> {
  await forget();
  const started = performance.now();
  await Promise.all(Array.from({ length: LISTERS }, (_, lister) => trade(lister, trades)));
  await arrived(healthy * trades);
  return (healthy * trades * 1_000) / (performance.now() - started);
}

async function plainLoop(urls: readonly string[], each: number): Promise<number> {
  await forget();
  const started = performance.now();
  await ask('/plain', { urls, each, body: 'x'.repeat(BODY_BYTES) });
  await arrived(urls.length * each);
  return (urls.length * each * 1_000) / (performance.now() - started);
}

/** Milliseconds from each trade's order to each of its deliveries, trades of these listers in turn. */
async function latencies(listers: readonly number[], healthyOf: (lister: number) => number): Promise<number[]> {
  await forget();
  const placed: number[] = [];
  let expected = 0;
  for (let at = 0; at < SINGLE_TRADES; at++) {
    const lister = listers[at % listers.length] ?? 0;
    placed.push(Date.now());
    await trade(lister, 1);
    expected += healthyOf(lister);
    await wait(SINGLE_EVERY_MS);
  }
  await arrived(expected);
  const { times } = await taken('/taken');
  const byTrade = times.toSorted(([one], [other]) => (one < other ? -1 : 1));
  if (byTrade.length !== placed.length) throw new Error(`${byTrade.length} events of ${placed.length} trades`);
  return byTrade.flatMap(([, each], at) => each.map((time) => time - (placed[at] ?? 0)));
}

const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil((values.length * percent) / 100) - 1] ?? 0;

try {
  // One endpoint of the first lister fails, one of the second hangs.
  const kindOf = (lister: number, endpoint: number) => (endpoint > 0 || lister > 1 ? 'ok' : ['fail', 'hang'][lister]);
  const urls = Array.from({ length: LISTERS }, (_, lister) =>
    Array.from({ length: ENDPOINTS_EACH }, (_, at) => `${receiverUrl}/${kindOf(lister, at)}/${lister}-${at}`),
  );
  const healthyUrls = urls.flat().filter((url) => url.includes('/ok/'));
  await ask('/setup', { urls, ordering });
  await burst(healthyUrls.length, 2);
  await (values.profile === true ? profileOf(healthyUrls.length) : compare(healthyUrls));
} finally {
  await worker.stop();
  await receiver.stop();
}

async function profileOf(healthy: number): Promise<void> {
  const lines = await profiled(INSPECTOR_PORT, async () => {
    await burst(healthy, TRADES);
  });
  for (const { name, ms, share } of lines.slice(0, PROFILE_LINES))
    console.log(`${(ms / healthy / TRADES).toFixed(4)} ms a delivery, ${(100 * share).toFixed(1)} %: ${name}`);
}

async function compare(healthyUrls: readonly string[]): Promise<void> {
  await plainLoop(healthyUrls, 5);
  const [delivered, plain]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round++) {
    delivered.push(await burst(healthyUrls.length, TRADES));
    plain.push(await plainLoop(healthyUrls, TRADES));
  }
  const well = await latencies(
    Array.from({ length: LISTERS - 2 }, (_, at) => at + 2),
    () => ENDPOINTS_EACH,
  );
  const beside = await latencies([0, 1], () => ENDPOINTS_EACH - 1);
  const ratio = median(delivered) / median(plain);
  const line = (of: string, values: readonly number[]) => ({
    of,
    'p50 ms': percentile(values, 50),
    'p99 ms': percentile(values, 99),
  });
  printReport({
    bench: ordering === 'none' ? 'webhooks' : `webhooks, ordering ${ordering}`,
    ratio,
    table: [
      { of: 'deliveries', 'events/s': median(delivered), ratio: Number(ratio.toFixed(2)) },
      { of: 'plain loop', 'events/s': median(plain) },
      line('trade to delivery', well),
      line('beside sick endpoints', beside),
    ],
    figures: {
      delivered_per_s: Math.round(median(delivered)),
      plain_per_s: Math.round(median(plain)),
      p50_ms: percentile(well, 50),
      p99_ms: percentile(well, 99),
      beside_sick_p50_ms: percentile(beside, 50),
      beside_sick_p99_ms: percentile(beside, 99),
    },
  });
}
