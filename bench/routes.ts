/**
 * `npm run bench:routes`: orders a second that a book accepts where they execute at the broker, beside a book where they meet each other; the
 * same buys, all of which rest, in calls of a hundred, eight under way. Accepted is admitted by the ledger and journaled. Then how long until
 * the sandbox broker has them all.
 */
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';

const ROUNDS = 5;
const ORDERS = 2_000;

const worker = await startWorker('bench/workers/routes.toml');

async function seconds(path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(new URL(path, worker.url), { signal: AbortSignal.timeout(120_000) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (performance.now() - started) / 1_000;
}

try {
  // The first market of each route warms up.
  await seconds(`/setup?markets=${ROUNDS + 1}`);
  const internal: number[] = [];
  const broker: number[] = [];
  const handedOver: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const matched_s = await seconds(`/accept?symbol=B${round}-USD&orders=${ORDERS}&seed=${2 * round}`);
    const routed_s = await seconds(`/accept?symbol=R${round}-USD&orders=${ORDERS}&seed=${2 * round + 1}`);
    const waited_s = await seconds(`/handed-over?symbol=R${round}&orders=${ORDERS}`);
    if (round === 0) continue;
    internal.push(ORDERS / matched_s);
    broker.push(ORDERS / routed_s);
    handedOver.push(ORDERS / (routed_s + waited_s));
  }
  const rates = { internal: median(internal), broker: median(broker), 'at the broker': median(handedOver) };
  const ratioOf = (rate: number) => Number((rate / rates.internal).toFixed(2));
  printReport({
    bench: 'routes',
    ratio: ratioOf(rates.broker),
    table: Object.entries(rates).map(([route, rate]) => ({ route, 'orders/s': rate, ratio: ratioOf(rate) })),
    figures: {
      internal_orders_per_s: Math.round(rates.internal),
      broker_orders_per_s: Math.round(rates.broker),
      at_the_broker_ratio: ratioOf(rates['at the broker']),
    },
  });
} finally {
  await worker.stop();
}
