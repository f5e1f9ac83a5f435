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
  /** The last splits of the base asset, oldest first. Left out where there were none. */
  readonly splits?: readonly MarketSplit[];
}

/** `from` shares became `to`. */
export interface MarketSplit {
  /** Of the register's event. */
  readonly id: string;
  readonly from: number;
  readonly to: number;
}

/** A book that has missed more of them was not asked for anything in between. */
const SPLITS_MAX = 20;

/** The market's row with its assets' scales and rules; null when there is no such market. */
export async function readBookConfig(db: D1Database, symbol: string): Promise<BookConfig | null> {
  const row = await db
    .prepare(
      `SELECT m.symbol, m.route, m.base_asset AS baseAsset, m.quote_asset AS quoteAsset, m.price_scale AS priceScale,
              b.scale AS quantityScale, q.scale AS quoteScale, m.tick_size AS tickSize, m.lot_size AS lotSize,
              m.quantity_min AS quantityMin, m.quantity_max AS quantityMax, m.maker_fee_bps AS makerFeeBps,
              m.taker_fee_bps AS takerFeeBps, m.band_bps AS bandBps,
              m.band_halt_seconds AS bandHaltSeconds, m.trading_hours AS tradingHours, m.reference_price AS referencePrice,
              m.reference_statement AS referenceStatement, m.status,
              m.rules_version AS rulesVersion, b.tracks_lots AS tracksLots, b.regulation,
              b.accreditation_type AS accreditationType, b.category, b.rail, (SELECT halted FROM venue) AS venueHalted,
              (SELECT json_group_array(json_object('id', id, 'from', ratio -> 'from', 'to', ratio -> 'to')) FROM (
                SELECT id, ratio FROM register_events
                WHERE security = m.base_asset AND type = 'split' AND state = 'recorded' ORDER BY sequence DESC LIMIT ?2)) AS splits
       FROM markets m JOIN assets b ON b.id = m.base_asset JOIN assets q ON q.id = m.quote_asset WHERE m.symbol = ?1`,
    )
    .bind(symbol, SPLITS_MAX)
    .first<ConfigRow>();
  if (row === null) return null;
  const { regulation, accreditationType, category, rail, venueHalted, tracksLots, splits: told, ...market } = row;
  const splits = (JSON.parse(told) as MarketSplit[]).reverse();
  return {
    market: { ...market, tracksLots: tracksLots === 1, settlement: settlementTermOf(market.route, category) },
    regulation,
    accreditationType,
    category,
    emitsEvents: rail === 'private',
    venueHalted: venueHalted === 1,
    ...(splits.length === 0 ? {} : { splits }),
  };
}

interface ConfigRow
  extends Omit<Market, 'tracksLots'>,
    Pick<BookConfig, 'regulation' | 'accreditationType' | 'category'> {
  readonly rail: Rail | null;
  readonly tracksLots: number;
  readonly venueHalted: number;
  /** JSON, the last one first. */
  readonly splits: string;
}
