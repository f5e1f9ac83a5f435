import { type SQL, sql } from 'drizzle-orm';

/** Who acts, as the audit trail names them. */
export interface OperatorAction {
  /** UUIDv7 of the action; the same on every retry, so that it is written down once. */
  readonly id: string;
  /** User id of the operator. */
  readonly actor: string;
  readonly requestId: string;
}

export interface OperatorEvent {
  readonly action: OperatorAction;
  /** E.g. `operator.deposit`. */
  readonly type: string;
  /** What was acted upon: an account id, a market symbol, `venue`. */
  readonly subject: string;
  readonly createdAt: number;
  readonly details: Readonly<Record<string, unknown>>;
  /** JSON text, as an expression or a value: the state before and after. */
  readonly before: SQL | string;
  readonly after: SQL | string;
  /** Condition of the batch under which the action takes place. */
  readonly when: SQL;
}

/** The statement that writes an operator's action into domain_events: who, what, before and after. */
export function operatorEvent(event: OperatorEvent): SQL {
  return sql`
    INSERT INTO domain_events (id, type, subject, payload, created_at)
    SELECT ${event.action.id}, ${event.type}, ${event.subject},
           json_object('actor', ${event.action.actor}, 'request_id', ${event.action.requestId},
                       'details', json(${JSON.stringify(event.details)}),
                       'before', json(${event.before}), 'after', json(${event.after})),
           ${event.createdAt}
    WHERE ${event.when}
    ON CONFLICT DO NOTHING`;
}
