import type { BrokerBreak } from '../../../../domain/ledger/records.ts';

/** What a broker says of orders of a routed market, in the market's units. It may come twice, late and in any order. */
export type BrokerReport = TakenReport | ExecutionReport | DoneReport | BreakReport;

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

export interface ExecutionReport extends ReportOfEvent {
  readonly type: 'execution';
  readonly executionId: string;
  /** Where it executed; null where the broker does not say. */
  readonly venue: string | null;
  readonly price: number;
  readonly quantity: number;
}

export interface DoneReport extends ReportOfEvent {
  readonly type: 'done';
  readonly outcome: 'cancelled' | 'expired' | 'rejected';
  /** What had filled when the order ended: executions up to this sum may come later than this. */
  readonly filled: number;
}

/** What cannot be an execution of ours, whatever the order: kept for people. */
interface BreakReport {
  readonly type: 'break';
  readonly break: BrokerBreak;
}
