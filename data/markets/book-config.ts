import type { AccreditationType, Rail, Regulation } from '../../domain/assets/asset.ts';
import type { Market } from '../../domain/markets/market.ts';

/** What a book must know of its market, as it stands in D1. */
export interface BookConfig {
  readonly market: Market;
  /** Rules of the base asset that bear on who may sell to whom. */
  readonly regulation: Regulation | null;
  readonly accreditationType: AccreditationType | null;
  /** Fills of private securities go out as events (settlement audit, webhooks). */
  readonly emitsEvents: boolean;
  readonly venueHalted: boolean;
}

/** The market's row with its assets' scales and rules; null when there is no such market. */
export async function readBookConfig(db: D1Database, symbol: string): Promise<BookConfig | null> {
  const row = await db
    .prepare(
      `SELECT m.*, b.scale AS quantity_scale, q.scale AS quote_scale, b.tracks_lots, b.regulation, b.accreditation_type, b.rail,
              (SELECT halted FROM venue) AS venue_halted
       FROM markets m JOIN assets b ON b.id = m.base_asset JOIN assets q ON q.id = m.quote_asset WHERE m.symbol = ?1`,
    )
    .bind(symbol)
    .first<MarketRow>();
  if (row === null) return null;
  return {
    market: {
      symbol: row.symbol,
      baseAsset: row.base_asset,
      quoteAsset: row.quote_asset,
      priceScale: row.price_scale,
      quantityScale: row.quantity_scale,
      quoteScale: row.quote_scale,
      tickSize: row.tick_size,
      lotSize: row.lot_size,
      quantityMin: row.quantity_min,
      quantityMax: row.quantity_max,
      makerFeeBps: row.maker_fee_bps,
      takerFeeBps: row.taker_fee_bps,
      bandBps: row.band_bps,
      referencePrice: row.reference_price,
      status: row.status,
      tracksLots: row.tracks_lots === 1,
      rulesVersion: row.rules_version,
    },
    regulation: row.regulation,
    accreditationType: row.accreditation_type,
    emitsEvents: row.rail === 'private',
    venueHalted: row.venue_halted === 1,
  };
}

interface MarketRow {
  symbol: string;
  base_asset: string;
  quote_asset: string;
  price_scale: number;
  quantity_scale: number;
  quote_scale: number;
  tick_size: number;
  lot_size: number;
  quantity_min: number;
  quantity_max: number;
  maker_fee_bps: number;
  taker_fee_bps: number;
  band_bps: number;
  reference_price: number | null;
  status: Market['status'];
  tracks_lots: number;
  rules_version: number;
  regulation: Regulation | null;
  accreditation_type: AccreditationType | null;
  rail: Rail | null;
  venue_halted: number;
}
