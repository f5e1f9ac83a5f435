import { z } from 'zod';
import { ownId } from '../../../domain/identity/own-id.ts';
import { SIDES } from '../../../domain/orders/order.ts';
import { socketRequestId } from '../../../protocol/order-entry/socket-message.ts';
import { BATCH_MAX } from '../batch.ts';
import { cancelAfterMs } from '../cancel-after-ms.ts';
import { OrderRequestBody } from '../order-request-body.ts';

const id = socketRequestId;
// As long as a path may have them, as in REST: none is found under a name that is too long.
const orderId = z.string().transform(ownId);
const batchedId = z.string().max(64).transform(ownId);
const symbol = z.string();

export const PlaceRequest = z.strictObject({ type: z.literal('place'), id, order: OrderRequestBody });

/** A request other than a single placement; its fields are those of the REST call of its name. */
export const OtherRequest = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('place_batch'), id, orders: z.array(OrderRequestBody).min(1).max(BATCH_MAX) }),
  z
    .strictObject({
      type: z.literal('amend'),
      id,
      order_id: orderId,
      size: z.number().nullish(),
      price: z.number().nullish(),
      stop_price: z.number().nullish(),
    })
    .refine(
      ({ size, price, stop_price }) => size != null || price != null || stop_price != null,
      'name a new size, price or stop_price',
    ),
  z.strictObject({ type: z.literal('cancel'), id, order_id: orderId, symbol: symbol.optional() }),
  z.strictObject({ type: z.literal('cancel_batch'), id, order_ids: z.array(batchedId).min(1).max(BATCH_MAX) }),
  // Strict: a condition that is misspelt would be none.
  z.strictObject({
    type: z.literal('cancel_all'),
    id,
    symbol: symbol.optional(),
    side: z.enum(SIDES).optional(),
  }),
  z.strictObject({ type: z.literal('cancel_after'), id, timeout_ms: cancelAfterMs }),
  z.strictObject({ type: z.literal('cancel_on_disconnect'), id, enabled: z.boolean() }),
]);

export type OtherRequest = z.infer<typeof OtherRequest>;
