import type { BrokerBreak } from '../../../../domain/ledger/records.ts';
import type { Side } from '../../../../domain/orders/order.ts';

/** What a broker says of orders of a routed market, in the market's units. It may come twice, late and in any order. */
export type BrokerReport =
  | TakenReport
  | ExecutionReport
  | UnfitExecutionReport
  | DoneReport
  | ReplacedReport
  | ReplaceRejectedReport
  | BreakReport;

/** The broker has the order. */
interface TakenReport {
  readonly type: 'taken';
  readonly orderId: string;
}

interface ReportOfEvent {
  /** The broker's id of what it says. */
  readonly id: string;
  readonly orderId: string;
  /** When it happened, Unix ms. */
  readonly at: number;
}

interface ReportOfExecution extends ReportOfEvent {
  readonly executionId: string;
  /** Of its order by the broker's word, where it says so. */
  readonly side?: Side;
  /** By the broker's word nothing of the order is left after it. */
  readonly fillsOrder: boolean;
}

export interface ExecutionReport extends ReportOfExecution {
  readonly type: 'execution';
  /** Where it executed; null where the broker does not say. */
  readonly venue: string | null;
  readonly price: number;
  readonly quantity: number;
}

/** An execution whose price or quantity does not fit the market's units. */
export interface UnfitExecutionReport extends ReportOfExecution {
  readonly type: 'unfit_execution';
  /** Null where that does not fit. */
  readonly quantity: number | null;
  /** As the broker said it, in words. */
  readonly detail: string;
}

export interface DoneReport extends ReportOfEvent {
  readonly type: 'done';
  readonly outcome: 'cancelled' | 'expired' | 'rejected';
  /** What had filled when the order ended: executions up to this sum may come later than this. Null where it does not fit the market's units. */
  readonly filled: number | null;
}

/** The broker has given the order the terms that it was asked for. */
export interface ReplacedReport extends ReportOfEvent {
  readonly type: 'replaced';
  readonly revision: number;
  /** What had filled by then at least: of executions on the former terms there are no more. Null where it does not fit the units. */
  readonly filled: number | null;
}

/** The order keeps its terms. */
export interface ReplaceRejectedReport extends ReportOfEvent {
  readonly type: 'replace_rejected';
  readonly revision: number;
}

/** What cannot be an execution of ours, whatever the order: kept for people. */
interface BreakReport {
  readonly type: 'break';
  readonly break: BrokerBreak;
}
