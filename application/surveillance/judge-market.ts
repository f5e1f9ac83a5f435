import { database } from '../../data/database.ts';
import { listParts } from '../../data/list-parts.ts';
import { orderStore } from '../../data/orders/archive/order-store.ts';
import {
  listCancelledOrders,
  listCancelledSlices,
  orderSpan,
  readCancelledOrders,
} from '../../data/surveillance/day-orders.ts';
import { firstSequenceAt, listTradesBetween, priceAt } from '../../data/surveillance/day-trades.ts';
import { accountsOfPeopleWith, listFamilyAmong } from '../../data/surveillance/people.ts';
import type { JudgedMarket, TradedMarket } from '../../data/surveillance/surveillance-days.ts';
import { type Finding, type Kinship, subjectOf, type WatchedTrade } from '../../domain/surveillance/finding.ts';
import { LayeringWatch } from '../../domain/surveillance/layering.ts';
import { CLOSE_WINDOW_MS, findMarkedCloses } from '../../domain/surveillance/marking-the-close.ts';
import { sessionOf, type TradingDay, tradingDay } from '../../domain/surveillance/trading-day.ts';
import { findWashTrades } from '../../domain/surveillance/wash-trades.ts';

/** What one market of one day may take of a run's 900 queries, and of its memory. */
interface MarketBounds {
  readonly tradesMax: number;
  readonly closeTradesMax: number;
  readonly orderPagesMax: number;
  /** Orders that one query looks at, of whatever market, and spans of them that it names. */
  readonly ordersPerPage: number;
  readonly spansPerPage: number;
  readonly slicesMax: number;
}

/** An invocation has 128 MB: so many trades, each an execution of two people by itself, and the most orders that are noted take about half of it. */
const BOUNDS: MarketBounds = {
  tradesMax: 50_000,
  closeTradesMax: 10_000,
  orderPagesMax: 300,
  ordersPerPage: 20_000,
  spansPerPage: 500,
  slicesMax: 100,
};
const TRADES_PER_QUERY = 5_000;
const SPANS_PER_SLICE_QUERY = 5_000;

type Judgement = Pick<JudgedMarket, 'tradesLeftOut' | 'accountsLeftOut'> & {
  /** What weighs most first. */
  readonly findings: readonly Finding[];
};

/**
 * What the rules find of a market's trades of a day (midnight of UTC): from D1, and of cancelled orders from the archive as well. The trades that come first are
 * read, those before the close in any case.
 *
 * @throws OrderArchiveUnavailable
 */
export async function judgeMarket(
  env: Pick<Env, 'DB' | 'ORDER_ARCHIVE'>,
  { symbol, tradingHours, route }: TradedMarket,
  midnight: number,
  smaller: Partial<MarketBounds> = {},
): Promise<Judgement> {
  const bounds = { ...BOUNDS, ...smaller };
  const db = database(env.DB);
  const day = tradingDay(midnight);
  const first = await firstSequenceAt(db, symbol, day.from);
  const end = await firstSequenceAt(db, symbol, day.to);
  const trades = await readTrades(env, symbol, first, Math.min(end, first + bounds.tradesMax));
  // What customers trade at a broker is no price of its market.
  const session = route === 'internal' ? sessionOf(tradingHours, midnight) : null;
  const close = await readClose(env, symbol, session, bounds.closeTradesMax);
  const people = await accountsOfPeopleWith(db, accountsIn([...trades, ...close.trades]));
  const personOf = (account: string) => people.get(account) ?? null;
  const accounts = [...people.keys()].sort();
  const family = new Map<string, Kinship>();
  for (const { account, relative, relationship } of await listFamilyAmong(db, accounts, day)) {
    const [of, other] = [personOf(account), personOf(relative)];
    const pair = pairOf(of, other);
    // Recorded from both sides it is told from one, always the same.
    if (of !== null && of < (family.get(pair)?.of ?? '\uffff')) family.set(pair, { relation: relationship, of });
  }
  const familyOf = (one: string, other: string) => family.get(pairOf(personOf(one), personOf(other))) ?? null;
  const layering = new LayeringWatch(trades, personOf);
  const accountsLeftOut = await seeCancelled(env, layering, people, bounds, symbol);
  const findings = [
    ...findWashTrades({ trades, personOf, familyOf }),
    ...findMarkedCloses({ ...close, personOf, familyOf }),
    ...layering.findings(),
  ];
  return {
    findings: findings.sort((a, b) => b.weight - a.weight),
    tradesLeftOut: Math.max(0, end - first - trades.length),
    accountsLeftOut,
  };
}

