import { isFinal } from '../../../domain/order-state/order-state.ts';
import type { SessionFile } from '../store/session-file.ts';
import { cursorAt } from './account-state.ts';
import type { WireListedFill, WireOrder } from './wire.ts';

/** A fill may settle, and so be listed, a little after fills of other pairs with a later id. */
export const OVERLAP_MS = 60_000;

const CURSOR = 'cursor';
const ADJUSTED = 'adjusted';
const ORDERS = 'orders';

interface OrdersPlace {
  /** Orders that were made earlier have been read. */
  readonly to_ms: number;
  /** What had ended earlier is none of the session's. */
  readonly since_ms: number;
}

interface AdjustedPlace {
  /** Of the last adjustment that was read. */
  readonly sequence: number;
  /** What was adjusted earlier is none of the session's. */
  readonly since_ms: number;
}

/** How far a session has read the lists of the exchange. It stands in the session's store, so it moves with what was reported. */
export class ReadPlaces {
  readonly #store: SessionFile;

  constructor(store: SessionFile) {
    this.#store = store;
  }

  /** At the first logon; sessions of an earlier release have read fills alone. */
  begin(now_ms: number): void {
    if (this.#cursor === undefined) this.#store.putState(CURSOR, now_ms);
    if (this.#orders === undefined) this.#store.putState(ORDERS, { to_ms: now_ms, since_ms: now_ms });
    if (this.#adjusted === undefined)
      this.#store.putState(ADJUSTED, { sequence: 0, since_ms: (this.#cursor ?? now_ms) - OVERLAP_MS });
  }

  /** The cursor behind which fills are read. */
  get fillsFrom(): string {
    return cursorAt((this.#cursor ?? 0) - OVERLAP_MS);
  }

  /** Every fill before this time has been reported, but for those that are listed late. */
  fillsReadTo(time_ms: number): void {
    this.#store.putState(CURSOR, time_ms);
  }

  /** The id behind which orders are read. One may be listed a little after others with a later id. */
  get ordersFrom(): string {
    return cursorAt((this.#orders?.to_ms ?? 0) - OVERLAP_MS);
  }

  /** Every order that was made before this time is known, but for those that are listed late. */
  ordersReadTo(time_ms: number): void {
    this.#store.putState(ORDERS, { to_ms: time_ms, since_ms: this.#orders?.since_ms ?? 0 });
  }

  /** The same as far as a list has been gone through, oldest first. It may begin before what was known. */
  ordersReadUpTo(time_ms: number): void {
    if (time_ms > (this.#orders?.to_ms ?? 0)) this.ordersReadTo(time_ms);
  }

  /** Whether an order was there since the session has begun. */
  isOfSession({ status, updated_at }: Pick<WireOrder, 'status' | 'updated_at'>): boolean {
    return !isFinal(status) || updated_at >= (this.#orders?.since_ms ?? 0);
  }

  /** The adjustment behind which others are read. */
  get adjustedTo(): number {
    return this.#adjusted?.sequence ?? 0;
  }

  adjustmentsReadTo(sequence: number): void {
    this.#store.putState(ADJUSTED, { sequence, since_ms: this.#adjusted?.since_ms ?? 0 });
  }

  /** Whether a fill was adjusted since the session has begun. */
  concerns({ adjusted_at }: WireListedFill): boolean {
    return (adjusted_at ?? 0) >= (this.#adjusted?.since_ms ?? 0);
  }

  get #cursor(): number | undefined {
    return this.#store.state<number>(CURSOR)[0]?.[1];
  }

  get #orders(): OrdersPlace | undefined {
    return this.#store.state<OrdersPlace>(ORDERS)[0]?.[1];
  }

  get #adjusted(): AdjustedPlace | undefined {
    return this.#store.state<AdjustedPlace>(ADJUSTED)[0]?.[1];
  }
}
