/**
 * `npm run bench:engine`: the fast engine, with events, against the npm package nodejs-order-book on one stream of orders, fills
 * verified identical; then its time and memory per order as the book grows to a million resting orders.
 *
 * Each run has fresh books and fresh strings, as commands off the wire have; both take the same rows in the same process, by turns.
 */
import { OrderBook, Side } from 'nodejs-order-book';
import type { EngineCommand } from '../durable-objects/order-book/engine/engine.ts';
import { createFastEngine } from '../durable-objects/order-book/engine/fast.ts';
import { OrderStream, type StreamRow } from './order-stream.ts';
import { median, printReport } from './report.ts';

const RUNS = 7;
const SEED = 20_120_621;
const COMPARED_SIZES = [1_000, 100_000];
const COMPARED_OPERATIONS = 100_000;
const GROWN_SIZES = [1_000, 10_000, 100_000, 1_000_000];
const GROWN_OPERATIONS = 100_000;
const GROWTH_STEP = 50_000;

type Fill = readonly [makerId: string, takerId: string, price: number, quantity: number];
type ReferenceOrder = Parameters<OrderBook['limit']>[0];
/** The package does not export the enum. */
type ReferenceTimeInForce = NonNullable<ReferenceOrder['timeInForce']>;
type ReferenceResult = ReturnType<OrderBook['limit']>;

const collectGarbage =
  globalThis.gc ??
  (() => {
    throw new Error('run with --expose-gc: npm run bench:engine');
  });

/** The rows again in strings of their own, never seen by an engine. */
function fresh(rows: readonly StreamRow[]): StreamRow[] {
  return JSON.parse(JSON.stringify(rows));
}

function engineCommand(row: StreamRow): EngineCommand {
  if (row[0] === 'cancel') return { type: 'cancel', orderId: row[1] };
  const [kind, orderId, side, account, price, quantity] = row;
  return {
    type: 'place',
    orderId,
    account,
    keyId: null,
    side,
    orderType: 'limit',
    timeInForce: kind === 'ioc' ? 'IOC' : 'GTC',
    quantity,
    price,
    stopPrice: 0,
    expiresAt: 0,
    selfTradePrevention: 'cancel_newest',
    hidden: false,
    displayQuantity: 0,
    attributes: 0,
    requires: 0,
  };
}

function referenceOrder(row: StreamRow): ReferenceOrder | string {
  if (row[0] === 'cancel') return row[1];
  const [kind, id, side, , price, size] = row;
  const timeInForce = (kind === 'ioc' ? 'IOC' : 'GTC') as ReferenceTimeInForce;
  return { id, side: side === 'buy' ? Side.BUY : Side.SELL, price, size, timeInForce };
}

/** Nanoseconds an operation, over a book that has been filled before. */
function timeEngine(fill: readonly StreamRow[], flow: readonly StreamRow[]): number {
  const engine = createFastEngine();
  for (const row of fresh(fill)) engine.apply(engineCommand(row), 0);
  const commands = fresh(flow).map(engineCommand);
  let events = 0;
  collectGarbage();
  const start = process.hrtime.bigint();
  for (let i = 0; i < commands.length; i++) events += engine.apply(commands[i]!, 0).length;
  const elapsed_ns = Number(process.hrtime.bigint() - start);
  if (events < commands.length) throw new Error('a command has told nothing');
  return elapsed_ns / commands.length;
}

function timeReference(fill: readonly StreamRow[], flow: readonly StreamRow[]): number {
  const book = new OrderBook();
  for (const row of fresh(fill)) book.limit(referenceOrder(row) as ReferenceOrder);
  const orders = fresh(flow).map(referenceOrder);
  let done = 0;
  collectGarbage();
  const start = process.hrtime.bigint();
  for (let i = 0; i < orders.length; i++) {
    const order = orders[i]!;
    if (typeof order === 'string') book.cancel(order);
    else done += book.limit(order).done.length;
  }
  const elapsed_ns = Number(process.hrtime.bigint() - start);
  if (done === 0) throw new Error('the reference has filled nothing');
  return elapsed_ns / orders.length;
}

