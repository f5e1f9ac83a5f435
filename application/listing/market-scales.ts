import { database } from '../../data/database.ts';
import type { ListingEventRow } from '../../data/listing/listing-events.ts';
import { findMarket } from '../../data/markets/markets.ts';
import type { Market } from '../../domain/markets/market.ts';

/** Scales of what a listing event says in numbers. */
export async function findMarketScales(
  env: Env,
  { id, book }: Pick<ListingEventRow, 'id' | 'book'>,
): Promise<Pick<Market, 'priceScale' | 'quantityScale'>> {
  const market = await findMarket(database(env.DB), book);
  if (market === null) throw new Error(`listing event ${id} is of no market`);
  return market;
}
