import { createRoute, z } from '@hono/zod-openapi';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { database } from '../../data/database.ts';
import { listOwnFills, type OwnFill } from '../../data/orders/account-fills.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { SIDES } from '../../domain/orders/order.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { linkNextPage } from '../responses/link-next-page.ts';
import { notCurrent } from '../responses/not-current.ts';
import { accountOf } from './account-of.ts';
import { ownSymbolError } from './own-symbol-error.ts';

const LIMIT_MAX = 1_000;

const Fill = z
  .object({
    trade_id: z.uuid(),
    sequence: z.int().openapi({ description: 'Of the trade, gapless within the symbol.' }),
    order_id: z.uuid(),
    symbol: z.string(),
    side: z.enum(SIDES),
    price: z.number(),
    size: z.number(),
    fee: z.number().openapi({ description: 'In the quote asset.' }),
    liquidity: z.enum(['maker', 'taker']),
    timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
    status: z.enum(['executed', 'bust', 'correction']).openapi({
      description: 'Whether the trade was taken back (nothing of it stands) or stands at another price since.',
    }),
    corrected_price: z.number().nullable().openapi({ description: 'What it stands at; null unless it was corrected.' }),
    corrected_fee: z.number().nullable(),
    adjusted_at: z.int().nullable().openapi({ description: 'When it was taken back or corrected.' }),
  })
  .openapi('Fill');

const Fills = z.object({ fills: z.array(Fill) }).openapi('Fills');

/** GET /v1/fills: what a client reads to learn what it missed on the `orders` channel. */
export function listFillsRoute(profile: Profile): void {
  registerRoute(
    profile,
    { access: { credential: 'key', scope: 'read' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/fills',
      summary: 'Fills of the account',
      description: '`cursor` is the last trade that the caller has; fills of later ones follow.',
      request: {
        query: z.object({
          symbol: z.string().optional(),
          limit: z.coerce.number().int().min(1).max(LIMIT_MAX).default(LIMIT_MAX),
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: {
          description: 'Oldest first; the next page is in the Link header.',
          content: { 'application/json': { schema: Fills } },
        },
      },
    }),
    async (c) => {
      const account = accountOf(c);
      if (!account.ok) return failure(c, account.error);
      const { symbol, limit, cursor } = c.req.valid('query');
      const unknown = symbol === undefined ? null : await ownSymbolError(c, symbol);
      if (unknown !== null) return failure(c, unknown);
      if (!(await settleBeforeRead(c.env, account.value))) return failure(c, notCurrent());
      const terms = { account: account.value, book: symbol ?? null, after: cursor ?? null, limit };
      const fills = await listOwnFills(database(c.env.DB), terms);
      const last = fills.at(-1);
      if (last !== undefined && new Set(fills.map(({ tradeId }) => tradeId)).size === limit) {
        linkNextPage(c, last.tradeId);
      }
      return c.json({ fills: fills.map(wireFill) }, 200);
    },
  );
}

function wireFill({ market, ...fill }: OwnFill): z.infer<typeof Fill> {
  return {
    trade_id: fill.tradeId,
    sequence: fill.sequence,
    order_id: fill.orderId,
    symbol: market.symbol,
    side: fill.side,
    price: fromScaled(fill.price, market.priceScale),
    size: fromScaled(fill.quantity, market.quantityScale),
    fee: fromScaled(fill.fee, market.quoteScale),
    liquidity: fill.liquidity,
    timestamp: fill.executedAt,
    ...wireAdjustment(fill.adjustment, market),
  };
}

function wireAdjustment(
  adjustment: OwnFill['adjustment'],
  { priceScale, quoteScale }: OwnFill['market'],
): Pick<z.infer<typeof Fill>, 'status' | 'corrected_price' | 'corrected_fee' | 'adjusted_at'> {
  if (adjustment === null) return { status: 'executed', corrected_price: null, corrected_fee: null, adjusted_at: null };
  const { type, price, fee, createdAt } = adjustment;
  const isBust = type === 'bust';
  return {
    status: type,
    corrected_price: isBust ? null : fromScaled(price, priceScale),
    corrected_fee: isBust ? null : fromScaled(fee, quoteScale),
    adjusted_at: createdAt,
  };
}
