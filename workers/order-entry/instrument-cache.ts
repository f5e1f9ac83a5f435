import { database } from '../../data/database.ts';
import { findInstrumentOfAsset, findInstrumentOfMarket, type Instrument } from '../../data/instruments.ts';
import type { OrderRequest } from './order-request.ts';

/**
 * How long an isolate may go by the instrument that it has read. Admission asserts the market's rulesVersion, so an order checked
 * under old rules is refused as stale and checked again; what this bounds is how long a refusal may outlive its cause. What takes no
 * orders is read every time, so that a halt ends at once.
 */
const FRESH_MS = 5_000;
const INSTRUMENTS_MAX = 2_000;

const cache = new Map<string, { readonly instrument: Instrument; readonly readAt: number }>();

/** The instrument of an order, at most 5 s old unless `reread`; null when there is none. */
export async function instrumentOf(
  env: Env,
  wanted: OrderRequest['instrument'],
  reread = false,
): Promise<Instrument | null> {
  const key = 'assetId' in wanted ? `asset ${wanted.assetId}` : `market ${wanted.symbol}`;
  const known = cache.get(key);
  if (known !== undefined && !reread && Date.now() - known.readAt < FRESH_MS) return known.instrument;
  const instrument = await findInstrument(env, wanted);
  cache.delete(key);
  if (instrument === null || !takesOrders(instrument)) return instrument;
  if (cache.size >= INSTRUMENTS_MAX) cache.delete(cache.keys().next().value ?? '');
  cache.set(key, { instrument, readAt: Date.now() });
  return instrument;
}

function findInstrument(env: Env, wanted: OrderRequest['instrument']): Promise<Instrument | null> {
  const db = database(env.DB);
  return 'assetId' in wanted ? findInstrumentOfAsset(db, wanted.assetId) : findInstrumentOfMarket(db, wanted.symbol);
}

function takesOrders({ asset, market }: Instrument): boolean {
  return asset.tradeable && asset.status === 'APPROVED' && (market === null || market.status === 'open');
}
