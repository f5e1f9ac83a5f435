import type { CancelReason, Engine, EngineEvent } from '../engine.ts';
import type { BrokerReport } from './broker-report.ts';

/**
 * The engine of a routed market: its orders never meet each other. They rest as they are handed to a broker, trade by what the broker
 * executes, and end when the broker says that they have ended (docs/design/broker.md#orders-of-a-routed-market).
 */
export interface VenueEngine extends Engine {
  /** These orders are about to be sent: from here on the broker alone ends them. Those that are not live, or were handed over, are passed over. */
  handOver(orderIds: readonly string[]): EngineEvent[];
  /**
   * Applies what the broker says, in the order in which it came.
   *
   * @param cursor place in the broker's events after these; null leaves the last one
   */
  report(reports: readonly BrokerReport[], cursor: string | null): EngineEvent[];
  /** Place in the broker's events from which to read on; null before the first. */
  readonly cursor: string | null;
  /** Orders to hand over, at most so many, in turns: the oldest first, and each once before any is named again. */
  waiting(count: number): string[];
  /** Orders that were handed over and that the broker has not been heard to have, oldest first. */
  handedOver(): string[];
  /** Whether the broker is to be asked for the end of this order. */
  isEndWanted(orderId: string): boolean;
  /** Orders whose end the broker is to be asked for and that are due, at most so many, in turns. */
  endsWanted(count: number, isDue: (orderId: string) => boolean): string[];
  /** Orders that the broker has and has not ended, at most so many, in turns. */
  watched(count: number): string[];
  /** Plain data beside that of `snapshot`; together they give an engine with the same future. */
  routing(): VenueSnapshot;
}

/** `waiting`: nothing was sent. `handed`: it may have been. `taken`: the broker has it. */
export type RoutingStage = 'waiting' | 'handed' | 'taken';

/** The broker has ended an order, and executions of it may still be on their way. */
export interface Ending {
  readonly outcome: 'cancelled' | 'expired' | 'rejected';
  readonly filled: number;
}

/** What the book knows of an order beside what every engine knows. */
export interface RoutedOrder {
  readonly orderId: string;
  readonly stage: RoutingStage;
  readonly cancelWanted: CancelReason | null;
  /** Ids of executions that were applied, or refused. */
  readonly executions: readonly string[];
  /** Quantity of executions that were refused. */
  readonly refused: number;
  /** An execution was refused whose quantity is not known in units: what belongs to the order cannot be counted. */
  readonly isUncounted: boolean;
  readonly ending: Ending | null;
}

/** What a routed market's snapshot has beside its orders. */
export interface VenueSnapshot {
  readonly cursor: string | null;
  /** In the order of the engine's orders. */
  readonly orders: readonly RoutedOrder[];
  /** Orders that have ended, oldest first, with the ids of their executions. */
  readonly ended: readonly (readonly [orderId: string, executions: readonly string[]])[];
}
