import { database } from '../../../data/database.ts';
import { isVenueHalted } from '../../../data/markets/venue.ts';
import { type HaltStep, lastHalts, VENUE_SUBJECT } from '../../../data/overview/halts.ts';
import { countMarkets, listLivingMarkets, type VenueMarket } from '../../../data/overview/venue-markets.ts';
import type { MarketStatus } from '../../../domain/markets/market.ts';
import { type LedgerState, type StandstillCause, standstillCauses } from '../../../domain/markets/standstill.ts';
import type { LedgerStatus } from '../../../durable-objects/ledger/api.ts';
import type { BookStatus } from '../../../durable-objects/order-book/api.ts';
import { askBook } from '../ask-book.ts';
import { BookAnswers } from './book-answers.ts';

/** Markets of which one answer tells: what it asks grows with no more than this. */
const MARKETS_MAX = 500;

/** Of this isolate, whoever asks. */
const SHARED_ANSWERS = new BookAnswers();

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
  /** Those that were looked at: halted ones first, then by symbol. None that is closed for good. */
  readonly markets: readonly MarketNow[];
  /** There are more markets than one answer tells of. */
  readonly isMore: boolean;
}

interface Asked {
  readonly now: number;
  /** Null where books are not asked. `shared`: an answer of some seconds ago does. */
  readonly books: 'now' | 'shared' | null;
  /** What the ledger says; undefined where it is not asked, null where it does not answer. */
  readonly ledger: Promise<LedgerStatus | null> | undefined;
}

type TradingEnv = Pick<Env, 'DB' | 'ORDER_BOOK'>;

/** Whether each market takes orders, and why not. */
export async function readTradingState(
  env: TradingEnv,
  { now, ledger }: Pick<Asked, 'now' | 'ledger'>,
): Promise<TradingState> {
  const db = database(env.DB);
  const [counts, rows] = await Promise.all([countMarkets(db), listLivingMarkets(db, MARKETS_MAX + 1)]);
  const shown = rows.slice(0, MARKETS_MAX);
  const state = await readMarketsNow(env, shown, { now, books: 'shared', ledger });
  return { ...state, counts, isMore: rows.length > shown.length };
}

/** The same of markets that were read. Whoever asks their books reads MARKETS_MAX at most. */
export async function readMarketsNow(
  env: TradingEnv,
  rows: readonly VenueMarket[],
  { now, books: asked, ledger }: Asked,
): Promise<Pick<TradingState, 'venueHalted' | 'venueHalt' | 'markets'>> {
  const db = database(env.DB);
  const [venueHalted, books, ledgerStatus] = await Promise.all([
    isVenueHalted(db),
    Promise.all(rows.map((row) => (asked === null ? 'not_asked' : askBookOf(env, row, { now, books: asked })))),
    ledger,
  ]);
  const found = rows.map((row, index) => {
    const book = books[index] ?? 'away';
    return { ...row, book, market: { ...row.market, status: statusOf(row, book) } };
  });
  const halted = found.filter(({ market }) => market.status === 'halted').map(({ market }) => market.symbol);
  const halts = await lastHalts(db, [VENUE_SUBJECT, ...halted]);
  const markets = found.map((row): MarketNow => {
    const { book, market } = row;
    const state = {
      venueHalted,
      status: market.status,
      isApproved: row.base.status === 'APPROVED' && row.quote.status === 'APPROVED',
      haltedUntil: typeof book === 'object' ? book.haltedUntil : row.haltedUntil,
      isSplitting: row.isSplitting,
      book,
      ledger: ledgerStateOf(ledgerStatus),
    };
    return { ...row, causes: standstillCauses(state, now), halt: halts.get(market.symbol) ?? null };
  });
  return { venueHalted, venueHalt: venueHalted ? (halts.get(VENUE_SUBJECT) ?? null) : null, markets };
}

/** A book that runs knows better than D1, which may be behind. */
function statusOf({ market }: VenueMarket, book: MarketNow['book']): MarketStatus {
  return typeof book === 'object' && book.owner !== '' ? book.market : market.status;
}

function ledgerStateOf(status: LedgerStatus | null | undefined): LedgerState {
  if (status === undefined) return 'not_asked';
  if (status === null) return 'away';
  if (status.halted !== null) return 'halted';
  return status.admits ? 'runs' : 'refuses';
}

/** A market that is closed for good is not asked, so that its book is not woken. */
async function askBookOf(
  env: TradingEnv,
  { market: { symbol, status } }: VenueMarket,
  { now, books }: { readonly now: number; readonly books: 'now' | 'shared' },
): Promise<MarketNow['book']> {
  if (status === 'closed') return 'not_asked';
  const said = books === 'shared' ? SHARED_ANSWERS.find(symbol, status, now) : null;
  if (said !== null) return said;
  const answer = await askBook(env, symbol);
  if (answer !== null) SHARED_ANSWERS.note(symbol, answer, now);
  return answer ?? 'away';
}
