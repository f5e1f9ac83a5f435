import type { Side } from '../../domain/orders/order.ts';

/** A command of a replay, before it is an engine's or an order book's. Prices and quantities are scaled integers. */
export type ReplayCommand =
  /** A limit order that rests. */
  | {
      readonly type: 'rest';
      readonly orderId: string;
      readonly side: Side;
      readonly price: number;
      readonly quantity: number;
    }
  /** Brings an order's total quantity down to `quantity`, keeping its place. */
  | {
      readonly type: 'reduce';
      readonly amendmentId: string;
      readonly orderId: string;
      readonly side: Side;
      readonly price: number;
      readonly quantity: number;
    }
  | { readonly type: 'cancel'; readonly orderId: string; readonly side: Side }
  /** An immediate-or-cancel order. `side` is its own. */
  | {
      readonly type: 'take';
      readonly orderId: string;
      readonly side: Side;
      readonly price: number;
      readonly quantity: number;
    };

/** An execution of the file: the taker that stands for it, and the orders that stand for the maker it names. */
export interface PlannedExecution {
  readonly takerId: string;
  readonly makerIds: readonly string[];
  readonly quantity: number;
}

/** What one message of the file comes to. */
export interface ReplayStep {
  readonly time_ms: number;
  readonly commands: readonly ReplayCommand[];
  readonly execution: PlannedExecution | null;
}

export interface ReplayPlan {
  /** Greatest step that every price lies on: a cent, else the smallest unit. */
  readonly tickSize: number;
  /** Orders that rest before the first message. */
  readonly seed: readonly ReplayCommand[];
  readonly steps: readonly ReplayStep[];
  /** Commands among the steps that no message gives: what the file does not show was placed or cancelled out of its view. */
  readonly outOfViewCommands: number;
}

/** UUIDs that rise in the order of the commands; of version 8, since they say no time (RFC 9562, 5.8). */
export function replayId(index: number): string {
  const hex = index.toString(16).padStart(12, '0');
  return `00000000-0000-8000-8000-${hex}`;
}
