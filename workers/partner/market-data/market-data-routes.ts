import { createRoute, z } from '@hono/zod-openapi';
import { settleMarket } from '../../../application/ledger/settle-before-read.ts';
import { readOwnBars } from '../../../application/market-data/asset-bars.ts';
import { readQuote } from '../../../application/market-data/read-quote.ts';
import { readOrderBook } from '../../../application/order-book/read-order-book.ts';
import { type FollowedMarket, followedMarket } from '../../../application/partner/securities/followed-market.ts';
import { database } from '../../../data/database.ts';
import { listTradesOf } from '../../../data/markets/public-trades.ts';
import { BAR_INTERVALS } from '../../../domain/charts/bar-interval.ts';
import { CHART_BARS_MAX, CHART_RANGES, chartWindow } from '../../../domain/charts/chart-window.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { DEPTH_DEFAULT, DEPTH_MAX } from '../../../protocol/feeds/topic.ts';
import { type AppContext, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { moreOf } from '../../responses/link-next-page.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumber, wholeNumberOr } from '../../responses/whole-number.ts';
import { isoTime, jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import { noSuchSecurity } from '../securities/security-schema.ts';
import {
  SecurityBookView,
  SecurityChartView,
  SecurityQuoteView,
  SecurityTradesView,
  tradeView,
} from './market-data-schema.ts';

const tags = ['market data'];
const securityParam = z.object({ id: z.uuid() });
const TRADES_DEFAULT = 100;
const TRADES_MAX = 1_000;

/** GET /v1/securities/{id}/quote (P-MKT-01). */
export function getQuoteRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities/{id}/quote',
      tags,
      summary: 'Best bid, best ask and last price of a security',
      description: 'Each is null where there is none, all of them before the security is listed.',
      request: { params: securityParam },
      responses: { 200: jsonOf('The quote.', SecurityQuoteView) },
    }),
    async (c) => {
      const followed = await followedOf(c, c.req.valid('param').id);
      if (followed === null) return failure(c, noSuchSecurity());
      const { securityId: security_id, instrument } = followed;
      const quote = instrument === null ? null : await readQuote(c.env, instrument.market.symbol);
      const timestamp = isoTime(Date.now());
      return c.json({ security_id, ...(quote ?? { bid: null, ask: null, last: null }), timestamp }, 200);
    },
  );
}

/** GET /v1/securities/{id}/book (P-MKT-02). */
export function getBookRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities/{id}/book',
      tags,
      summary: 'Levels of the order book of a security, best first',
      request: {
        params: securityParam,
        query: z.object({
          depth: wholeNumberOr(DEPTH_DEFAULT, 1, DEPTH_MAX).openapi({ description: 'Levels of each side.' }),
        }),
      },
      responses: { 200: jsonOf('The book.', SecurityBookView) },
    }),
    async (c) => {
      const followed = await followedOf(c, c.req.valid('param').id);
      if (followed === null) return failure(c, noSuchSecurity());
      const { securityId: security_id, instrument } = followed;
      if (instrument === null)
        return c.json({ security_id, bids: [], asks: [], sequence: 0, timestamp: isoTime(Date.now()) }, 200);
      const { depth } = c.req.valid('query');
      const { bids, asks, sequence, timestamp } = await readOrderBook(c.env, instrument.market, depth);
      const level = ({ price, size }: (typeof bids)[number]) => ({ price, quantity: size });
      return c.json(
        { security_id, bids: bids.map(level), asks: asks.map(level), sequence, timestamp: isoTime(timestamp) },
        200,
      );
    },
  );
}

/** GET /v1/securities/{id}/trades (P-MKT-03). */
export function listTradesRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities/{id}/trades',
      tags,
      summary: 'Trades of a security, newest first',
      request: {
        params: securityParam,
        query: z.object({
          limit: wholeNumberOr(TRADES_DEFAULT, 1, TRADES_MAX).openapi({
            description: 'Page size. The next page is in the Link header.',
          }),
          cursor: wholeNumber(1).optional().openapi({ description: 'Only trades of a lower sequence.' }),
        }),
      },
      responses: { 200: jsonOf('The trades.', SecurityTradesView) },
    }),
    async (c) => {
      const followed = await followedOf(c, c.req.valid('param').id);
      if (followed === null) return failure(c, noSuchSecurity());
      const { securityId: security_id, instrument } = followed;
      if (instrument === null) return c.json({ security_id, trades: [] }, 200);
      const { market } = instrument;
      const { limit, cursor } = c.req.valid('query');
      await settleMarket(c.env, market.symbol);
      const wanted = { limit: rowsToRead(limit), before: cursor ?? null };
      const found = await listTradesOf(database(c.env.DB), market.symbol, wanted);
      const page = pageOf(c, found, limit, (last) => String(last.sequence));
      return c.json({ security_id, trades: page.map((trade) => tradeView(trade, market)), ...moreOf(c) }, 200);
    },
  );
}

/** GET /v1/securities/{id}/chart (P-MKT-04). */
export function getChartRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/securities/{id}/chart',
      tags,
      summary: 'OHLCV bars of a security',
      description: 'Oldest first, the running one included. Where nothing traded there is no bar.',
      request: {
        params: securityParam,
        query: z.object({
          range: z.enum(CHART_RANGES).optional().openapi({ description: 'Defaults to 1d.' }),
          interval: z
            .enum(BAR_INTERVALS)
            .optional()
            .openapi({
              description: `Defaults to one that fits the range; more than ${CHART_BARS_MAX} bars are refused.`,
            }),
        }),
      },
      responses: { 200: jsonOf('The bars.', SecurityChartView) },
    }),
    async (c) => {
      const followed = await followedOf(c, c.req.valid('param').id);
      if (followed === null) return failure(c, noSuchSecurity());
      const { range, interval: wanted } = c.req.valid('query');
      const now = Date.now();
      const window = chartWindow(range, wanted, now);
      if (!window.ok)
        return failure(
          c,
          apiError('VALIDATION_ERROR', 'the range has too many bars of this interval', { ...window.error }),
        );
      const { securityId: security_id, instrument } = followed;
      const { interval } = window.value;
      if (instrument === null) return c.json({ security_id, interval, bars: [] }, 200);
      await settleMarket(c.env, instrument.market.symbol);
      const bars = await readOwnBars(c.env, instrument, window.value);
      const shown = bars.map(({ start_ms, ...bar }) => ({ time: isoTime(start_ms), ...bar }));
      return c.json({ security_id, interval, bars: shown }, 200);
    },
  );
}

function followedOf(c: AppContext, id: string): Promise<FollowedMarket | null> {
  return followedMarket(c.env, partnerOf(c), id);
}
