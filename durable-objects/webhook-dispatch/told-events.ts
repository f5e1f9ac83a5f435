import type { Database } from '../../data/database.ts';
import { findMarkets } from '../../data/markets/markets.ts';
import { partnerFirms, type ToldSecurity, toldSecurities } from '../../data/webhooks/subscriptions.ts';
import { partiesOfTrades } from '../../data/webhooks/trade-parties.ts';
import { findEvents, type StoredEvent } from '../../data/webhooks/undispatched-events.ts';
import { isBridgeEvent } from '../../domain/bridge/told-changes.ts';
import { settlementHash } from '../../domain/settlement/settlement-record.ts';
import { isOfTrade, isSecurityEvent } from '../../domain/webhooks/webhook-event.ts';
import { type BookTicker, orderBookOf } from '../order-book/api.ts';
import type { ToldOfSecurity, ToldOfTransfer } from './event-payload.ts';
import type { Scales, ToldTrade, TradeFacts } from './trade-payload.ts';

/** How long a book may take to say its quote; the message then has none. */
const QUOTE_WAIT_MS = 1_000;

type Quote = Pick<BookTicker, 'bid' | 'ask'>;

/** Events of cross-listed securities that partners receive, with all that their messages are made of; others are left out. */
export async function toldOfSecurities(
  env: Pick<Env, 'ORDER_BOOK' | 'VENUE_FIRM_NAME' | 'VENUE_CRD_NUMBER' | 'SETTLEMENT_SALT_KEY'>,
  db: Database,
  events: readonly StoredEvent[],
): Promise<ToldOfSecurity[]> {
  const wanted = events.filter(({ type }) => isSecurityEvent(type));
  if (wanted.length === 0) return [];
  const subjects = wanted.map(({ subject }) => subject);
  const [securities, facts] = await Promise.all([toldSecurities(db, subjects), tradesOf(db, wanted)]);
  const listed = wanted.filter(({ subject }) => securities.has(subject));
  const trades = await toldTrades(
    env,
    db,
    facts.filter(({ asset }) => securities.has(asset)),
    securities,
  );
  return listed.flatMap(({ id, type, subject, payload }): ToldOfSecurity[] => {
    const security = securities.get(subject);
    if (security === undefined || !isSecurityEvent(type)) return [];
    const facts = JSON.parse(payload) as Record<string, unknown>;
    const trade = trades.get(type === 'trade.executed' ? id : String(facts.trade_id)) ?? null;
    return [{ id, type, facts, security, trade }];
  });
}

/** Events of transfers of the bridge, each with the organization whose transfer it is; others are left out. */
export async function toldOfTransfers(db: Database, events: readonly StoredEvent[]): Promise<ToldOfTransfer[]> {
  if (events.length === 0) return [];
  const tenants = await partnerFirms(
    db,
    events.map(({ subject }) => subject),
  );
  return events.flatMap(({ id, type, subject, payload }): ToldOfTransfer[] => {
    const tenant = tenants.get(subject);
    if (tenant === undefined || !isBridgeEvent(type)) return [];
    const facts = JSON.parse(payload) as Record<string, unknown>;
    return [{ id, type, facts, tenant, transferId: String(facts.transfer_id) }];
  });
}

/** Trades that events are of, or refer to. */
async function tradesOf(db: Database, events: readonly StoredEvent[]): Promise<TradeFacts[]> {
  const own = events.filter(({ type }) => type === 'trade.executed').map(({ payload }) => payload);
  const referred = events
    .filter(({ type }) => type !== 'trade.executed' && (type === 'transfer.initiated' || isOfTrade(type)))
    .map(({ payload }) => String((JSON.parse(payload) as { trade_id?: unknown }).trade_id));
  const found = referred.length === 0 ? [] : await findEvents(db, 'trade.executed', referred);
  return [...own, ...found.map(({ payload }) => payload)].map((text) => JSON.parse(text) as TradeFacts);
}

async function toldTrades(
  env: Pick<Env, 'ORDER_BOOK' | 'VENUE_FIRM_NAME' | 'VENUE_CRD_NUMBER' | 'SETTLEMENT_SALT_KEY'>,
  db: Database,
  trades: readonly TradeFacts[],
  securities: ReadonlyMap<string, ToldSecurity>,
): Promise<ReadonlyMap<string, ToldTrade>> {
  if (trades.length === 0) return new Map();
  const venue = { firmName: env.VENUE_FIRM_NAME, crdNumber: env.VENUE_CRD_NUMBER };
  const books = [...new Set(trades.map(({ book }) => book))];
  const [parties, scales, quotes] = await Promise.all([
    partiesOfTrades(db, trades, venue),
    findMarkets(db, books),
    ofEach(books, (book) => quoteOf(env, book)),
  ]);
  const told = new Map<string, ToldTrade>();
  for (const trade of trades) {
    const security = securities.get(trade.asset);
    const market: Scales | null = scales.get(trade.book) ?? null;
    const sides = parties.get(trade.trade_id);
    if (security === undefined || market === null || sides === undefined) continue;
    const { bid = null, ask = null } = quotes.get(trade.book) ?? {};
    const hash = settlementHash(env.SETTLEMENT_SALT_KEY, {
      tradeId: trade.trade_id,
      assetId: trade.asset,
      currency: trade.currency,
      quantity: trade.quantity,
      price: trade.price,
      notional: trade.notional,
      buyer: trade.buyer,
      seller: trade.seller,
      executedAt: trade.executed_at,
    });
    told.set(trade.trade_id, { ...security, trade, scales: market, ...sides, bid, ask, hash });
  }
  return told;
}

async function ofEach<T>(books: readonly string[], read: (book: string) => Promise<T>): Promise<Map<string, T>> {
  return new Map(await Promise.all(books.map(async (book) => [book, await read(book)] as const)));
}

/** A book that does not answer delays no message. */
async function quoteOf(env: Pick<Env, 'ORDER_BOOK'>, symbol: string): Promise<Quote> {
  const none: Quote = { bid: null, ask: null };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Quote>((resolve) => {
    timer = setTimeout(() => resolve(none), QUOTE_WAIT_MS);
  });
  try {
    return await Promise.race([orderBookOf(env, symbol).ticker(), late]);
  } catch {
    return none;
  } finally {
    clearTimeout(timer);
  }
}
