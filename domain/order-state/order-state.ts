import type { OrderStatus } from '../orders/order.ts';

/** What moves an order. `amend_unfilled` is an amendment by a door that changes no order which has filled in part. */
export type OrderTrigger =
  | 'reach_stop_price'
  | 'fill_in_part'
  | 'fill_in_full'
  | 'amend'
  | 'amend_unfilled'
  | 'cancel'
  | 'expire'
  | 'reject';

/**
 * Every state of an order, and where each trigger leads from it (X-AST-01 to X-AST-12, docs/design/matching.md#states-of-an-order). What
 * does not stand here does not happen. An order that is placed begins as `open`, a stop order as `pending_trigger`.
 */
const TRANSITIONS: Readonly<Record<OrderStatus, Readonly<Partial<Record<OrderTrigger, OrderStatus>>>>> = {
  pending_trigger: {
    reach_stop_price: 'open',
    amend: 'pending_trigger',
    amend_unfilled: 'pending_trigger',
    cancel: 'cancelled',
    expire: 'expired',
    reject: 'rejected',
  },
  open: {
    fill_in_part: 'partially_filled',
    fill_in_full: 'filled',
    amend: 'open',
    amend_unfilled: 'open',
    cancel: 'cancelled',
    expire: 'expired',
    reject: 'rejected',
  },
  partially_filled: {
    fill_in_part: 'partially_filled',
    fill_in_full: 'filled',
    amend: 'partially_filled',
    cancel: 'cancelled',
    expire: 'expired',
  },
  filled: {},
  cancelled: {},
  expired: {},
  rejected: {},
};

const ORDER_STATUSES = Object.keys(TRANSITIONS) as readonly OrderStatus[];

const FINAL: ReadonlySet<OrderStatus> = new Set(
  ORDER_STATUSES.filter((status) => Object.keys(TRANSITIONS[status]).length === 0),
);

/** States in which an order holds a reserve and may still change. */
export const OPEN_STATUSES = ORDER_STATUSES.filter((status) => !FINAL.has(status));

/** Whether an order in this state can change no more: it holds nothing, and its book has forgotten it. */
export function isFinal(status: OrderStatus): boolean {
  return FINAL.has(status);
}

/** Whether an order in this state holds a reserve and may still change. */
export function isOpen(status: OrderStatus): status is 'pending_trigger' | 'open' | 'partially_filled' {
  return !FINAL.has(status);
}

/** Whether this can happen to an order in this state. */
export function allows(status: OrderStatus, trigger: OrderTrigger): boolean {
  return TRANSITIONS[status][trigger] !== undefined;
}

/**
 * The state after a trigger.
 *
 * @throws Error when the state does not allow it: whoever decided on the trigger is wrong about the order
 */
export function transition(status: OrderStatus, trigger: OrderTrigger): OrderStatus {
  const next = TRANSITIONS[status][trigger];
  if (next === undefined) throw new Error(`an order that is ${status} does not ${trigger}`);
  return next;
}

/**
 * States of an order in profile A. MATCHED is never at rest: a match and its fill are one. A stop that waits for its price is pending.
 */
const ASSET_ORDER_STATE = {
  pending_trigger: 'PENDING',
  open: 'PENDING',
  partially_filled: 'PARTIALLY_FILLED',
  filled: 'EXECUTED',
  cancelled: 'CANCELLED',
  expired: 'CANCELLED',
  rejected: 'REJECTED',
} as const satisfies Record<OrderStatus, string>;

/** The state in profile A that a status stands for. */
export function orderStateOf<Status extends OrderStatus>(status: Status): (typeof ASSET_ORDER_STATE)[Status] {
  return ASSET_ORDER_STATE[status];
}
