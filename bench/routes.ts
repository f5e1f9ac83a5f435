/**
 * `npm run bench:routes`: orders a second that a book accepts where they execute at the broker, at the prime broker, or are indications of
 * interest, beside a book where they meet each other; the same buys, all of which rest, in calls of a hundred, eight under way. Accepted is
 * admitted by the ledger and journaled. Then how long until the broker has them all. An account indicates ten times at most, so indications are
 * fewer, beside as many orders of the internal route.
 */
import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';
import { sized } from './smoke.ts';

const ROUNDS = sized(5, 1);
const ORDERS = sized(2_000, 40);
const INDICATIONS = sized(500, 20);

const worker = await startWorker('bench/workers/routes.toml');

async function seconds(path: string): Promise<number> {
  const started = performance.now();
  const response = await fetch(new URL(path, worker.url), { signal: AbortSignal.timeout(120_000) });
  if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`);
  return (performance.now() - started) / 1_000;
}

let seed = 0;
const accept = (symbol: string, orders: number) =>
  seconds(`/accept?symbol=${encodeURIComponent(symbol)}&orders=${orders}&seed=${++seed}`);
const handOver = (route: string, symbol: string) =>
  seconds(`/handed-over?route=${route}&symbol=${symbol}&orders=${ORDERS}`);

try {
  // The first market of each route warms up.
  await seconds(`/setup?markets=${2 * (ROUNDS + 1)}`);
  const rates: Record<string, number[]> = {};
  const note = (name: string, rate: number): void => {
    rates[name] = [...(rates[name] ?? []), rate];
  };
  for (let round = 0; round <= ROUNDS; round++) {
    const internal_s = await accept(`B${round}-USD`, ORDERS);
    const broker_s = await accept(`R${round}-USD`, ORDERS);
    const atBroker_s = broker_s + (await handOver('broker', `R${round}`));
    const prime_s = await accept(`PRIME:P${round}-USD`, ORDERS);
    const atPrime_s = prime_s + (await handOver('prime', `P${round}`));
    const fewer_s = await accept(`B${ROUNDS + 1 + round}-USD`, INDICATIONS);
    const indicated_s = await accept(`I${round}.IOI-USD`, INDICATIONS);
    if (round === 0) continue;
    note('internal', ORDERS / internal_s);
    note('broker', ORDERS / broker_s);
    note('at the broker', ORDERS / atBroker_s);
    note('prime', ORDERS / prime_s);
    note('at the prime broker', ORDERS / atPrime_s);
    note(`internal, ${INDICATIONS} orders`, INDICATIONS / fewer_s);
    note('indication', INDICATIONS / indicated_s);
  }
  const rateOf = (name: string): number => median(rates[name] ?? []);
  const ratioOf = (name: string): number => {
    const peer = name === 'indication' ? `internal, ${INDICATIONS} orders` : 'internal';
    return Number((rateOf(name) / rateOf(peer)).toFixed(2));
  };
  printReport({
    bench: 'routes',
    ratio: ratioOf('broker'),
    table: Object.keys(rates).map((route) => ({ route, 'orders/s': rateOf(route), ratio: ratioOf(route) })),
    figures: {
      internal_orders_per_s: Math.round(rateOf('internal')),
      broker_orders_per_s: Math.round(rateOf('broker')),
      at_the_broker_ratio: ratioOf('at the broker'),
      prime_ratio: ratioOf('prime'),
      at_the_prime_broker_ratio: ratioOf('at the prime broker'),
      indication_ratio: ratioOf('indication'),
    },
  });
} finally {
  await worker.stop();
}
