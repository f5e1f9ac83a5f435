import { and, desc, eq, gt, lt, ne, type SQL, sql } from 'drizzle-orm';
import type { VerificationState } from '../../domain/accreditation/verification.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { accreditationVerifications, verificationEvents } from '../schema/accounts.ts';
import { isEndedByOperator } from './accreditation-ends.ts';

export type AccreditationVerification = Readonly<typeof accreditationVerifications.$inferSelect>;

/** What a request is when it is made. */
export type AskedVerification = Pick<
  AccreditationVerification,
  'id' | 'account' | 'owner' | 'evidenceKind' | 'provider' | 'actor' | 'createdAt'
>;

/**
 * Adds a request: REQUESTED, or IN_REVIEW where an operator has ended the account's accreditation. One under this id stays as it is, and so does the account's
 * open one beside which none is added.
 */
export async function addVerification(db: Database, request: AskedVerification): Promise<void> {
  const { id, account, owner, evidenceKind, provider, actor, createdAt } = request;
  await db.run(sql`
    INSERT INTO accreditation_verifications (id, account, owner, evidence_kind, provider, state, actor, created_at, asked_at, applied)
    SELECT ${id}, ${account}, ${owner}, ${evidenceKind}, ${provider},
           CASE WHEN ${isEndedByOperator(account)} THEN 'IN_REVIEW' ELSE 'REQUESTED' END, ${actor}, ${createdAt}, ${createdAt}, 0
    WHERE NOT EXISTS (SELECT 1 FROM accreditation_verifications WHERE account = ${account} AND state IN ('REQUESTED', 'IN_REVIEW'))
    ON CONFLICT DO NOTHING`);
}

export async function findVerification(db: Database, id: string): Promise<AccreditationVerification | null> {
  const found = db.select().from(accreditationVerifications).where(eq(accreditationVerifications.id, id));
  return (await found.get()) ?? null;
}

/** Requests of one account that a list shows. */
const LISTED_MAX = 100;

/** Newest first. */
export function listVerifications(db: Database, account: string, since = 0): Promise<AccreditationVerification[]> {
  return db
    .select()
    .from(accreditationVerifications)
    .where(and(eq(accreditationVerifications.account, account), gt(accreditationVerifications.createdAt, since)))
    .orderBy(desc(accreditationVerifications.id))
    .limit(LISTED_MAX);
}

