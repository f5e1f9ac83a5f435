import { recordBrokerDifferences, recordFailedComparison } from '../../data/broker/broker-differences.ts';
import { database } from '../../data/database.ts';
import { listMarkets } from '../../data/markets/markets.ts';
import type { BrokerClient } from '../../domain/broker/broker-client.ts';
import { type BothSides, compareWithBroker } from '../../domain/broker/compare-with-broker.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { CLEARING_OF } from '../../domain/ledger/broker-clearing.ts';
import { isAtBroker, type Market, type VenueRoute } from '../../domain/markets/market.ts';
import { assetSymbolsOf } from '../../domain/markets/market-symbol.ts';
import { venueOf } from '../../durable-objects/broker/broker-of.ts';
import { log } from '../../durable-objects/log/log.ts';
import { orderBookOf } from '../../durable-objects/order-book/api.ts';
import { askLedger } from '../ledger/ask-ledger.ts';
import { describeBug } from '../log/describe-bug.ts';

/** Markets of one run; of more, runs take turns. */
const MARKETS_MAX = 50;
/** Pages of open orders of a market: the bound of a book's open orders. */
const PAGES_MAX = 400;
/** Times that a market is read in a run whose book lands batches meanwhile. */
const READINGS_MAX = 3;
/** Between two runs (docs/design/broker.md#reconciliation). */
const EVERY_MS = 5 * MINUTE_MS;

/** Compares open orders and positions of routed markets with the broker, or the prime broker, and writes down where they differ. One that cannot be read now is left out. */
export async function reconcileWithBroker(env: Env, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  const routed = (await listMarkets(db)).filter(isAtBroker);
  if (routed.length === 0) return;
  for (const market of turnOf(routed, now)) {
    // What the broker has said of orders that have ended is heard by nobody else.
    await orderBookOf(env, market.symbol)
      .hearBroker()
      .catch((error: unknown) => log('warn', 'a book did not hear its broker', describeBug(error)));
    const sides = await readStill(env, market);
    if (sides === null) {
      await recordFailedComparison(db, market.symbol, now);
      continue;
    }
    const differences = compareWithBroker(sides);
    if (differences.length > 0)
      log('warn', 'broker differs', { market: market.symbol, differences: differences.length });
    await recordBrokerDifferences(db, market.symbol, differences, now);
  }
}

function turnOf<T>(all: readonly T[], now: number): readonly T[] {
  const turns = Math.ceil(all.length / MARKETS_MAX);
  const turn = Math.floor(now / EVERY_MS) % turns;
  return all.slice(turn * MARKETS_MAX, (turn + 1) * MARKETS_MAX);
}

type Compared = Pick<Market, 'symbol' | 'baseAsset' | 'quantityScale'> & { readonly route: VenueRoute };

/** Null where one side is out of reach, or ours has moved at each reading. */
async function readStill(env: Env, market: Compared): Promise<BothSides | null> {
  for (let reading = 0; reading < READINGS_MAX; reading++) {
    const sides = await readBothSides(env, market);
    if (sides !== 'moved') return sides;
  }
  return null;
}

/** Null where one side is out of reach, `moved` where ours has while it was read. */
async function readBothSides(env: Env, market: Compared): Promise<BothSides | 'moved' | null> {
  const broker = venueOf(env, market.route);
  const [symbol] = assetSymbolsOf(market.symbol);
  const before = await askLedger(env, (ledger) => ledger.fence(market.symbol));
  const reservations = await askLedger(env, (ledger) => ledger.reservations(market.symbol));
  const balances = await askLedger(env, (ledger) => ledger.balances(CLEARING_OF[market.route]));
  const position = await broker.position(symbol);
  const openThere = await openOrdersOf(broker, symbol);
  const after = await askLedger(env, (ledger) => ledger.fence(market.symbol));
  if (before === null || after === null) return null;
  if (reservations === null || balances === null || !position.ok || openThere === null) return null;
  if (before.batch !== after.batch) return 'moved';
  const cleared = balances.find(({ asset }) => asset === market.baseAsset)?.available ?? 0;
  return {
    positionHere: -cleared,
    positionThere: position.value,
    quantityScale: market.quantityScale,
    openHere: reservations.filter(({ kind }) => kind === 'order').map(({ id }) => id),
    openThere,
  };
}

async function openOrdersOf(broker: BrokerClient, symbol: string): Promise<string[] | null> {
  const ids: string[] = [];
  let page: string | null = null;
  for (let read = 0; read < PAGES_MAX; read++) {
    const answer: Awaited<ReturnType<BrokerClient['openOrders']>> = await broker.openOrders(symbol, page);
    if (!answer.ok) return null;
    ids.push(...answer.value.orders.map(({ clientOrderId }) => clientOrderId));
    page = answer.value.next;
    if (page === null) return ids;
  }
  return null;
}
