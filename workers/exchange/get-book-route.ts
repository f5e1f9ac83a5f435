import { createRoute, z } from '@hono/zod-openapi';
import { hasSource, readSourceBook } from '../../application/market-data/source-prices.ts';
import { readOrderBook } from '../../application/order-book/read-order-book.ts';
import type { Instrument } from '../../data/catalog/instruments.ts';
import type { SourceLevel } from '../../domain/broker/market-data-source.ts';
import { ok } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { wholeNumberOr } from '../responses/whole-number.ts';
import { askedTooOften } from './asked-too-often.ts';
import { visibleAsset } from './visible-asset.ts';

/** Levels of a side (docs/decisions/api-exchange-profile.md#depth-defaults-to-50). */
const DEPTH_DEFAULT = 50;
const DEPTH_MAX = 1_000;
const BOOK_SECONDS = 1;

const Level = z.object({ price: z.number(), size: z.number() });

/** X-ABK-01 to X-ABK-03. */
const Book = z
  .object({
    assetId: z.string(),
    bids: z.array(Level),
    asks: z.array(Level),
    timestamp: z.iso.datetime().openapi({ description: 'When the source of the book said so.' }),
    stale: z.boolean().openapi({
      description: 'The source of the book is away: this is what it said last, or nothing where it has said nothing.',
    }),
  })
  .openapi('Book');

const depth = wholeNumberOr(DEPTH_DEFAULT, 1, DEPTH_MAX).openapi({ description: 'Levels of each side.' });

const responses = { 200: { description: 'Levels, best first.', content: { 'application/json': { schema: Book } } } };

/** GET /v1/assets/{id}/book and its legacy path, which takes the asset in the query. */
export function getBookRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'public' }, bucket: 'public', edge: { seconds: BOOK_SECONDS } },
    createRoute({
      method: 'get',
      path: '/v1/assets/{id}/book',
      tags: ['assets'],
      summary: 'Order book of an asset',
      request: { params: z.object({ id: z.string() }), query: z.object({ depth }) },
      responses,
    }),
    async (c) => {
      const read = await readLevels(c, c.req.valid('param').id, c.req.valid('query').depth);
      return read.ok ? c.json(read.book, 200) : failure(c, read.error);
    },
  );
  registerRoute(
    exchange,
    {
      access: { credential: 'public' },
      bucket: 'public',
      errors: ['ASSET_NOT_FOUND'],
      edge: { seconds: BOOK_SECONDS },
    },
    createRoute({
      method: 'get',
      path: '/v1/exchange-orderbook',
      tags: ['assets'],
      summary: 'Order book of an asset',
      deprecated: true,
      request: { query: z.object({ assetId: z.string(), depth }) },
      responses,
    }),
    async (c) => {
      const query = c.req.valid('query');
      const read = await readLevels(c, query.assetId, query.depth);
      return read.ok ? c.json(read.book, 200) : failure(c, read.error);
    },
  );
}

type Read =
  | { readonly ok: true; readonly book: z.infer<typeof Book> }
  | { readonly ok: false; readonly error: ApiError };

async function readLevels(c: AppContext, assetId: string, levels: number): Promise<Read> {
  const visible = await visibleAsset(c, assetId);
  if (!visible.ok) return visible;
  const { instrument } = visible;
  const read = hasSource(instrument)
    ? await readVenues(c.env, instrument, levels)
    : ok(await readOwnBook(c.env, instrument, levels));
  if (!read.ok) return { ok: false, error: askedTooOften(c, read.error) };
  const book = read.value;
  if (book.stale) c.set('isUnshared', true);
  return { ok: true, book: { assetId, ...book } };
}

async function readOwnBook(env: Env, { market }: Instrument, levels: number) {
  const { bids, asks } = market === null ? { bids: [], asks: [] } : await readOrderBook(env, market, levels);
  return { bids, asks, timestamp: new Date().toISOString(), stale: false };
}

/** What the venues display together on which orders for the asset execute. */
async function readVenues(env: Env, instrument: Instrument, levels: number) {
  const read = await readSourceBook(env, instrument);
  if (!read.ok) return read;
  const known = read.value;
  if (known === null) return ok({ bids: [], asks: [], timestamp: new Date().toISOString(), stale: true });
  const { bids, asks, at_ms } = known.value;
  const level = ({ price, quantity }: SourceLevel) => ({ price: Number(price), size: Number(quantity) });
  return ok({
    bids: bids.slice(0, levels).map(level),
    asks: asks.slice(0, levels).map(level),
    timestamp: new Date(at_ms).toISOString(),
    stale: known.isStale,
  });
}
