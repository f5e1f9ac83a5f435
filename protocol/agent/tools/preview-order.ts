import { z } from 'zod';
import { plainNumber, plainNumberOrNull } from '../../../domain/money/plain-number.ts';
import { SIDES } from '../../../domain/orders/order.ts';
import { OrderParameters, orderBodyOf } from '../order-parameters.ts';
import { DecimalText } from '../output-fields.ts';
import { defineTool, READS } from '../tool.ts';

const Answer = z.object({
  symbol: z.string(),
  side: z.enum(SIDES),
  type: z.string(),
  size: z.number(),
  price: z.number().nullable(),
  worst_price: z.number(),
  estimated_filled_size: z.number(),
  estimated_average_price: z.number().nullable(),
  estimated_fee: z.number(),
  estimated_total: z.number(),
  held_asset: z.string(),
  held: z.number(),
  available: z.number(),
});

export const previewOrder = defineTool({
  name: 'preview_order',
  title: 'Preview an order',
  description:
    'Runs the checks that placing would run and estimates what the order would fill at once and cost. Places nothing. Refusals are those of place_order.',
  input: OrderParameters,
  output: z.strictObject({
    symbol: z.string(),
    side: z.enum(SIDES),
    orderType: z.string(),
    quantity: DecimalText,
    price: DecimalText.nullable(),
    worstPrice: DecimalText.describe('No fill would be worse than this.'),
    estimatedFilledQuantity: DecimalText.describe('What would fill at once in the book as it stands.'),
    estimatedAveragePrice: DecimalText.nullable(),
    estimatedFee: DecimalText,
    estimatedTotal: DecimalText.describe(
      'Paid for a buy, received for a sale, after fees, of what would fill at once.',
    ),
    heldAsset: z.string(),
    held: DecimalText.describe('What the order would hold until it is filled or cancelled.'),
    available: DecimalText.describe('What the account has of the held asset.'),
  }),
  answer: Answer,
  effects: READS,
  marketData: true,
  callOf: (order) => ({ method: 'POST', path: '/v1/orders/preview', body: orderBodyOf(order), idempotencyKey: null }),
  outputOf: (preview) => ({
    symbol: preview.symbol,
    side: preview.side,
    orderType: preview.type,
    quantity: plainNumber(preview.size),
    price: plainNumberOrNull(preview.price),
    worstPrice: plainNumber(preview.worst_price),
    estimatedFilledQuantity: plainNumber(preview.estimated_filled_size),
    estimatedAveragePrice: plainNumberOrNull(preview.estimated_average_price),
    estimatedFee: plainNumber(preview.estimated_fee),
    estimatedTotal: plainNumber(preview.estimated_total),
    heldAsset: preview.held_asset,
    held: plainNumber(preview.held),
    available: plainNumber(preview.available),
  }),
});
