import { and, asc, eq, gt, isNotNull, isNull, ne, or } from 'drizzle-orm';
import { alias } from 'drizzle-orm/sqlite-core';
import type { Rail } from '../../domain/assets/asset.ts';
import type { Market } from '../../domain/markets/market.ts';
import type { Database } from '../database.ts';
import { assets } from '../schema/catalog.ts';
import { markets } from '../schema/markets.ts';

/** What trades of a market cost, by its rules. */
export interface MarketFees extends Pick<Market, 'symbol' | 'route' | 'makerFeeBps' | 'takerFeeBps'> {
  readonly assetId: string;
  readonly assetSymbol: string;
  readonly rail: Rail | null;
  readonly currency: string;
}

interface FeePage {
  /** Symbol of the last market of the page before; empty for the first page. */
  readonly after: string;
  readonly limit: number;
  /** Only those of this asset, or null. */
  readonly assetId: string | null;
  /** Whether markets of assets offered without general solicitation (506(b)) may be shown. */
  readonly unsolicited: boolean;
  /** Only pairs, whose orders execute in a book of ours. */
  readonly pairsAlone?: boolean;
}

const base = alias(assets, 'base');
const quote = alias(assets, 'quote');

/** Fees of the markets of listed assets, wherever they execute, by symbol. */
export function listMarketFees(
  db: Database,
  { after, limit, assetId, unsolicited, pairsAlone = false }: FeePage,
): Promise<MarketFees[]> {
  return db
    .select({
      symbol: markets.symbol,
      route: markets.route,
      makerFeeBps: markets.makerFeeBps,
      takerFeeBps: markets.takerFeeBps,
      assetId: base.id,
      assetSymbol: base.symbol,
      rail: base.rail,
      currency: quote.symbol,
    })
    .from(markets)
    .innerJoin(base, eq(base.id, markets.baseAsset))
    .innerJoin(quote, eq(quote.id, markets.quoteAsset))
    .where(
      and(
        gt(markets.symbol, after),
        isNotNull(base.rail),
        ne(base.status, 'PENDING'),
        pairsAlone ? eq(markets.route, 'internal') : undefined,
        assetId === null ? undefined : eq(base.id, assetId),
        unsolicited ? undefined : or(isNull(base.accreditationType), ne(base.accreditationType, '506b')),
      ),
    )
    .orderBy(asc(markets.symbol))
    .limit(limit);
}
