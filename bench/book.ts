import { median, printReport } from './report.ts';
import { profiled } from './runtime/cpu-profile.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

/**
 * The whole path of a book, from batched entry to settled in the ledger and to projected into D1, against a floor of the same run: the
 * same orders merely inserted into D1 row by row. Medians of five alternated rounds; then beside a million stored orders, and with many accounts in the
 * ledger. Serial orders against two calls of objects, one after the other.
 */
const ROUNDS = sized(5, 1);
const ORDERS = sized(20_000, 200);
const SERIAL_ORDERS = sized(300, 10);
const STORED_ORDERS = sized(1_000_000, 1_000);
const OTHER_ACCOUNTS = sized(200_000, 1_000);
const ACCOUNTS_PER_CALL = sized(20_000, 1_000);

/** `npm run bench:book -- --profile`: where one settled round spends its time, and nothing else. */
const isProfile = process.argv.includes('--profile');
const INSPECTOR_PORT = 9_377;
const PROFILE_LINES = 60;

const worker = await startWorker('bench/workers/wrangler.toml', isProfile ? { inspectorPort: INSPECTOR_PORT } : {});

async function call(path: string): Promise<{ seconds: number; body: unknown }> {
  const started = performance.now();
  const response = await fetch(new URL(path, worker.url), { signal: AbortSignal.timeout(300_000) });
  const body = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
  return { seconds: (performance.now() - started) / 1_000, body };
}

let seed = 100;

/** Orders a second of one call that lets `ORDERS` through. */
async function rate(path: string): Promise<number> {
  seed += 1;
  return ORDERS / (await call(`${path}&seed=${seed}`)).seconds;
}

const PATHS = {
  floor: `/floor?orders=${ORDERS}`,
  settled: `/book?orders=${ORDERS}&books=1`,
  projected: `/book?orders=${ORDERS}&books=1&projected=1`,
  four: `/book?orders=${ORDERS / 4}&books=4`,
  fourProjected: `/book?orders=${ORDERS / 4}&books=4&projected=1`,
  securities: `/book?orders=${ORDERS}&books=1&kind=L&projected=1`,
} as const;
type Path = keyof typeof PATHS;

async function round(paths: readonly Path[], into: Record<string, number[]>, suffix = ''): Promise<void> {
  for (const path of paths) {
    const orders_per_s = await rate(PATHS[path]);
    into[path + suffix] = [...(into[path + suffix] ?? []), orders_per_s];
    await call('/clear');
  }
  console.log(paths.map((path) => `${path} ${Math.round(into[path + suffix]!.at(-1)!)}`).join(', '));
}

async function profileOfRound(): Promise<void> {
  await call('/setup?markets=4&securities=1');
  const run = async (): Promise<void> => {
    await rate(PATHS.settled);
    await call('/clear');
  };
  await run();
  const lines = await profiled(INSPECTOR_PORT, async () => {
    for (let i = 0; i < ROUNDS; i++) await run();
  });
  for (const { name, ms, share } of lines.slice(0, PROFILE_LINES))
    console.log(
      `${(share * 100).toFixed(1).padStart(5)} %  ${((ms * 1_000) / ORDERS / ROUNDS).toFixed(2).padStart(6)} us an order  ${name}`,
    );
}

async function compare(): Promise<void> {
  await call('/setup?markets=4&securities=1');
  await call(`/book?seed=90&orders=${ORDERS / 4}&books=4&projected=1`);
  await call(`/book?seed=91&orders=${ORDERS / 4}&books=1&kind=L&projected=1`);
  const rates: Record<string, number[]> = {};
  const serial_ms: number[] = [];
  const twoCalls_ms: number[] = [];
  for (let i = 0; i < ROUNDS; i++) {
    await round(Object.keys(PATHS) as Path[], rates);
    twoCalls_ms.push(((await call(`/two-calls?times=${SERIAL_ORDERS}`)).seconds / SERIAL_ORDERS) * 1_000);
    seed += 1;
    serial_ms.push(((await call(`/serial?seed=${seed}&orders=${SERIAL_ORDERS}`)).seconds / SERIAL_ORDERS) * 1_000);
  }
  await call(`/store?orders=${STORED_ORDERS}`);
  for (let i = 0; i < ROUNDS; i++) await round(['settled', 'projected'], rates, ', a million orders stored');
  for (let from = 0; from < OTHER_ACCOUNTS; from += ACCOUNTS_PER_CALL)
    await call(`/accounts?from=${from}&count=${ACCOUNTS_PER_CALL}`);
  await call('/clear');
  for (let i = 0; i < ROUNDS; i++) await round(['settled', 'projected'], rates, `, ${OTHER_ACCOUNTS} other accounts`);
  const broken = (await call('/audit')).body as { claim: string }[];
  if (broken.length > 0) throw new Error(`the audit does not hold: ${broken.map((check) => check.claim).join('; ')}`);
  const floor = median(rates.floor!);
  const ratioOf = (path: Path): number => Number((median(rates[path]!) / floor).toFixed(2));
  printReport({
    bench: 'book',
    ratio: ratioOf('projected'),
    table: [
      ...Object.entries(rates).map(([path, each]) => ({ path, 'orders/s': median(each), ratio: median(each) / floor })),
    ],
    figures: {
      floor_orders_per_s: Math.round(floor),
      settled_ratio: ratioOf('settled'),
      projected_ratio: ratioOf('projected'),
      four_books_settled_ratio: ratioOf('four'),
      four_books_projected_ratio: ratioOf('fourProjected'),
      securities_projected_ratio: ratioOf('securities'),
      serial_order_ms: Number(median(serial_ms).toFixed(2)),
      two_object_calls_ms: Number(median(twoCalls_ms).toFixed(2)),
      serial_over_two_calls_ms: Number((median(serial_ms) - median(twoCalls_ms)).toFixed(2)),
    },
  });
}

try {
  await (isProfile ? profileOfRound() : compare());
} finally {
  await worker.stop();
}
