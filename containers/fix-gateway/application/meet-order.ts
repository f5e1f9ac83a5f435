import type { SessionPort } from '../transport/session-port.ts';
import { countFills } from './account-state.ts';
import type { CallerHeaders } from './exchange.ts';
import { executionReport } from './execution-report.ts';
import type { OrderDesk } from './order-desk.ts';
import type { Reads } from './paced-reads.ts';
import { type Acquaintance, NOTHING_EXECUTED, type TrackedOrder } from './tracked-order.ts';
import type { WireListedFill, WireOrder } from './wire.ts';

export interface MeetingTerms {
  readonly desk: OrderDesk;
  readonly exchange: Reads;
  readonly port: Pick<SessionPort, 'send'>;
  readonly caller: CallerHeaders;
  /** Fills behind this cursor may be told of again. */
  readonly fillsFrom: string;
  /** The last adjustment that the session has read: later ones will be reported. */
  readonly adjustedTo: number;
}

export interface Met extends Omit<Acquaintance, 'executed'> {
  /** Whether a fill of it is known, and will not be reported. */
  counts(fill: WireListedFill): boolean;
  /** None of its fills counts, as far as the caller knows. */
  readonly isUnexecuted?: boolean;
  /** The peer is told of the order. */
  readonly isNew?: boolean;
}

/** Begins to track an order that the session has not placed, with what has been executed of it; null when the exchange cannot be asked. */
export async function meetOrder(
  { desk, exchange, port, caller, fillsFrom, adjustedTo }: MeetingTerms,
  order: WireOrder,
  { counts, isUnexecuted = order.filled_size === 0, isNew = false, ...known }: Met,
): Promise<TrackedOrder | null> {
  const { order_id: orderId } = order;
  const counted = isUnexecuted
    ? { executed: NOTHING_EXECUTED, recent: [] }
    : await countFills(exchange, caller, orderId, { counts, adjustedTo, fillsFrom });
  if (counted === null) return null;
  // It may have been met meanwhile.
  const met = desk.find(orderId);
  if (met !== null) return met;
  const isPlaced = isNew && counted.executed.filled === 0;
  const tracked = desk.track(order, { ...known, executed: counted.executed, isPlaced }, counted.recent);
  if (isNew) port.send(executionReport(tracked, { execType: 'new', execId: `${orderId}-0`, time_ms: Date.now() }));
  return tracked;
}
