import { and, asc, eq, gt, isNotNull, isNull, ne, or, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import { referenceAt } from '../../domain/markets/band-reference.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { AssetRow } from '../catalog/assets.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { bars, markets, venue } from '../schema/markets.ts';
import { ownTerms } from './markets.ts';

/** A market as the list shows it. */
export interface ListedMarket {
  readonly market: Omit<Market, 'tracksLots'>;
  readonly asset: Pick<AssetRow, 'symbol' | 'status' | 'tradeable'>;
  readonly quoteSymbol: string;
  /** Last trade, scaled; null before the first. */
  readonly lastPrice: number | null;
  /** What the book's price band lies around at the time, scaled; null for the reference price of the market. */
  readonly bandReference: number | null;
  /** Unix ms at which the halt ends that the market's book has begun by itself; null while there is none. */
  readonly haltedUntil: number | null;
}

export interface MarketPage {
  /** Symbol of the last market of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Whether markets of assets offered without general solicitation (506(b)) may be shown. */
  readonly unsolicited: boolean;
  /** Unix milliseconds. */
  readonly now: number;
}

const base = alias(assets, 'base');
const quote = alias(assets, 'quote');

/** Pairs of listed assets by symbol; routed markets are no pairs. While the venue, or its book by itself, has halted it an open market reads as `halted`. */
export async function listListedMarkets(
  db: Database,
  { after, limit, unsolicited, now }: MarketPage,
): Promise<ListedMarket[]> {
  const rows = await db
    .select({
      market: markets,
      asset: {
        symbol: base.symbol,
        status: base.status,
        tradeable: base.tradeable,
        scale: base.scale,
      },
      quote: { symbol: quote.symbol, scale: quote.scale },
      venueHalted: venue.halted,
      lastPrice: sql<number | null>`(
        SELECT ${bars.close} FROM ${bars} WHERE ${bars.book} = ${markets.symbol} AND ${bars.interval} = '1d'
        ORDER BY ${bars.bucket} DESC LIMIT 1
      )`,
    })
    .from(markets)
    .innerJoin(base, eq(base.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .innerJoin(venue, eq(venue.id, 1))
    .where(
      and(
        gt(markets.symbol, after),
        eq(markets.route, 'internal'),
        isNotNull(base.rail),
        ne(base.status, 'PENDING'),
        unsolicited ? undefined : or(isNull(base.accreditationType), ne(base.accreditationType, '506b')),
      ),
    )
    .orderBy(asc(markets.symbol))
    .limit(limit);
  return rows.map(({ market, asset, quote, venueHalted, ...prices }) => {
    const isHalted = venueHalted || isLater(market.haltedUntil, now);
    return {
      market: {
        ...ownTerms(market),
        quantityScale: asset.scale,
        quoteScale: quote.scale,
        status: isHalted && market.status === 'open' ? 'halted' : market.status,
      },
      asset,
      quoteSymbol: quote.symbol,
      ...prices,
      bandReference: bandReferenceAt(now, market, prices.lastPrice),
      haltedUntil: isLater(market.haltedUntil, now) ? market.haltedUntil : null,
    };
  });
}

/** As its book lays it at a time. Of a book that has told nothing of where it goes yet: what it told before, or what has traded, which it starts from. */
function bandReferenceAt(now: number, market: typeof markets.$inferSelect, lastPrice: number | null): number | null {
  const { bandReference: reference, bandTarget: target, bandToldAt: at, bandStatement: statement } = market;
  const stand =
    at === null
      ? { reference: reference ?? lastPrice, target: null, at: now, statement }
      : { reference, target, at, statement };
  return referenceAt(now, stand, market, market.haltedUntil);
}

function isLater(time: number | null, now: number): boolean {
  return time !== null && time > now;
}
