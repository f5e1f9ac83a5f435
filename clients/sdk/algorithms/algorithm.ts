import type { Decimal } from '../numbers/decimal.ts';

/**
 * An execution algorithm is a pure state machine: an event comes in, the next state goes out, and what is to be sent follows from the state
 * alone (`commandsOf`). So whoever stores each state before sending what follows from it can end at any moment and go on: the same commands
 * come out again, with the same client order ids. The exchange takes an id once while it remembers it; it forgets ids of orders that ended
 * long ago, so whoever sends `place` again looks for the order first.
 */
export interface Algorithm<S extends AlgorithmState> {
  /** The next state; the same object where the event changes nothing. */
  step(state: S, event: AlgorithmEvent): S;
  /** When it wants to be told the time, Unix milliseconds; null for never. */
  wakeAt(state: S): number | null;
}

/** What every order of the algorithm has in common. Amounts are decimals as text. */
export interface Terms {
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  /** Never more than it. */
  readonly quantity: Decimal;
  /** Never worse than it. */
  readonly limitPrice: Decimal;
  /** Sizes are multiples of it (`lot_size` of the market). */
  readonly lotSize: Decimal;
  /** Smallest order of the market (`size_min`). */
  readonly sizeMin: Decimal;
}

/** What is stored: plain data, written as JSON. */
export interface AlgorithmState {
  readonly algorithm: string;
  /** Begins each client order id: choose another for each run. */
  readonly id: string;
  readonly terms: Terms;
  readonly stage: 'running' | 'ending' | 'ended';
  /** Why it ends; null while it runs. */
  readonly reason: EndReason | null;
  /** Orders placed so far; numbers the next one. */
  readonly placed: number;
  /** What orders have filled that have ended. */
  readonly filled: Decimal;
  /** What exits have filled that have ended; an algorithm that only goes one way has none. */
  readonly exited?: Decimal;
  /** Orders that have not ended, by client order id. */
  readonly orders: Readonly<Record<string, ChildOrder>>;
}

export type EndReason =
  | { readonly is: 'filled' }
  /** What a bracket had entered is closed. */
  | { readonly is: 'closed' }
  | { readonly is: 'stopped' }
  /** The schedule is over, or what is left is smaller than an order may be. */
  | { readonly is: 'time_over' }
  | { readonly is: 'rest_too_small' }
  /**
   * The exchange refused an order, at once or after it stood; what had filled stays. `details` are those of the API's error, and empty where an order that was
   * stored as rejected says no more than its code.
   */
  | { readonly is: 'refused'; readonly code: string; readonly details: Readonly<Record<string, unknown>> }
  /** An order ended that the algorithm had not cancelled: by hand, by a halt, by self-trade prevention. `reason` is the exchange's. */
  | { readonly is: 'order_ended'; readonly reason: string | null };

export interface ChildOrder {
  readonly size: Decimal;
  readonly price: Decimal;
  readonly timeInForce: 'GTC' | 'IOC';
  /** As far as it is known. */
  readonly filled: Decimal;
  /** `placing`: its answer is not known yet. `cancelling`: its end is not known yet. */
  readonly stage: 'placing' | 'open' | 'cancelling';
  /** It is not sent again, and is cancelled as soon as it is known to stand. */
  readonly isUnwanted: boolean;
  /** Closes what was entered, on the other side. */
  readonly isExit?: true;
}

export type AlgorithmEvent =
  /** An order as the exchange shows it. `filled` is all that it has filled: told twice, or late, it changes nothing. */
  | {
      readonly type: 'order';
      readonly clientOrderId: string;
      readonly isOver: boolean;
      readonly filled: Decimal;
      /** Why it ended, in the exchange's word. */
      readonly reason: string | null;
      /** It ended because it was refused, and `reason` is the code. */
      readonly isRejected?: true;
    }
  /** The exchange has no such order, and nothing that was sent for it can arrive any more. */
  | { readonly type: 'absent'; readonly clientOrderId: string }
  /** The exchange has refused to place it, and it does not stand. */
  | {
      readonly type: 'refused';
      readonly clientOrderId: string;
      readonly code: string;
      readonly details?: Readonly<Record<string, unknown>>;
    }
  /** The book, best first; `sequence` grows with each change. */
  | {
      readonly type: 'book';
      readonly sequence: number;
      readonly bids: readonly Level[];
      readonly asks: readonly Level[];
      readonly at: number;
    }
  /** Unix milliseconds. */
  | { readonly type: 'time'; readonly at: number }
  /** Cancel what is left, and end. */
  | { readonly type: 'stop' };

export type Level = readonly [price: Decimal, size: Decimal];

export type AlgorithmCommand =
  | {
      readonly type: 'place';
      readonly clientOrderId: string;
      readonly symbol: string;
      readonly side: 'buy' | 'sell';
      readonly price: Decimal;
      readonly size: Decimal;
      readonly timeInForce: 'GTC' | 'IOC';
    }
  | { readonly type: 'cancel'; readonly clientOrderId: string }
  /** Find out whether it stands; it is not placed any more. */
  | { readonly type: 'withdraw'; readonly clientOrderId: string };

/** What is to be sent, until an event says what came of it. */
export function commandsOf({ orders, terms: { symbol, side } }: AlgorithmState): AlgorithmCommand[] {
  return Object.entries(orders).flatMap(
    ([clientOrderId, { stage, isUnwanted, price, size, timeInForce, isExit }]): AlgorithmCommand[] => {
      if (stage === 'open') return [];
      if (stage === 'cancelling') return [{ type: 'cancel', clientOrderId }];
      if (isUnwanted) return [{ type: 'withdraw', clientOrderId }];
      const to = isExit ? otherSide(side) : side;
      return [{ type: 'place', clientOrderId, symbol, side: to, price, size, timeInForce }];
    },
  );
}

function otherSide(side: 'buy' | 'sell'): 'buy' | 'sell' {
  return side === 'buy' ? 'sell' : 'buy';
}