export interface VerificationFilter {
  readonly account: string | null;
  /** Of this organization alone; null for all. */
  readonly owner: string | null;
  /** As it shows at a time. */
  readonly state: VerificationState | null;
  readonly now: number;
  /** Id of the last request of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Requests of all accounts, newest first. */
export function listVerificationsOfVenue(
  db: Database,
  { account, owner, state, now, before, limit }: VerificationFilter,
): Promise<AccreditationVerification[]> {
  const t = accreditationVerifications;
  const conditions = [
    ...(account === null ? [] : [eq(t.account, account)]),
    ...(owner === null ? [] : [eq(t.owner, owner)]),
    ...(before === null ? [] : [lt(t.id, before)]),
    ...(state === null ? [] : [showsState(state, now)]),
  ];
  return db
    .select()
    .from(t)
    .where(and(...conditions))
    .orderBy(desc(t.id))
    .limit(limit);
}

/** As `stateAt` has it. */
function showsState(state: VerificationState, now: number): SQL {
  const isOver = sql`state = 'VERIFIED' AND expires_at <= ${now}`;
  switch (state) {
    case 'EXPIRED':
      return sql`(state = 'EXPIRED' OR (${isOver}))`;
    case 'VERIFIED':
      return sql`(state = 'VERIFIED' AND NOT (${isOver}))`;
    // A text of its own, so that the partial index serves it.
    case 'IN_REVIEW':
      return sql`state = 'IN_REVIEW'`;
    default:
      return sql`state = ${state}`;
  }
}

/** An operator's word on a request that waits for it. */
export interface ReviewDecision {
  readonly id: string;
  readonly decision: 'allow' | 'refuse';
  readonly action: OperatorAction;
  readonly now: number;
}

/**
 * Allows that the provider is asked, which also allows the account's requests from then on, or refuses the request; with who did it, once per action.
 *
 * @returns false where the request does not wait for it
 */
export function reviewVerification(
  db: Database,
  { account, state }: AccreditationVerification,
  { id, decision, action, now }: ReviewDecision,
): Promise<boolean> {
  const isAllowed = decision === 'allow';
  return changeOnce(db, {
    action,
    type: isAllowed ? 'operator.verification_allowed' : 'operator.verification_refused',
    subject: account,
    details: { verification: id },
    before: { state },
    after: { state: isAllowed ? 'REQUESTED' : 'REFUSED' },
    now,
    when: sql`EXISTS (SELECT 1 FROM accreditation_verifications WHERE id = ${id} AND state = 'IN_REVIEW')`,
    writes: (takesPlace) =>
      isAllowed
        ? [
            sql`UPDATE accreditation_ends SET lifted_at = ${now}, lifted_by = ${action.actor}
                WHERE account = ${account} AND lifted_at IS NULL AND ${takesPlace}
                  AND EXISTS (SELECT 1 FROM accreditation_verifications WHERE id = ${id} AND state = 'IN_REVIEW')`,
            sql`UPDATE accreditation_verifications SET state = 'REQUESTED', allowed_at = ${now}
                WHERE id = ${id} AND state = 'IN_REVIEW' AND ${takesPlace}`,
          ]
        : [
            sql`UPDATE accreditation_verifications
                SET state = 'REFUSED', reason = ${action.reason ?? 'refused'}, decided_at = ${now}, applied = 1
                WHERE id = ${id} AND state = 'IN_REVIEW' AND ${takesPlace}`,
          ],
  });
}

/** Those that wait for their provider, or whose account does not follow them yet, and were not looked at since; longest ago first. */
export function listWaitingVerifications(
  db: Database,
  askedBefore: number,
  limit: number,
): Promise<AccreditationVerification[]> {
  return db
    .select()
    .from(accreditationVerifications)
    .where(
      and(
        eq(accreditationVerifications.applied, false),
        ne(accreditationVerifications.state, 'IN_REVIEW'),
        lt(accreditationVerifications.askedAt, askedBefore),
      ),
    )
    .orderBy(accreditationVerifications.askedAt)
    .limit(limit);
}

/** The provider was asked, and may have said under which id it knows the request. */
export async function noteAsked(db: Database, id: string, askedAt: number, reference: string | null): Promise<void> {
  await db
    .update(accreditationVerifications)
    .set({ askedAt, ...(reference === null ? {} : { reference }) })
    .where(eq(accreditationVerifications.id, id));
}

/** A request that its provider has not answered ends. */
export async function expireRequest(db: Database, id: string, now: number): Promise<void> {
  await db
    .update(accreditationVerifications)
    .set({ state: 'EXPIRED', reason: 'no_answer', decidedAt: now, applied: true })
    .where(and(eq(accreditationVerifications.id, id), eq(accreditationVerifications.state, 'REQUESTED')));
}

/** The account's facts follow from a decision; from a later one they may not yet. */
export async function noteVerificationApplied(db: Database, id: string, changeId: string): Promise<void> {
  await db
    .update(accreditationVerifications)
    .set({ applied: true })
    .where(and(eq(accreditationVerifications.id, id), eq(accreditationVerifications.changeId, changeId)));
}

/** The hash of the body under which an event came first; null for one that has not come. */
export async function findVerificationEvent(db: Database, id: string): Promise<string | null> {
  const found = db
    .select({ hash: verificationEvents.hash })
    .from(verificationEvents)
    .where(eq(verificationEvents.id, id));
  return (await found.get())?.hash ?? null;
}

/** Writes down that an event came; one that is there stays as it is. */
export async function recordVerificationEvent(
  db: Database,
  event: { readonly id: string; readonly hash: string; readonly at: number },
): Promise<void> {
  await db.insert(verificationEvents).values(event).onConflictDoNothing();
}

/** Forgets events that came before a time, at most so many. */
export async function deleteVerificationEvents(db: Database, before: number, limit: number): Promise<void> {
  await db.run(sql`
    DELETE FROM verification_events WHERE id IN (SELECT id FROM verification_events WHERE at < ${before} LIMIT ${limit})`);
}
