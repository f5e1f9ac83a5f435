import type { Side } from '../../../../domain/orders/order.ts';
import type { Engine, EngineEvent, WantedEnd } from '../engine.ts';
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
  /** Those of them that never rest, at most so many, oldest first. */
  waitingImmediates(count: number): string[];
  /** Whether any order was handed over and has not ended. */
  readonly isAnySent: boolean;
  /** Orders that were handed over and that the broker has not been heard to have, oldest first. */
  handedOver(): string[];
  /** Whether anything is to be sent to the broker. Looking takes no order's turn. */
  readonly hasToSend: boolean;
  /** Whether the broker is to be asked for the end of this order. */
  isEndWanted(orderId: string): boolean;
  /** Orders whose end the broker is to be asked for and that are due, at most so many, in turns. */
  endsWanted(count: number, isDue: (orderId: string) => boolean): string[];
  /** Orders that the broker has and is to give other terms, and that are due, at most so many, in turns. */
  replacementsWanted(count: number, isDue: (orderId: string) => boolean): string[];
  /** The terms that the broker is to give an order; null where none are under way. */
  replacement(orderId: string): Replacement | null;
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
  /** Null for its whole quantity, whatever that is once a replacement that is under way has its outcome. */
  readonly filled: number | null;
}

/** Other terms that the broker is to give an order. Until it is known whether it has, executions may be on the former terms or on these. */
export interface Replacement {
  /** Above that of each one before. */
  readonly revision: number;
  readonly quantity: number;
  readonly price: number;
  /** Quantity of executions that are on the former terms for certain: they came before, or these do not allow them. */
  readonly filledBefore: number;
  /** Executions that either terms allow: those that happened before the broker gave these are on the former ones. */
  readonly either: readonly { readonly at: number; readonly quantity: number }[];
}

/** What a broker has made of a replacement. */
export type ReplacementOutcome = 'replaced' | 'replace_rejected';

/** What may yet come of executions on a price that the order no longer has, and that allowed more than the one it has. */
export interface FormerPrice {
  readonly price: number;
  /** Shares of such executions at most. */
  readonly quantity: number;
  /** What happened before this is on it, Unix ms. */
  readonly until: number;
}

/**
 * An execution by the broker's id of it and by what was said of it first, so that another word of it is told from a repetition. Null for what did
 * not fit the units. Packed: up to 100,000 of orders that have ended stand in each snapshot.
 */
export type KnownExecution = readonly [executionId: string, side: Side, price: number | null, quantity: number | null];

/** What the book knows of an order beside what every engine knows. */
export interface RoutedOrder {
  readonly orderId: string;
  readonly stage: RoutingStage;
  readonly cancelWanted: WantedEnd | null;
  /** Executions that were applied, or refused. */
  readonly executions: readonly KnownExecution[];
  /** Quantity of executions that were refused. */
  readonly refused: number;
  /** An execution was refused whose quantity is not known in units: what belongs to the order cannot be counted. */
  readonly isUncounted: boolean;
  /** Revision of the last replacement that was wanted; 0 before the first. */
  readonly revision: number;
  readonly replacement: Replacement | null;
  readonly former: FormerPrice | null;
  /** What came of the last replacement; null before the first, and while one is under way. */
  readonly outcome: ReplacementOutcome | null;
  readonly ending: Ending | null;
}

/** What a routed market's snapshot has beside its orders. */
export interface VenueSnapshot {
  readonly cursor: string | null;
  /** In the order of the engine's orders. */
  readonly orders: readonly RoutedOrder[];
  /** Orders that have ended, oldest first, with their executions. */
  readonly ended: readonly (readonly [orderId: string, executions: readonly KnownExecution[]])[];
}
