import { z } from '@hono/zod-openapi';
import type { TradeRecord } from '../../../data/markets/public-trades.ts';
import { BAR_INTERVALS } from '../../../domain/charts/bar-interval.ts';
import { ADJUSTMENT_TYPES } from '../../../domain/ledger/adjustment-type.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { SIDES } from '../../../domain/orders/order.ts';
import { moreView } from '../../responses/link-next-page.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { BOOK, CHART, QUOTE, TRADES } from '../examples.ts';
import { QuoteView } from '../securities/security-schema.ts';

/** P-MKT-01 */
export const SecurityQuoteView = QuoteView.extend({
  security_id: z.uuid(),
  timestamp: z.iso.datetime(),
}).openapi('Quote', { example: QUOTE });

const Level = z.object({ price: z.number(), quantity: z.number() });

/** P-MKT-02 */
export const SecurityBookView = z
  .object({
    security_id: z.uuid(),
    bids: z.array(Level),
    asks: z.array(Level),
    sequence: z.int().openapi({ description: 'Of the last change that the levels include, as in /v1/ws/book/{id}.' }),
    timestamp: z.iso.datetime(),
  })
  .openapi('Book', { example: BOOK });

const TradeView = z.object({
  trade_id: z.uuid(),
  sequence: z.int().openapi({ description: 'Gapless within the security.' }),
  price: z.number(),
  quantity: z.number(),
  side: z.enum(SIDES).openapi({ description: 'Of the taker.' }),
  executed_at: z.iso.datetime(),
  status: z.enum(['executed', ...ADJUSTMENT_TYPES]).openapi({
    description: 'Whether the trade was taken back (nothing of it stands) or stands at another price since.',
  }),
  corrected_price: z.number().nullable().openapi({ description: 'What it stands at; null unless it was corrected.' }),
  adjusted_at: z.iso.datetime().nullable().openapi({ description: 'When it was taken back or corrected.' }),
});

/** P-MKT-03 */
export const SecurityTradesView = z
  .object({ security_id: z.uuid(), trades: z.array(TradeView), ...moreView })
  .openapi('Trades', { example: TRADES });

/** P-MKT-04 */
export const SecurityChartView = z
  .object({
    security_id: z.uuid(),
    interval: z.enum(BAR_INTERVALS),
    bars: z.array(
      z.object({
        time: z.iso.datetime().openapi({ description: 'Start of the bar.' }),
        open: z.number(),
        high: z.number(),
        low: z.number(),
        close: z.number(),
        volume: z.number().openapi({ description: 'Shares.' }),
      }),
    ),
  })
  .openapi('Chart', { example: CHART });

export function tradeView(
  { adjustment, ...trade }: TradeRecord,
  { priceScale, quantityScale }: Pick<Market, 'priceScale' | 'quantityScale'>,
): z.infer<typeof TradeView> {
  return {
    trade_id: trade.id,
    sequence: trade.sequence,
    price: fromScaled(trade.price, priceScale),
    quantity: fromScaled(trade.quantity, quantityScale),
    side: trade.takerSide,
    executed_at: isoTime(trade.executedAt),
    status: adjustment?.type ?? 'executed',
    corrected_price: adjustment?.type === 'correction' ? fromScaled(adjustment.price, priceScale) : null,
    adjusted_at: isoTimeOrNull(adjustment?.createdAt ?? null),
  };
}
