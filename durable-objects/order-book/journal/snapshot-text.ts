import { type PackedList, type RecordCodec, recordCodec } from '../../../domain/ledger/record-codec.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import type { LiveOrder } from '../engine/engine.ts';
import { lotCodec } from './journal-text.ts';

const liveOrderCodec = recordCodec<LiveOrder>(
  (
    orderId,
    account,
    keyId,
    side,
    orderType,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    selfTradePrevention,
    hidden,
    displayQuantity,
    attributes,
    requires,
    arrival,
    filled,
    remaining,
    displayed,
    pendingTrigger,
    family,
    priceMost,
  ) => ({
    orderId,
    account,
    keyId,
    side,
    orderType,
    timeInForce,
    quantity,
    price,
    stopPrice,
    expiresAt,
    selfTradePrevention,
    hidden,
    displayQuantity,
    attributes,
    requires,
    arrival,
    filled,
    remaining,
    displayed,
    pendingTrigger,
    family,
    priceMost,
  }),
  { leftOut: { priceMost: true } },
);

const ledgerOrderCodec = recordCodec<LedgerOrder>(
  (
    orderId,
    account,
    side,
    quantity,
    limit,
    price,
    makerFeeBps,
    takerFeeBps,
    filled,
    filledNotional,
    remaining,
    feeNumerator,
    fee,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    restricted,
    lots,
    status,
    code,
    updatedAt,
    rate,
    isNonBinding,
    priceMost,
  ) => ({
    orderId,
    account,
    side,
    quantity,
    limit,
    price,
    makerFeeBps,
    takerFeeBps,
    filled,
    filledNotional,
    remaining,
    feeNumerator,
    fee,
    reserve,
    allowanceAsset,
    allowance,
    positionAsset,
    position,
    restricted,
    lots,
    status,
    code,
    updatedAt,
    rate,
    isNonBinding,
    priceMost,
  }),
  { lists: { lots: lotCodec }, leftOut: { isNonBinding: true, priceMost: true } },
);

/** Orders of a book as parts of its snapshot keep them, so many a part. */
export interface SnapshotOrders<Order> {
  readonly kind: 'engine' | 'orders';
  texts(orders: readonly Order[]): Iterable<string>;
  /** The orders of one text. */
  of(text: string): Order[];
}

const ORDERS_PER_TEXT = 2_000;

function snapshotOrders<Order>(kind: SnapshotOrders<Order>['kind'], codec: RecordCodec<Order>): SnapshotOrders<Order> {
  return {
    kind,
    *texts(orders) {
      for (let from = 0; from < orders.length; from += ORDERS_PER_TEXT)
        yield JSON.stringify(codec.packList(orders.slice(from, from + ORDERS_PER_TEXT)));
    },
    of: (text) => codec.unpackList(JSON.parse(text) as PackedList),
  };
}

/** As the engine has them. */
export const ENGINE_ORDERS: SnapshotOrders<LiveOrder> = snapshotOrders('engine', liveOrderCodec);

/** The ledger's side of them. */
export const LEDGER_ORDERS: SnapshotOrders<LedgerOrder> = snapshotOrders('orders', ledgerOrderCodec);