async function readTrades(
  env: Pick<Env, 'DB'>,
  symbol: string,
  from: number,
  to: number,
): Promise<readonly WatchedTrade[]> {
  const db = database(env.DB);
  const trades: WatchedTrade[] = [];
  while (from + trades.length < to) {
    const limit = Math.min(TRADES_PER_QUERY, to - from - trades.length);
    const page = await listTradesBetween(db, symbol, { from: from + trades.length, to, limit });
    if (page.length === 0) break;
    trades.push(...page);
  }
  return trades;
}

/**
 * The trades before the close, the last of them where there are too many, and the price before them: of the same session, since an older one says nothing of what moved in
 * these minutes.
 */
async function readClose(env: Pick<Env, 'DB'>, symbol: string, session: TradingDay | null, tradesMax: number) {
  const nothing = { trades: [], isWhole: true, priceBefore: null };
  if (session === null) return nothing;
  const db = database(env.DB);
  const opening = await firstSequenceAt(db, symbol, session.from);
  const first = await firstSequenceAt(db, symbol, session.to - CLOSE_WINDOW_MS);
  const end = await firstSequenceAt(db, symbol, session.to);
  if (first === end || first === opening) return nothing;
  const from = Math.max(first, end - tradesMax);
  const trades = await readTrades(env, symbol, from, end);
  return { trades, isWhole: from === first, priceBefore: await priceAt(db, symbol, first - 1) };
}

/**
 * Shows the watch what people have cancelled of the orders that they placed around their executions: first from D1 and then from the archive, so that what is moved
 * meanwhile is not missed. Everybody's first orders come before anybody's later ones. Accounts of which not all was read.
 */
async function seeCancelled(
  env: Pick<Env, 'DB' | 'ORDER_ARCHIVE'>,
  layering: LayeringWatch,
  people: ReadonlyMap<string, string>,
  { orderPagesMax, ordersPerPage, spansPerPage, slicesMax }: MarketBounds,
  book: string,
): Promise<number> {
  const store = orderStore(env);
  const placed = layering.spans();
  const spans = [...people].flatMap(([account, person]) =>
    (placed.get(person) ?? []).map((span) => orderSpan(account, span)),
  );
  let left = spans;
  for (let page = 0; page < orderPagesMax && left.length > 0; page++) {
    const part = left.slice(0, spansPerPage);
    const perSpan = Math.max(1, Math.floor(ordersPerPage / part.length));
    const read = await listCancelledOrders(store.db, part, { book, perSpan });
    for (const order of read.orders) layering.see(order);
    left = [...left.slice(part.length), ...read.left];
  }
  const leftOut = new Set(left.map(({ account }) => account));
  let slicesLeft = slicesMax;
  for (const part of listParts(spans, SPANS_PER_SLICE_QUERY)) {
    const { slices, accountsLeft } = await listCancelledSlices(store.db, part, book, slicesLeft);
    for (const account of accountsLeft) leftOut.add(account);
    slicesLeft -= slices.length;
    for (const slice of slices) for (const order of await readCancelledOrders(store, slice, book)) layering.see(order);
  }
  for (const account of layering.accountsLeftOut) leftOut.add(account);
  return leftOut.size;
}

function accountsIn(trades: readonly WatchedTrade[]): string[] {
  return [...new Set(trades.flatMap(({ buyer, seller }) => [buyer, seller]))];
}

/** The same of two people in either order; of one person or nobody it is no pair. */
function pairOf(one: string | null, other: string | null): string {
  return one === null || other === null || one === other ? '' : subjectOf([one, other]);
}
