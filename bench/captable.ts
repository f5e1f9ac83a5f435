/**
 * `npm run bench:captable`: a register of 25,000, 50,000 and 100,000 holders, each imported in one request, and one in fifty with an account: import, all pages of
 * holders now and as of a moment, the shareholder register report, a dividend for all of them, a 3-for-2 split. Time a holder at each size: linear growth is one
 * that stays. The floor is the same rows as JSON into one table of the same D1.
 */
import { printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const SIZES = (process.env.CAPTABLE_SIZES ?? sized('25000,50000,100000', '200')).split(',').map(Number);
const HOLDERS_PER_ACCOUNT = 50;
const STEP_WAIT_MS = 600_000;

const worker = await startWorker('bench/workers/captable.toml', { log: () => {} });

async function ask<Value>(path: string, query: Readonly<Record<string, string | number>> = {}): Promise<Value> {
  const url = new URL(path, worker.url);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, String(value));
  const response = await fetch(url, { signal: AbortSignal.timeout(STEP_WAIT_MS) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${(await response.text()).slice(0, 500)}`);
  return ((await response.json()) as { value: Value }).value;
}

/** Microseconds a holder. */
async function timed(path: string, query: Readonly<Record<string, string | number>>, holders: number): Promise<number> {
  const started = performance.now();
  await ask(path, query);
  const taken = ((performance.now() - started) * 1_000) / holders;
  console.error(`${path} of ${holders}: ${taken.toFixed(1)} us a holder`);
  return taken;
}

try {
  await ask('/setup');
  const steps: Record<string, number[]> = {};
  for (const [at, rows] of [1_000, ...SIZES].entries()) {
    const symbol = `CAP${at}`;
    const accounts = Math.floor(rows / HOLDERS_PER_ACCOUNT);
    const security = await ask<string>('/list', { symbol, accounts });
    const taken: Record<string, number> = {};
    taken['plain rows'] = await timed('/plain', { rows }, rows);
    taken.import = await timed('/import', { security, rows }, rows);
    const asOf = Date.now();
    await ask('/import-accounts', { security, symbol, rows: accounts });
    const holders = rows + accounts;
    taken['holders, all pages'] = await timed('/holders', { security }, holders);
    taken['holders as of'] = await timed('/holders-as-of', { security, at: asOf }, rows);
    taken['shareholder register'] = await timed('/report', { security }, holders);
    taken.dividend = await timed('/dividend', { security }, holders);
    taken.split = await timed('/split', { security }, holders);
    // The smallest warms up.
    if (at > 0) for (const [step, us] of Object.entries(taken)) steps[step] = [...(steps[step] ?? []), us];
  }
  const growthOf = (step: string): number => (steps[step]?.at(-1) ?? 0) / (steps[step]?.[0] ?? 1);
  const last = (step: string): number => steps[step]?.at(-1) ?? 0;
  printReport({
    bench: 'captable',
    ratio: last('plain rows') / last('import'),
    table: Object.entries(steps).map(([step, us]) => ({
      step,
      ...Object.fromEntries(SIZES.map((size, at) => [`us a holder, ${size}`, us[at] ?? 0])),
      growth: Number(growthOf(step).toFixed(2)),
    })),
    figures: Object.fromEntries(
      Object.keys(steps).flatMap((step) => [
        [`${step}_us`.replaceAll(/[ ,]+/g, '_'), Math.round(last(step))],
        [`${step}_growth`.replaceAll(/[ ,]+/g, '_'), Number(growthOf(step).toFixed(2))],
      ]),
    ),
  });
} finally {
  await worker.stop();
}
