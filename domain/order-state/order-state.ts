import type { OrderStatus } from '../orders/order.ts';

/**
 * States of an asset-exchange order and what moves it between them (X-AST-01 to X-AST-12). `transition` takes only the triggers of the
 * state it is given, so a move that does not stand here does not compile. `NEW` is an order that is being placed.
 *
 * Fills beyond the first leave a partially filled order as it is until the last one executes it.
 */
const TRANSITIONS = {
  NEW: { pass_validation: 'PENDING', fail_validation: 'REJECTED' },
  PENDING: { find_counter_order: 'MATCHED', cancel: 'CANCELLED', expire: 'CANCELLED', modify: 'PENDING' },
  MATCHED: { fill_in_full: 'EXECUTED', fill_in_part: 'PARTIALLY_FILLED' },
  PARTIALLY_FILLED: {
    fill_in_full: 'EXECUTED',
    fill_in_part: 'PARTIALLY_FILLED',
    cancel: 'CANCELLED',
    expire: 'CANCELLED',
  },
  EXECUTED: {},
  CANCELLED: {},
  REJECTED: {},
} as const;

type Transitions = typeof TRANSITIONS;

export type OrderState = Exclude<keyof Transitions, 'NEW'>;

type Trigger = { [State in keyof Transitions]: keyof Transitions[State] }[keyof Transitions];

/** The state after a trigger that the state allows. */
export function transition<State extends keyof Transitions, Event extends keyof Transitions[State]>(
  state: State,
  trigger: Event,
): Transitions[State][Event] {
  return TRANSITIONS[state][trigger];
}

/** Whether a state, known only at run time, allows a trigger. @internal */
export function allows<Event extends Trigger>(
  state: OrderState,
  trigger: Event,
): state is { [State in OrderState]: Event extends keyof Transitions[State] ? State : never }[OrderState] {
  return trigger in TRANSITIONS[state];
}

/**
 * The state that the ledger's status stands for. On the internal book no order rests in MATCHED, because match and fill settle in one
 * batch (docs/design/money.md#l4). A stop waiting for its trigger is pending.
 */
export function orderStateOf(status: OrderStatus): OrderState {
  switch (status) {
    case 'open':
    case 'pending_trigger':
      return 'PENDING';
    case 'partially_filled':
      return 'PARTIALLY_FILLED';
    case 'filled':
      return 'EXECUTED';
    case 'cancelled':
    case 'expired':
      return 'CANCELLED';
    case 'rejected':
      return 'REJECTED';
  }
}
