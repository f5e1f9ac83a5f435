import { database } from '../../../data/database.ts';
import { isVenueHalted } from '../../../data/markets/venue.ts';
import { type HaltStep, lastHalts, VENUE_SUBJECT } from '../../../data/overview/halts.ts';
import { countMarkets, listVenueMarkets, type VenueMarket } from '../../../data/overview/venue-markets.ts';
import type { MarketStatus } from '../../../domain/markets/market.ts';
import { type StandstillCause, standstillCauses } from '../../../domain/markets/standstill.ts';
import { type BookStatus, orderBookOf } from '../../../durable-objects/order-book/api.ts';

/** Markets of which one answer tells: what it asks grows with no more than this. */
const MARKETS_MAX = 500;
/** A book that takes longer counts as away. */
const BOOK_WAIT_MS = 3_000;

/** A market, what its book says, and why it stands still. */
export interface MarketNow extends VenueMarket {
  readonly book: BookStatus | 'away' | 'not_asked';
  readonly causes: readonly StandstillCause[];
  /** Who has halted the market itself; null where it is not halted, or nobody wrote it down. */
  readonly halt: HaltStep | null;
}

export interface TradingState {
  readonly venueHalted: boolean;
  readonly venueHalt: HaltStep | null;
  readonly counts: Readonly<Record<MarketStatus, number>>;
  /** Those that were looked at, by symbol. */
  readonly markets: readonly MarketNow[];
  /** There are more markets than one answer tells of. */
  readonly isMore: boolean;
}

type TradingEnv = Pick<Env, 'DB' | 'ORDER_BOOK'>;

/** Whether each market takes orders, and why not. */
export async function readTradingState(env: TradingEnv, now: number): Promise<TradingState> {
  const db = database(env.DB);
  const all = { status: null, route: null, search: null, after: '', limit: MARKETS_MAX + 1 };
  const [counts, rows] = await Promise.all([countMarkets(db), listVenueMarkets(db, all)]);
  const shown = rows.slice(0, MARKETS_MAX);
  const { venueHalted, venueHalt, markets } = await readMarketsNow(env, shown, { now, asksBooks: true });
  return { venueHalted, venueHalt, counts, markets, isMore: rows.length > shown.length };
}

/** The same of markets that were read. Whoever asks their books reads MARKETS_MAX at most. */
export async function readMarketsNow(
  env: TradingEnv,
  rows: readonly VenueMarket[],
  { now, asksBooks }: { readonly now: number; readonly asksBooks: boolean },
): Promise<Pick<TradingState, 'venueHalted' | 'venueHalt' | 'markets'>> {
  const db = database(env.DB);
  const halted = rows.filter(({ market }) => market.status === 'halted').map(({ market }) => market.symbol);
  const [venueHalted, halts, books] = await Promise.all([
    isVenueHalted(db),
    lastHalts(db, [VENUE_SUBJECT, ...halted]),
    Promise.all(rows.map((row) => (asksBooks ? askBook(env, row) : 'not_asked'))),
  ]);
  const markets = rows.map((row, index): MarketNow => {
    const book = books[index] ?? 'away';
    const state = {
      venueHalted,
      status: row.market.status,
      isApproved: row.base.status === 'APPROVED' && row.quote.status === 'APPROVED',
      haltedUntil: typeof book === 'object' ? book.haltedUntil : row.haltedUntil,
      book,
    };
    return { ...row, book, causes: standstillCauses(state, now), halt: halts.get(row.market.symbol) ?? null };
  });
  return { venueHalted, venueHalt: venueHalted ? (halts.get(VENUE_SUBJECT) ?? null) : null, markets };
}

/** A market that is closed for good is not asked, so that its book is not woken. */
async function askBook(env: TradingEnv, { market }: VenueMarket): Promise<BookStatus | 'away' | 'not_asked'> {
  if (market.status === 'closed') return 'not_asked';
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'away'>((resolve) => {
    timer = setTimeout(() => resolve('away'), BOOK_WAIT_MS);
  });
  try {
    return await Promise.race([orderBookOf(env, market.symbol).status(), late]);
  } catch {
    return 'away';
  } finally {
    clearTimeout(timer);
  }
}
