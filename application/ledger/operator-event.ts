import { detailsWith, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import type { DomainEvent } from '../../domain/ledger/records.ts';

/** An operator's action as the audit trail keeps it (data/audit/trail/audit-trail.ts). It travels in the transaction that it tells of. */
export function operatorEvent(event: {
  readonly action: OperatorAction;
  /** E.g. `operator.deposit`. */
  readonly type: string;
  /** What was acted upon: an account id, a market symbol, `venue`. */
  readonly subject: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** State before and after; left out where the ledger itself adds it. */
  readonly change?: { readonly before: unknown; readonly after: unknown };
}): DomainEvent {
  const { action, type, subject, createdAt, details, change } = event;
  return {
    id: action.id,
    type,
    subject,
    payload: {
      actor: action.actor,
      ...(action.credential === undefined ? {} : { credential: action.credential }),
      request_id: action.requestId,
      details: detailsWith(action, details),
      ...change,
    },
    createdAt,
  };
}
