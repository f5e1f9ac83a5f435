import { createRoute, z } from '@hono/zod-openapi';
import { settleMarket } from '../../application/ledger/settle-before-read.ts';
import { database } from '../../data/database.ts';
import { listTradesOf, type TradeRecord } from '../../data/markets/public-trades.ts';
import { ADJUSTMENT_TYPES } from '../../domain/ledger/adjustment-type.ts';
import type { Market } from '../../domain/markets/market.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { SIDES } from '../../domain/orders/order.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { pageOf, rowsToRead } from '../responses/paging.ts';
import { wholeNumber, wholeNumberOr } from '../responses/whole-number.ts';
import { visibleMarket } from './visible-market.ts';

const LIMIT_DEFAULT = 100;
const LIMIT_MAX = 1_000;

const Trade = z.object({
  trade_id: z.uuid(),
  sequence: z.int().openapi({ description: 'Gapless within the symbol.' }),
  symbol: z.string(),
  price: z.number(),
  size: z.number(),
  side: z.enum(SIDES).openapi({ description: 'Of the taker.' }),
  timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
  status: z.enum(['executed', ...ADJUSTMENT_TYPES]).openapi({
    description: 'Whether the trade was taken back (nothing of it stands) or stands at another price since.',
  }),
  corrected_price: z.number().nullable().openapi({ description: 'What it stands at; null unless it was corrected.' }),
  adjusted_at: z.int().nullable().openapi({ description: 'When it was taken back or corrected.' }),
});

const Trades = z.object({ symbol: z.string(), trades: z.array(Trade) }).openapi('Trades');

const Page = z.object({
  limit: wholeNumberOr(LIMIT_DEFAULT, 1, LIMIT_MAX),
  cursor: wholeNumber(1).optional(),
});

const responses = {
  200: {
    description: 'Newest first; the next page is in the Link header.',
    content: { 'application/json': { schema: Trades } },
  },
};

/** GET /v1/trades?symbol= and GET /v1/trades/{symbol}, the same answer. */
export function listTradesRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/trades',
      summary: 'Trades of a symbol',
      request: { query: Page.extend({ symbol: z.string() }) },
      responses,
    }),
    (c) => answer(c, c.req.valid('query').symbol, c.req.valid('query')),
  );

  registerRoute(
    profile,
    { access: { credential: 'public' }, bucket: 'public' },
    createRoute({
      method: 'get',
      path: '/v1/trades/{symbol}',
      summary: 'Trades of a symbol',
      request: { params: z.object({ symbol: z.string() }), query: Page },
      responses,
    }),
    (c) => answer(c, c.req.valid('param').symbol, c.req.valid('query')),
  );
}

async function answer(c: AppContext, wanted: string, { limit, cursor }: z.infer<typeof Page>) {
  const visible = await visibleMarket(c, wanted);
  if (!visible.ok) return failure(c, visible.error);
  const market = visible.value;
  await settleMarket(c.env, market.symbol);
  const page = { limit: rowsToRead(limit), before: cursor ?? null };
  const found = await listTradesOf(database(c.env.DB), market.symbol, page);
  const trades = pageOf(c, found, limit, (last) => String(last.sequence));
  return c.json({ symbol: market.symbol, trades: trades.map((trade) => tradeOf(trade, market)) }, 200);
}

function tradeOf(
  { adjustment, ...trade }: TradeRecord,
  { symbol, priceScale, quantityScale }: Pick<Market, 'symbol' | 'priceScale' | 'quantityScale'>,
): z.infer<typeof Trade> {
  return {
    trade_id: trade.id,
    sequence: trade.sequence,
    symbol,
    price: fromScaled(trade.price, priceScale),
    size: fromScaled(trade.quantity, quantityScale),
    side: trade.takerSide,
    timestamp: trade.executedAt,
    status: adjustment?.type ?? 'executed',
    corrected_price: adjustment?.type === 'correction' ? fromScaled(adjustment.price, priceScale) : null,
    adjusted_at: adjustment?.createdAt ?? null,
  };
}
