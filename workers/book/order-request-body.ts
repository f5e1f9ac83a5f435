import { z } from '@hono/zod-openapi';
import type { OrderRequest } from '../../application/order-entry/order-request.ts';
import { ALLOWED_TIME_IN_FORCE } from '../../domain/order-entry/allowed-time-in-force.ts';
import {
  ORDER_TYPES,
  type OrderType,
  SELF_TRADE_PREVENTIONS,
  SIDES,
  TIMES_IN_FORCE,
  type TimeInForce,
} from '../../domain/orders/order.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { CLIENT_ORDER_ID, CLIENT_ORDER_ID_WORDS } from '../../protocol/order-entry/client-order-id.ts';

/**
 * An order request (X-BRQ-01 to X-BRQ-06) with the optional fields of docs/design/matching.md#optional-fields. Other fields are refused,
 * not ignored.
 */
export const OrderRequestBody = z
  .strictObject({
    symbol: z.string().max(64).openapi({ example: 'ACME-USD' }),
    side: z.enum(SIDES),
    type: z.string().openapi({ enum: [...ORDER_TYPES], example: 'limit' }),
    price: z
      .number()
      .nullish()
      .openapi({ description: 'Limit; of limit, limit_maker, stop_loss_limit and take_profit_limit.' }),
    size: z.number(),
    time_in_force: z
      .string()
      .nullish()
      .openapi({ enum: [...TIMES_IN_FORCE], description: 'GTC when left out, for market IOC.' }),
    stop_price: z.number().nullish().openapi({
      description:
        'Trigger; of the stop and take-profit types. One without a price takes what is there within 5 % of its trigger; what it does not find stands there, as a limit, until it is filled or cancelled.',
    }),
    expires_at: z.int().nullish().openapi({ description: 'Unix milliseconds; of GTD.' }),
    client_order_id: z
      .string()
      .regex(CLIENT_ORDER_ID, CLIENT_ORDER_ID_WORDS)
      .nullish()
      .openapi({ description: 'Unique per account; neither `.` nor `..`.' }),
    self_trade_prevention: z
      .enum(SELF_TRADE_PREVENTIONS)
      .nullish()
      .openapi({ description: 'cancel_newest when left out: the taker is cancelled.' }),
    display_size: z
      .number()
      .min(0)
      .nullish()
      .openapi({ description: 'What the book shows of the order, 0 nothing. Of batches of our gateways alone.' }),
  })
  .openapi('OrderRequest');

export type OrderRequestBody = z.infer<typeof OrderRequestBody>;

/**
 * What order entry is asked for; types and times in force that the table does not have are INVALID_ORDER_TYPE.
 *
 * @param mayHide whether the door has hidden and iceberg orders: FIX has (MaxFloor), this profile has not (X-TIF-08).
 */
export function orderRequestOf(
  body: OrderRequestBody,
  orderId: string,
  mayHide = false,
): Result<OrderRequest, ApiError> {
  const { type, time_in_force: timeInForce = null } = body;
  if (!isOrderType(type)) {
    return unsupported('order type unsupported', { type, allowed: ORDER_TYPES });
  }
  if (timeInForce !== null && !isTimeInForce(timeInForce)) {
    return unsupported('time in force unsupported', { time_in_force: timeInForce, allowed: TIMES_IN_FORCE });
  }
  const displaySize = body.display_size ?? null;
  if (displaySize !== null && !mayHide) {
    return err(apiError('VALIDATION_ERROR', 'display_size is not offered here', { field: 'display_size' }));
  }
  return ok({
    orderId,
    instrument: { symbol: body.symbol },
    clientOrderId: body.client_order_id ?? null,
    preIpo: null,
    side: body.side,
    type,
    timeInForce,
    quantity: body.size,
    price: body.price ?? null,
    stopPrice: body.stop_price ?? null,
    expiresAt: body.expires_at ?? null,
    selfTradePrevention: body.self_trade_prevention ?? null,
    hidden: displaySize === 0,
    displayQuantity: displaySize === 0 ? null : displaySize,
  });
}

function unsupported(message: string, details: Record<string, unknown>): Result<never, ApiError> {
  return err(apiError('INVALID_ORDER_TYPE', message, details));
}

function isOrderType(type: string): type is OrderType {
  return Object.hasOwn(ALLOWED_TIME_IN_FORCE, type);
}

function isTimeInForce(timeInForce: string): timeInForce is TimeInForce {
  return TIMES_IN_FORCE.some((known) => known === timeInForce);
}
