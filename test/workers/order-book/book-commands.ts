import { uuidv7 } from 'uuidv7';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import type { CancelCommand, PlaceCommand } from '../../../durable-objects/order-book/api.ts';

/** A placement as order entry would send it, limit GTC unless the terms say otherwise. */
export function place(
  account: string,
  side: OrderTerms['side'],
  quantity: number,
  price: number | null,
  terms: Partial<OrderTerms> = {},
  command: Partial<PlaceCommand> = {},
): PlaceCommand {
  return {
    type: 'place',
    orderId: uuidv7(),
    account,
    owner: 'org-test',
    keyId: null,
    clientOrderId: null,
    terms: {
      side,
      type: price === null ? 'market' : 'limit',
      timeInForce: price === null ? 'IOC' : 'GTC',
      quantity,
      price,
      stopPrice: null,
      expiresAt: null,
      selfTradePrevention: 'cancel_newest',
      hidden: false,
      displayQuantity: null,
      ...terms,
    },
    attributes: 0,
    requires: 0,
    allowanceAsset: null,
    positionAsset: null,
    factsVersion: 1,
    rulesVersion: 1,
    ...command,
  };
}

export function cancel(account: string, orderId: string): CancelCommand {
  return { type: 'cancel', orderId, account };
}
