import { and, eq, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { domainEvents } from '../../schema/audit.ts';

/** Who acts, as the audit trail names them. */
export interface OperatorAction {
  /** UUIDv7 of the action, also the id of its event; the same on every retry, so that it takes place once. */
  readonly id: string;
  /** User id of the operator. */
  readonly actor: string;
  /** What the actor came by: `client:<id>` or `key:<id>`; left out where nobody came. */
  readonly credential?: string;
  /** Of the access token that they came by, Unix seconds: one that has ended changes nothing (`changeOnce`); left out where nobody came by one. */
  readonly tokenIssuedAt?: number;
  readonly requestId: string;
  /** Why, where it was stated. */
  readonly reason?: string;
}

const CLIENT = 'client:';

/** A client as the trail names it. */
export function clientCredential(clientId: string): string {
  return CLIENT + clientId;
}

/** The client that an action came by, or null. */
export function clientOf({ credential }: Pick<OperatorAction, 'credential'>): string | null {
  return credential?.startsWith(CLIENT) === true ? credential.slice(CLIENT.length) : null;
}

/** What an entry of the trail tells beside who acted and what changed: the reason among it. */
export function detailsWith(
  { reason }: OperatorAction,
  details: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return reason === undefined ? details : { ...details, reason };
}

export interface OperatorEvent {
  readonly action: OperatorAction;
  /** E.g. `operator.deposit`. */
  readonly type: string;
  /** What was acted upon: an account id, a market symbol, `venue`. */
  readonly subject: string;
  /** Unix milliseconds. */
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
           json_object('actor', ${event.action.actor}, 'credential', ${event.action.credential ?? null}, 'request_id', ${event.action.requestId},
                       'details', json(${JSON.stringify(detailsWith(event.action, event.details))}),
                       'before', json(${event.before}), 'after', json(${event.after})),
           ${event.createdAt}
    WHERE ${event.when}
    ON CONFLICT DO NOTHING`;
}

/**
 * Writes an operator's action down by itself, for one that changes nothing in D1 and is no transaction of the ledger; once per action id.
 * Before it is done, so that nothing is done that nobody can see.
 */
export async function recordOperatorAction(
  db: Database,
  event: Omit<OperatorEvent, 'before' | 'after' | 'when'> & { readonly before: unknown; readonly after: unknown },
): Promise<void> {
  const { before, after } = event;
  const texts = { before: JSON.stringify(before), after: JSON.stringify(after), when: sql`true` };
  await db.run(operatorEvent({ ...event, ...texts }));
}

/** What an action changed, from its event; null while it has not taken place. */
export async function findOperatorChange<State>(
  db: Database,
  action: OperatorAction,
  subject: string,
): Promise<{ readonly before: State; readonly after: State } | null> {
  const row = await db
    .select({ payload: domainEvents.payload })
    .from(domainEvents)
    .where(and(eq(domainEvents.id, action.id), eq(domainEvents.subject, subject)))
    .get();
  return row === undefined ? null : (JSON.parse(row.payload) as { before: State; after: State });
}

/** Why an action took place, as it was stated; null where it was not, or has not taken place. */
export async function findReason(
  db: Database,
  { id, subject }: { readonly id: string; readonly subject: string },
): Promise<string | null> {
  const reason = sql<string | null>`${domainEvents.payload} ->> '$.details.reason'`;
  const row = await db
    .select({ reason })
    .from(domainEvents)
    .where(and(eq(domainEvents.id, id), eq(domainEvents.subject, subject)))
    .get();
  return row?.reason ?? null;
}
