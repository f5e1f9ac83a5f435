import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { isAbout } from '../../surveillance/about.ts';

/** What an operator did, as it was written in the batch that did it (operator-events.ts). */
export interface AuditedAction {
  readonly id: string;
  /** E.g. `operator.deposit`. */
  readonly type: string;
  /** What was acted upon: an account, user, organization or asset id, a market symbol, `venue`; null for a relative elsewhere. */
  readonly subject: string | null;
  /** User id of the operator. */
  readonly actor: string;
  /** What they came by: `client:<id>` or `key:<id>`; null for what nobody came for. */
  readonly credential: string | null;
  readonly requestId: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly before: unknown;
  readonly after: unknown;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

export interface AuditTrailFilter {
  /** Actions on this organization, its users, accounts, clients and trades, or by its users; null for all. */
  readonly owner: string | null;
  readonly subject: string | null;
  /** User id of whoever acted; null for all. */
  readonly actor: string | null;
  /** E.g. `operator.deposit`; null for all. */
  readonly type: string | null;
  /** User ids of whoever may be asking: what was done with a case of surveillance about one of them is left out, and what was found of their identity. */
  readonly viewers: readonly string[];
  /** Id of the last action of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/**
 * Whether an entry tells of the identity of one of these people, of whichever: one that is gone has another's place (`replaceShredded`). The decision on it changes the facts of its account in its
 * name, or in its provider's or the venue's (`applyIdentityDecision`).
 */
function isOfIdentity(people: readonly string[]): SQL {
  return sql`EXISTS (SELECT 1 FROM accounts own WHERE own.user_id IN (SELECT value FROM json_each(${JSON.stringify(people)})) AND (
      (e.type GLOB 'operator.identity_*' AND e.payload ->> '$.details.account' = own.id)
      OR (e.type = 'operator.account_facts' AND e.subject = own.id AND (e.payload ->> 'actor' GLOB 'provider:*' OR e.payload ->> 'actor' GLOB 'venue:*'
        OR EXISTS (SELECT 1 FROM identities WHERE identities.id = e.payload ->> 'request_id')
        OR EXISTS (SELECT 1 FROM domain_events o WHERE o.type GLOB 'operator.*' AND o.subject = e.payload ->> 'request_id' AND o.type GLOB 'operator.identity_*')))))`;
}

interface EventRow {
  readonly id: string;
  readonly type: string;
  readonly subject: string | null;
  readonly payload: string;
  readonly createdAt: number;
}

/** Actions of operators, newest first. */
export async function listAuditTrail(db: Database, filter: AuditTrailFilter): Promise<AuditedAction[]> {
  const { owner, subject, actor, type, viewers, before, limit } = filter;
  const shown = owner === null ? sql`e.subject` : subjectFor(owner);
  const conditions = [
    // As the partial index domain_events_operator states it.
    sql`e.type GLOB 'operator.*'`,
    sql`NOT (e.type GLOB 'operator.surveillance_case_*' AND EXISTS (
      SELECT 1 FROM surveillance_cases WHERE surveillance_cases.id = e.subject AND ${isAbout(viewers)}))`,
    sql`NOT ${isOfIdentity(viewers)}`,
    ...(before === null ? [] : [sql`e.id < ${before}`]),
    // By its index, and then whether it is shown at all.
    ...(subject === null ? [] : [sql`e.subject = ${subject}`, sql`${shown} = ${subject}`]),
    ...(actor === null ? [] : [sql`e.payload ->> 'actor' = ${actor}`]),
    ...(type === null ? [] : [sql`e.type = ${type}`]),
    ...(owner === null
      ? []
      : [
          sql`(e.subject = ${owner}
               OR EXISTS (SELECT 1 FROM accounts WHERE id = e.subject AND owner = ${owner})
               OR EXISTS (SELECT 1 FROM users WHERE id = e.subject AND owner = ${owner})
               OR EXISTS (SELECT 1 FROM oauth_clients WHERE id = e.subject AND owner = ${owner})
               OR EXISTS (SELECT 1 FROM accounts WHERE owner = ${owner}
                            AND id IN (e.payload ->> '$.details.buyer', e.payload ->> '$.details.seller',
                                       e.payload ->> '$.details.relative'))
               OR EXISTS (SELECT 1 FROM users WHERE id = e.payload ->> 'actor' AND owner = ${owner}))`,
        ]),
  ];
  const rows = await db.all<EventRow>(sql`
    SELECT e.id, e.type, ${shown} AS subject, e.payload, e.created_at AS createdAt FROM domain_events e
    WHERE ${sql.join(conditions, sql` AND `)} ORDER BY e.id DESC LIMIT ${limit}`);
  const actions = rows.map(({ payload, ...event }): AuditedAction => {
    const { actor, credential = null, request_id: requestId, details, before, after } = JSON.parse(payload);
    return { ...event, actor, credential, requestId, details, before, after };
  });
  return owner === null ? actions : withoutOthers(db, owner, actions);
}

/** An organization does not learn whose relative its own people are: not as a subject, and not by asking for one. */
function subjectFor(owner: string): SQL {
  return sql`CASE WHEN e.payload ->> '$.details.relative' IS NULL
                    OR EXISTS (SELECT 1 FROM accounts WHERE id = e.subject AND owner = ${owner}) THEN e.subject END`;
}

const NAMED = ['buyer', 'seller', 'relative'] as const;

/**
 * An organization learns of a trade what is its own: neither who the other side is nor their fee; of a family relation neither who the
 * relative elsewhere is nor where the evidence is kept.
 */
async function withoutOthers(db: Database, owner: string, actions: readonly AuditedAction[]): Promise<AuditedAction[]> {
  const named = actions.flatMap(({ details }) => NAMED.map((name) => details[name]).filter((id) => id !== undefined));
  if (named.length === 0) return [...actions];
  const own = await db.all<{ id: string }>(sql`
    SELECT id FROM accounts WHERE owner = ${owner} AND id IN (SELECT value FROM json_each(${JSON.stringify(named)}))`);
  const ids = new Set<unknown>(own.map(({ id }) => id));
  return actions.map((action) => {
    const { subject, details, before, after } = action;
    const others = NAMED.filter((name) => name in details && !ids.has(details[name]));
    const isAcross = subject === null || others.includes('relative');
    return {
      ...action,
      details: without(isAcross ? [...others, 'evidence'] : others, details),
      before: without(others.map(feeOf), before),
      after: without(others.map(feeOf), after),
    };
  });
}

const feeOf = (side: (typeof NAMED)[number]) => `${side}Fee`;

function without<State>(names: readonly string[], state: State): State {
  if (names.length === 0 || typeof state !== 'object' || state === null) return state;
  return Object.fromEntries(Object.entries(state).filter(([name]) => !names.includes(name))) as State;
}
