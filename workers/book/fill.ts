import { z } from '@hono/zod-openapi';
import type { OwnFill } from '../../data/orders/account-fills.ts';
import { ADJUSTMENT_TYPES } from '../../domain/ledger/adjustment-type.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { SIDES } from '../../domain/orders/order.ts';

/** A settled fill on the wire, with what became of its trade since. */
export const Fill = z
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
    filled_size: z.number().nullable().openapi({
      description: 'What the order had filled with it, this fill included; null for the oldest trades.',
    }),
    remaining_size: z.number().nullable().openapi({ description: 'What the order had left to fill.' }),
    timestamp: z.int().openapi({ description: 'Unix milliseconds.' }),
    status: z.enum(['executed', ...ADJUSTMENT_TYPES]).openapi({
      description: 'Whether the trade was taken back (nothing of it stands) or stands at another price since.',
    }),
    corrected_price: z.number().nullable().openapi({ description: 'What it stands at; null unless it was corrected.' }),
    corrected_fee: z.number().nullable().openapi({
      description:
        'What was charged after all, as the feeds tell it: 0 for one that was taken back; null where it stands as dealt.',
    }),
    adjusted_at: z.int().nullable().openapi({ description: 'When it was taken back or corrected.' }),
    adjustment_sequence: z.int().nullable().openapi({
      description:
        'Place of that among all adjustments: a later one has a higher number. The cursor of `/v1/fills/adjusted`.',
    }),
  })
  .openapi('Fill');

export type Fill = z.infer<typeof Fill>;

export const Fills = z.object({ fills: z.array(Fill) }).openapi('Fills');

export function fillOf({ market, ...fill }: OwnFill): Fill {
  const size = (scaled: number | null): number | null => scaled && fromScaled(scaled, market.quantityScale);
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
    filled_size: size(fill.filled),
    remaining_size: size(fill.remaining),
    timestamp: fill.executedAt,
    ...adjustmentOf(fill.adjustment, market),
  };
}

type Adjustment = Pick<Fill, 'status' | 'corrected_price' | 'corrected_fee' | 'adjusted_at' | 'adjustment_sequence'>;

const NOT_ADJUSTED: Adjustment = {
  status: 'executed',
  corrected_price: null,
  corrected_fee: null,
  adjusted_at: null,
  adjustment_sequence: null,
};

function adjustmentOf(adjustment: OwnFill['adjustment'], { priceScale, quoteScale }: OwnFill['market']): Adjustment {
  if (adjustment === null) return NOT_ADJUSTED;
  const { type, price, fee, createdAt, sequence } = adjustment;
  const isBust = type === 'bust';
  return {
    status: type,
    corrected_price: isBust ? null : fromScaled(price, priceScale),
    corrected_fee: isBust ? 0 : fromScaled(fee, quoteScale),
    adjusted_at: createdAt,
    adjustment_sequence: sequence,
  };
}
