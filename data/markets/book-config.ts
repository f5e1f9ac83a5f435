import type { AccreditationType, AssetCategory, Rail, Regulation } from '../../domain/assets/asset.ts';
import type { Market } from '../../domain/markets/market.ts';
import { settlementTermOf } from '../../domain/markets/settlement-term.ts';

/** What a book must know of its market, as it stands in D1. */
export interface BookConfig {
  readonly market: Market;
  /** Rules of the base asset that bear on who may sell to whom. */
  readonly regulation: Regulation | null;
  readonly accreditationType: AccreditationType | null;
  /** Null in a configuration that was kept before it was read. */
  readonly category: AssetCategory | null;
  /** Fills of private securities go out as events (settlement audit, webhooks). */
  readonly emitsEvents: boolean;
  readonly venueHalted: boolean;
}

/** The market's row with its assets' scales and rules; null when there is no such market. */
export async function readBookConfig(db: D1Database, symbol: string): Promise<BookConfig | null> {
  const row = await db
    .prepare(
      `SELECT m.symbol, m.route, m.base_asset AS baseAsset, m.quote_asset AS quoteAsset, m.price_scale AS priceScale,
              b.scale AS quantityScale, q.scale AS quoteScale, m.tick_size AS tickSize, m.lot_size AS lotSize,
              m.quantity_min AS quantityMin, m.quantity_max AS quantityMax, m.maker_fee_bps AS makerFeeBps,
              m.taker_fee_bps AS takerFeeBps, m.band_bps AS bandBps,
              m.band_halt_seconds AS bandHaltSeconds, m.trading_hours AS tradingHours, m.reference_price AS referencePrice, m.status,
              m.rules_version AS rulesVersion, b.tracks_lots AS tracksLots, b.regulation,
              b.accreditation_type AS accreditationType, b.category, b.rail, (SELECT halted FROM venue) AS venueHalted
       FROM markets m JOIN assets b ON b.id = m.base_asset JOIN assets q ON q.id = m.quote_asset WHERE m.symbol = ?1`,
    )
    .bind(symbol)
    .first<ConfigRow>();
  if (row === null) return null;
  const { regulation, accreditationType, category, rail, venueHalted, tracksLots, ...market } = row;
  return {
    market: { ...market, tracksLots: tracksLots === 1, settlement: settlementTermOf(market.route, category) },
    regulation,
    accreditationType,
    category,
    emitsEvents: rail === 'private',
    venueHalted: venueHalted === 1,
  };
}

interface ConfigRow
  extends Omit<Market, 'tracksLots'>,
    Pick<BookConfig, 'regulation' | 'accreditationType' | 'category'> {
  readonly rail: Rail | null;
  readonly tracksLots: number;
  readonly venueHalted: number;
}
