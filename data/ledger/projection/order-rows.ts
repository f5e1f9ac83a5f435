import type { OrderAdmission, OrderState } from '../../../domain/ledger/records.ts';
import { RELEASED } from '../../../domain/ledger/settlement.ts';
import type { BookBatch, RejectedOrder } from '../../../domain/ledger/transactions.ts';
import { isFinal } from '../../../domain/order-state/order-state.ts';
import type { OrderRow, OrderStateRow } from './table-rows.ts';

const NOTHING_DONE = {
  filled: 0,
  filledNotional: 0,
  fee: 0,
  restricted: 0,
  executedAt: null,
  cancelledAt: null,
  remaining: null,
} as const;

const NOTHING_HELD = { reserve: 0, allowance: 0, position: 0 } as const;

const REJECTED = { ...NOTHING_DONE, ...NOTHING_HELD, open: 0, status: 'rejected' } as const;

/** An order as its book asked for it, with its holds or (`rejectedAs`) refused. */
export function admittedOrder(batch: BookBatch, order: OrderAdmission, rejectedAs: string | null): OrderRow {
  // Written out because it runs once an order: spreading rest properties takes several times as long.
  const row: OrderRow = {
    id: order.id,
    account: order.account,
    owner: order.owner,
    keyId: order.keyId,
    book: batch.book,
    assetId: batch.baseAsset,
    open: 1,
    status: order.status,
    side: order.side,
    type: order.type,
    timeInForce: order.timeInForce,
    quantity: order.quantity,
    price: order.price,
    stopPrice: order.stopPrice,
    expiresAt: order.expiresAt,
    clientOrderId: order.clientOrderId,
    filled: 0,
    filledNotional: 0,
    fee: 0,
    reserveAsset: order.reserveAsset,
    reserve: order.reserve,
    allowanceAsset: order.allowanceAsset,
    allowance: order.allowance,
    positionAsset: order.positionAsset,
    position: order.position,
    restricted: 0,
    preIpo: order.preIpo === true ? 1 : 0,
    code: null,
    createdAt: order.createdAt,
    updatedAt: order.createdAt,
    executedAt: null,
    cancelledAt: null,
    remaining: null,
  };
  return rejectedAs === null ? row : { ...row, ...REJECTED, code: rejectedAs };
}

/** An order that failed a check of order entry. */
export function rejectedOrder({ investor: _, ...order }: RejectedOrder): OrderRow {
  return {
    ...order,
    ...REJECTED,
    preIpo: Number(order.preIpo),
    allowanceAsset: null,
    positionAsset: null,
    updatedAt: order.createdAt,
  };
}

export function orderStateRow(state: OrderState): OrderStateRow {
  return {
    ...state,
    open: isFinal(state.status) ? 0 : 1,
    restricted: Number(state.restricted),
    remaining: state.remaining ?? null,
  };
}

/** Whether the order leaves its client order id to the attempt that follows. */
export function isReleased({ code }: Pick<OrderState, 'code'>): boolean {
  return code === RELEASED;
}