function engineFills(rows: readonly StreamRow[]): { fills: Fill[]; resting: number } {
  const engine = createFastEngine();
  const fills: Fill[] = [];
  for (const row of rows) {
    for (const event of engine.apply(engineCommand(row), 0)) {
      if (event.type === 'filled') fills.push([event.makerId, event.takerId, event.price, event.quantity]);
    }
  }
  return { fills, resting: engine.size };
}

function referenceFills(rows: readonly StreamRow[]): Fill[] {
  const book = new OrderBook();
  const fills: Fill[] = [];
  for (const row of rows) {
    const order = referenceOrder(row);
    if (typeof order === 'string') book.cancel(order);
    else fills.push(...fillsOf(order.id, book.limit(order)));
  }
  return fills;
}

/** `done` has the makers that were filled whole, then the taker if it was; `partial` is the last maker or the taker. */
function fillsOf(takerId: string, { done, partial, partialQuantityProcessed }: ReferenceResult): Fill[] {
  const fills: Fill[] = [];
  for (const order of done) {
    if (order.id !== takerId && 'price' in order) fills.push([order.id, takerId, order.price, order.size]);
  }
  if (partial !== null && partial.id !== takerId) {
    fills.push([partial.id, takerId, partial.price, partialQuantityProcessed]);
  }
  return fills;
}

function assertSameFills(ours: readonly Fill[], theirs: readonly Fill[]): void {
  const at = ours.findIndex((fill, i) => fill.join() !== theirs[i]?.join());
  if (at >= 0 || ours.length !== theirs.length) {
    throw new Error(
      `fill ${at} differs: ${ours[at]} here, ${theirs[at]} there; ${ours.length} and ${theirs.length} in all`,
    );
  }
}

function compare(size: number) {
  const stream = new OrderStream(size, SEED);
  const fill = stream.fill(size);
  const flow = stream.flow(COMPARED_OPERATIONS);
  const { fills, resting } = engineFills(fresh([...fill, ...flow]));
  assertSameFills(fills, referenceFills(fresh([...fill, ...flow])));

  const engine_ns: number[] = [];
  const reference_ns: number[] = [];
  for (let run = 0; run < RUNS; run++) {
    engine_ns.push(timeEngine(fill, flow));
    reference_ns.push(timeReference(fill, flow));
  }
  const ours = median(engine_ns);
  const theirs = median(reference_ns);
  return {
    resting,
    fills: fills.length,
    engine_ops_per_s: Math.round(1e9 / ours),
    reference_ops_per_s: Math.round(1e9 / theirs),
    ratio: Number((theirs / ours).toFixed(2)),
  };
}

function memoryInUse_bytes(): number {
  collectGarbage();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

/** One book that grows; at each size the mixed flow is timed over it. */
function grow() {
  const engine = createFastEngine();
  const empty_bytes = memoryInUse_bytes();
  return GROWN_SIZES.map((size) => {
    // A stream per size: what it may cancel must not count as the engine's memory.
    for (let seed = SEED; engine.size < size; seed++) {
      const stream = new OrderStream(size, seed ^ size);
      for (const row of stream.fill(Math.min(GROWTH_STEP, size - engine.size))) engine.apply(engineCommand(row), 0);
    }
    const bytes_per_order = (memoryInUse_bytes() - empty_bytes) / engine.size;
    const operation_ns: number[] = [];
    for (let run = 0; run < RUNS; run++) {
      const stream = new OrderStream(size, SEED + run);
      const commands = fresh([...stream.fill(1_000), ...stream.flow(GROWN_OPERATIONS)]).map(engineCommand);
      collectGarbage();
      const start = process.hrtime.bigint();
      for (let i = 0; i < commands.length; i++) engine.apply(commands[i]!, 0);
      operation_ns.push(Number(process.hrtime.bigint() - start) / commands.length);
    }
    return {
      resting: size,
      operation_ns: Math.round(median(operation_ns)),
      bytes_per_order: Math.round(bytes_per_order),
    };
  });
}

const compared = COMPARED_SIZES.map(compare);
const grown = grow();
printReport({
  bench: 'engine',
  ratio: Math.min(...compared.map(({ ratio }) => ratio)),
  table: [],
  figures: { runs: RUNS, operations: COMPARED_OPERATIONS, compared, grown },
});
