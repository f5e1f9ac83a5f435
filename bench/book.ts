import { median, printReport } from './report.ts';
import { startWorker } from './runtime/start-worker.ts';

/**
 * The whole path of one book, from batched entry to settled and audited, against a floor of the same run: the same orders merely
 * inserted and held in D1 row by row. Medians of five alternated rounds; then one book once more, with a million orders stored.
 */
const ROUNDS = 5;
const ORDERS = 20_000;
const STORED_ORDERS = 1_000_000;

const worker = await startWorker('bench/workers/wrangler.toml');

async function call(path: string): Promise<{ seconds: number; body: unknown }> {
  const started = performance.now();
  const response = await fetch(new URL(path, worker.url), { signal: AbortSignal.timeout(300_000) });
  const body = await response.json();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${JSON.stringify(body)}`);
  return { seconds: (performance.now() - started) / 1_000, body };
}

try {
  await call('/setup?markets=4&lots=0');
  await call(`/book?seed=900&orders=${ORDERS / 4}&books=4`);
  const floor: number[] = [];
  const book: number[] = [];
  const four: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    floor.push(ORDERS / (await call(`/floor?seed=${100 + round}&orders=${ORDERS}`)).seconds);
    book.push(ORDERS / (await call(`/book?seed=${200 + round}&orders=${ORDERS}&books=1`)).seconds);
    four.push(ORDERS / (await call(`/book?seed=${300 + round}&orders=${ORDERS / 4}&books=4`)).seconds);
    console.log(
      `round ${round}: floor ${Math.round(floor.at(-1)!)}, one book ${Math.round(book.at(-1)!)}, four ${Math.round(four.at(-1)!)} orders/s`,
    );
  }
  await call(`/store?orders=${STORED_ORDERS}`);
  const large: number[] = [];
  for (let round = 1; round <= ROUNDS; round++) {
    large.push(ORDERS / (await call(`/book?seed=${400 + round}&orders=${ORDERS}&books=1`)).seconds);
  }
  const broken = (await call('/audit')).body as { claim: string }[];
  if (broken.length > 0) throw new Error(`the audit does not hold: ${broken.map((check) => check.claim).join('; ')}`);
  printReport({
    bench: 'book',
    ratio: median(book) / median(floor),
    table: [
      { path: 'inserted and held row by row', 'orders/s': median(floor), ratio: 1 },
      { path: 'one book, settled', 'orders/s': median(book), ratio: median(book) / median(floor) },
      { path: 'four books, settled', 'orders/s': median(four), ratio: median(four) / median(floor) },
      { path: 'one book, a million orders stored', 'orders/s': median(large), ratio: median(large) / median(floor) },
    ],
    figures: {
      floor_orders_per_s: median(floor),
      book_orders_per_s: median(book),
      four_books_orders_per_s: median(four),
      book_with_a_million_stored_orders_per_s: median(large),
    },
  });
} finally {
  await worker.stop();
}
