/**
 * `npm run bench:engine`: the fast engine, with events, against the npm package nodejs-order-book on one stream of orders, fills
 * verified identical; then its time and memory per order as the book grows to a million resting orders, beside a Map that does no more
 * than keep the same orders by their ids: what such a Map costs grows with the machine's cache misses, and no book can do without.
 *
 * Both take the same rows, by turns, in one process, each into a book that lives through all runs: a collected book takes the compiled
 * code that knew it along. Commands are made a hundred at a time just before they are applied, with strings of their own, as they come
 * off the wire; making them is not timed.
 */
import { OrderBook, Side } from 'nodejs-order-book';
import type { Engine, EngineCommand, PlaceOrder } from '../durable-objects/order-book/engine/engine.ts';
import { createFastEngine } from '../durable-objects/order-book/engine/fast.ts';
import { collectGarbage, memoryInUse_bytes } from './memory-in-use.ts';
import { OrderStream, type StreamRow } from './order-stream.ts';
import { median, printReport } from './report.ts';
import { sized } from './smoke.ts';

const RUNS = sized(7, 1);
const WARM_UP_RUNS = sized(2, 0);
const SEED = 20_120_621;
const OPERATIONS = sized(100_000, 2_000);
const COMMANDS_AT_ONCE = 100;
const COMPARED_SIZES = sized([1_000, 100_000], [1_000]);
const GROWN_SIZES = sized([1_000, 10_000, 100_000, 1_000_000], [1_000]);
const FILL_STEP = sized(50_000, 1_000);

type Fill = readonly [makerId: string, takerId: string, price: number, quantity: number];
type ReferenceOrder = Parameters<OrderBook['limit']>[0];
/** The package does not export the enum. */
type ReferenceTimeInForce = NonNullable<ReferenceOrder['timeInForce']>;
type ReferenceResult = ReturnType<OrderBook['limit']>;

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

/** Nanoseconds that applying each row takes, made into commands a few at a time; what `apply` counts shows that it has worked. */
function timePerRow<Command>(
  rows: readonly StreamRow[],
  command: (row: StreamRow) => Command,
  apply: (commands: readonly Command[]) => number,
): number {
  let elapsed_ns = 0n;
  let count = 0;
  collectGarbage();
  for (let at = 0; at < rows.length; at += COMMANDS_AT_ONCE) {
    const commands = fresh(rows.slice(at, at + COMMANDS_AT_ONCE)).map(command);
    const start = process.hrtime.bigint();
    count += apply(commands);
    elapsed_ns += process.hrtime.bigint() - start;
  }
  if (count === 0) throw new Error('nothing has happened');
  return Number(elapsed_ns) / rows.length;
}

function timeEngine(engine: Engine, flow: readonly StreamRow[]): number {
  return timePerRow(flow, engineCommand, (commands) => {
    let events = 0;
    engine.readAhead(commands);
    for (let i = 0; i < commands.length; i++) events += engine.apply(commands[i]!, 0).length;
    return events;
  });
}

function timeReference(book: OrderBook, flow: readonly StreamRow[]): number {
  return timePerRow(flow, referenceOrder, (orders) => {
    let done = 0;
    for (let i = 0; i < orders.length; i++) {
      const order = orders[i]!;
      if (typeof order === 'string') book.cancel(order);
      else done += book.limit(order).done.length;
    }
    return done;
  });
}

/** What keeping orders by their ids takes: a limit order is entered, a cancel finds and removes one, the rest is left out. */
function timeMap(orders: Map<string, object>, flow: readonly StreamRow[]): number {
  return timePerRow(flow, engineCommand, (commands) => {
    let found = 0;
    for (let i = 0; i < commands.length; i++) {
      const command = commands[i]!;
      if (command.type === 'cancel') found += orders.delete(command.orderId) ? 1 : 0;
      else if (command.type === 'place' && command.timeInForce === 'GTC') orders.set(command.orderId, entryOf(command));
    }
    return found;
  });
}

function entryOf({ account, side, price, quantity }: PlaceOrder): object {
  return { account, side, price, quantity };
}

function filledEngine(fill: readonly StreamRow[]): Engine {
  const engine = createFastEngine();
  for (const row of fresh(fill)) engine.apply(engineCommand(row), 0);
  return engine;
}

function filledReference(fill: readonly StreamRow[]): OrderBook {
  const book = new OrderBook();
  for (const row of fresh(fill)) book.limit(referenceOrder(row) as ReferenceOrder);
  return book;
}

