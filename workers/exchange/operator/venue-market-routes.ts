import { createRoute, z } from '@hono/zod-openapi';
import { askLedger } from '../../../application/ledger/ask-ledger.ts';
import { projected } from '../../../application/ledger/projected.ts';
import { noSuchMarket } from '../../../application/operator/not-found.ts';
import { readMarketsNow } from '../../../application/operator/overview/trading-state.ts';
import { database } from '../../../data/database.ts';
import { listHalts } from '../../../data/overview/halts.ts';
import { findVenueMarket, listVenueMarkets } from '../../../data/overview/venue-markets.ts';
import { MARKET_ROUTES, MARKET_STATUSES } from '../../../domain/markets/market.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { VENUE_READ } from './operator-route.ts';
import { haltStepView, VenueMarketDetailView, VenueMarketView, venueMarketView } from './venue-market-schema.ts';

const HALTS_SHOWN = 20;
const LEDGER_WAIT_MS = 3_000;
const SYMBOL_LENGTH_MAX = 100;

/** What operators read of markets, whatever their route. */
export function venueMarketRoutes(exchange: Profile): void {
  listVenueMarketsRoute(exchange);
  getVenueMarketRoute(exchange);
}

/** GET /v1/operator/markets: rules of every market, and why those take no orders that take none. Books are not asked. */
function listVenueMarketsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/markets',
      tags: ['operator'],
      summary: 'Markets of every route by symbol, with rules and halts',
      description: 'What only a book knows stands in the market itself and in the overview: no book is asked here.',
      request: {
        query: z.object({
          status: z.enum(MARKET_STATUSES).optional(),
          route: z.enum(MARKET_ROUTES).optional(),
          search: z
            .string()
            .min(1)
            .max(SYMBOL_LENGTH_MAX)
            .optional()
            .openapi({ description: 'Begins the symbol, in capitals or not.' }),
          limit: limitQuery,
          cursor: z
            .string()
            .max(SYMBOL_LENGTH_MAX)
            .optional()
            .openapi({ description: 'Symbol of the last market of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('The markets.', z.array(VenueMarketView)) },
    }),
    async (c) => {
      const { status = null, route = null, search = null, limit, cursor = '' } = c.req.valid('query');
      const found = await listVenueMarkets(database(c.env.DB), {
        status,
        route,
        search,
        after: cursor,
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, ({ market }) => market.symbol);
      const now = Date.now();
      const { markets } = await readMarketsNow(c.env, page, { now, books: null, ledger: undefined });
      return c.json(enveloped(markets.map((row) => venueMarketView(row, now))), 200);
    },
  );
}

/** GET /v1/operator/markets/{symbol}: the same, with what its book says and the halts it had. */
function getVenueMarketRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/markets/{symbol}',
      tags: ['operator'],
      summary: 'A market: rules, state, book, and its halts with who made them and why',
      request: { params: z.object({ symbol: z.string() }) },
      responses: { 200: envelopeOf('The market.', VenueMarketDetailView) },
    }),
    async (c) => {
      const { symbol } = c.req.valid('param');
      // Whoever has just halted a market sees that it is halted. Whoever looks why nothing goes on is told what is known.
      const isCurrent = await projected(c.env);
      const db = database(c.env.DB);
      const found = await findVenueMarket(db, symbol);
      if (found === null) return failure(c, noSuchMarket());
      const now = Date.now();
      const ledger = askLedger(c.env, (asked) => asked.status(), LEDGER_WAIT_MS);
      const [state, halts] = await Promise.all([
        readMarketsNow(c.env, [found], { now, books: 'now', ledger }),
        listHalts(db, symbol, HALTS_SHOWN),
      ]);
      const [row] = state.markets;
      if (row === undefined) return failure(c, noSuchMarket());
      const view = {
        ...venueMarketView(row, now),
        isCurrent,
        venueHalted: state.venueHalted,
        book: typeof row.book === 'object' ? row.book : null,
        halts: halts.map(haltStepView),
      };
      return c.json(enveloped(view), 200);
    },
  );
}
