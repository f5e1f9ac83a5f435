import { findInstrumentOfAsset, findInstrumentOfMarket, type Instrument } from '../../../data/catalog/instruments.ts';
import { database } from '../../../data/database.ts';
import { takesOrders } from '../../../domain/order-entry/instrument-failure.ts';
import { log } from '../../../durable-objects/log/log.ts';
import type { OrderRequest } from '../order-request.ts';

/**
 * How long an isolate may go by the instrument that it has read. Admission asserts the market's rulesVersion, so an order checked
 * under old rules is refused as stale and checked again; what this bounds is how long a refusal may outlive its cause. What takes no
 * orders is read every time, so that a halt ends at once.
 */
const FRESH_MS = 5_000;
/** How long it may while D1 does not answer; D1 is then asked again once a second. */
const FRESH_WITHOUT_D1_MS = 300_000;
const RETRY_MS = 1_000;
const INSTRUMENTS_MAX = 2_000;
/** How long a name that stands for nothing is not looked up again; so much later may a new one be found. */
const MISSING_MS = 1_000;
const MISSING_MAX = 10_000;
/** Characters of a name, of which no symbol and no id has as many: a longer one is nobody's, and takes no room and no look-up. */
const NAME_LENGTH_MAX = 200;

interface Known {
  readonly instrument: Instrument;
  readonly readAt: number;
  /** D1 did not answer: until then it is not asked again. */
  readonly retryAt: number;
}

const cache = new Map<string, Known>();
/** Names that D1 did not have, and until when they are not looked up. Of too many the oldest is forgotten. */
const missing = new Map<string, number>();

/**
 * The instrument of an order, at most 5 s old unless `reread`, and five minutes while D1 does not answer. Null when there is none, or was
 * none within the last second; `unavailable` when D1 does not answer and nothing is known that is new enough.
 */
export async function instrumentOf(
  env: Pick<Env, 'DB'>,
  wanted: OrderRequest['instrument'],
  reread = false,
): Promise<Instrument | null | 'unavailable'> {
  const name = 'assetId' in wanted ? wanted.assetId : wanted.symbol;
  if (name.length > NAME_LENGTH_MAX) return null;
  const key = `${'assetId' in wanted ? 'asset' : 'market'} ${name}`;
  const known = cache.get(key);
  const now = Date.now();
  if (known !== undefined && !reread) {
    const age_ms = now - known.readAt;
    if (age_ms < FRESH_MS || (now < known.retryAt && age_ms < FRESH_WITHOUT_D1_MS)) return known.instrument;
  }
  if (!reread && (missing.get(key) ?? 0) > now) return null;
  let instrument: Instrument | null;
  try {
    instrument = await findInstrument(env, wanted);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    log('warn', 'an instrument could not be read', { instrument: key, reason });
    if (known === undefined || reread || now - known.readAt >= FRESH_WITHOUT_D1_MS) return 'unavailable';
    cache.set(key, { ...known, retryAt: now + RETRY_MS });
    return known.instrument;
  }
  cache.delete(key);
  missing.delete(key);
  if (instrument === null) {
    if (missing.size >= MISSING_MAX) missing.delete(missing.keys().next().value ?? '');
    missing.set(key, now + MISSING_MS);
    return null;
  }
  if (!takesOrders(instrument)) return instrument;
  if (cache.size >= INSTRUMENTS_MAX) cache.delete(cache.keys().next().value ?? '');
  cache.set(key, { instrument, readAt: now, retryAt: 0 });
  return instrument;
}

/** Of a market that was read before, however long ago: what never changes of it may still be used. */
export function knownInstrument(symbol: string): Instrument | null {
  return cache.get(`market ${symbol}`)?.instrument ?? null;
}

function findInstrument(env: Pick<Env, 'DB'>, wanted: OrderRequest['instrument']): Promise<Instrument | null> {
  const db = database(env.DB);
  return 'assetId' in wanted ? findInstrumentOfAsset(db, wanted.assetId) : findInstrumentOfMarket(db, wanted.symbol);
}