function engineFills(rows: readonly StreamRow[]): { fills: Fill[]; resting: number; levels: number } {
  const engine = createFastEngine();
  const fills: Fill[] = [];
  for (const row of rows) {
    for (const event of engine.apply(engineCommand(row), 0)) {
      if (event.type === 'filled') fills.push([event.makerId, event.takerId, event.price, event.quantity]);
    }
  }
  const { bids, asks } = engine.depth(Number.POSITIVE_INFINITY);
  return { fills, resting: engine.size, levels: bids.length + asks.length };
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
  const rows = new OrderStream(size, SEED);
  const verified = [...rows.fill(size), ...rows.flow(OPERATIONS)];
  const { fills, resting, levels } = engineFills(fresh(verified));
  assertSameFills(fills, referenceFills(fresh(verified)));

  const stream = new OrderStream(size, SEED);
  const fill = stream.fill(size);
  const engine = filledEngine(fill);
  const reference = filledReference(fill);
  const engine_ns: number[] = [];
  const reference_ns: number[] = [];
  for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
    const flow = stream.flow(OPERATIONS);
    const ours = timeEngine(engine, flow);
    const theirs = timeReference(reference, flow);
    if (run < 0) continue;
    engine_ns.push(ours);
    reference_ns.push(theirs);
  }
  const ours = median(engine_ns);
  const theirs = median(reference_ns);
  return {
    resting,
    levels,
    fills: fills.length,
    engine_ops_per_s: Math.round(1e9 / ours),
    reference_ops_per_s: Math.round(1e9 / theirs),
    ratio: Number((theirs / ours).toFixed(2)),
  };
}

/** Bytes that each order keeps alive in a book of `size`, its id and its share of levels and tables included. */
function bytesPerOrder(size: number): number {
  const before = memoryInUse_bytes();
  const engine = createFastEngine();
  for (let step = 0; engine.size < size; step++) {
    const stream = new OrderStream(size, SEED + step);
    for (const row of fresh(stream.fill(Math.min(FILL_STEP, size - engine.size)))) engine.apply(engineCommand(row), 0);
  }
  const bytes = memoryInUse_bytes() - before;
  return Math.round(bytes / engine.size);
}

/** A book of `size`, a Map of the same orders, and the stream that they came from, whose cancels reach every order in them. */
interface Grown {
  readonly engine: Engine;
  readonly orders: Map<string, object>;
  readonly stream: OrderStream;
  readonly engine_ns: number[];
  readonly map_ns: number[];
}

function grow(size: number): Grown {
  const stream = new OrderStream(size, SEED);
  const engine = createFastEngine();
  const orders = new Map<string, object>();
  while (engine.size < size) {
    const fill = stream.fill(Math.min(FILL_STEP, size - engine.size));
    for (const row of fresh(fill)) engine.apply(engineCommand(row), 0);
    for (const row of fresh(fill)) orders.set(row[1], entryOf(engineCommand(row) as PlaceOrder));
  }
  return { engine, orders, stream, engine_ns: [], map_ns: [] };
}

/**
 * Median times of an operation of the mixed flow in books and Maps of each size, which take turns: a busy moment of the machine meets
 * all.
 */
function operationTimes(sizes: readonly number[]): { engine_ns: number; map_ns: number }[] {
  const all = sizes.map(grow);
  for (let run = -WARM_UP_RUNS; run < RUNS; run++) {
    for (const { engine, orders, stream, engine_ns, map_ns } of all) {
      const flow = stream.flow(OPERATIONS);
      const ours = timeEngine(engine, flow);
      const floor = timeMap(orders, flow);
      if (run < 0) continue;
      engine_ns.push(ours);
      map_ns.push(floor);
    }
  }
  return all.map(({ engine_ns, map_ns }) => ({
    engine_ns: Math.round(median(engine_ns)),
    map_ns: Math.round(median(map_ns)),
  }));
}

const compared = COMPARED_SIZES.map(compare);
const times = operationTimes(GROWN_SIZES);
const grown = GROWN_SIZES.map((resting, at) => ({
  resting,
  operation_ns: times[at]!.engine_ns,
  map_operation_ns: times[at]!.map_ns,
  bytes_per_order: bytesPerOrder(resting),
}));

printReport({
  bench: 'engine',
  ratio: Math.min(...compared.map(({ ratio }) => ratio)),
  table: [
    ...compared.map(({ resting, levels, engine_ops_per_s, reference_ops_per_s, ratio }) => ({
      measure: 'against nodejs-order-book',
      resting,
      levels,
      'engine ops/s': engine_ops_per_s,
      'reference ops/s': reference_ops_per_s,
      ratio,
    })),
    ...grown.map(({ resting, operation_ns, map_operation_ns, bytes_per_order }) => ({
      measure: 'as the book grows',
      resting,
      'engine ops/s': Math.round(1e9 / operation_ns),
      'ns/operation': operation_ns,
      'Map ns/operation': map_operation_ns,
      'bytes/order': bytes_per_order,
    })),
  ],
  figures: { runs: RUNS, operations: OPERATIONS, fills_identical: true, compared, grown },
});
