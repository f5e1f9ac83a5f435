import { and, desc, eq, gt, lt, or, sql } from 'drizzle-orm';
import type { ApprovalState } from '../../domain/identity/approval.ts';
import { VENUE_OWNER } from '../../domain/identity/venue.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { organizations } from '../schema/accounts.ts';
import { operatorApprovals } from '../schema/approvals.ts';
import { refuseEndedToken, tokenStands } from './bearer.ts';

export type ApprovalRow = Readonly<typeof operatorApprovals.$inferSelect>;

/** Whether an organization asks for a second operator. */
export async function asksForTwoOperators(db: Database, organization: string): Promise<boolean> {
  const row = await db
    .select({ since: organizations.twoOperatorsSince })
    .from(organizations)
    .where(eq(organizations.id, organization))
    .get();
  return (row?.since ?? null) !== null;
}

/** Lets an organization ask for a second operator, or not any more; written down. */
export function setTwoOperators(
  db: Database,
  { organization, required, reason, now }: { organization: string; required: boolean; reason: string; now: number },
  action: OperatorAction,
): Promise<boolean> {
  const since = required ? sql`coalesce(two_operators_since, ${now})` : sql`NULL`;
  return changeOnce(db, {
    action,
    type: 'operator.two_operators_set',
    subject: organization,
    details: { reason },
    before: null,
    after: { required },
    now,
    when: sql`true`,
    writes: (takesPlace) => [
      sql`UPDATE organizations SET two_operators_since = ${since} WHERE id = ${organization} AND ${takesPlace}`,
    ],
  });
}

type NewApproval = Pick<ApprovalRow, 'call' | 'hash' | 'body' | 'askedBy' | 'people' | 'askedAt' | 'expiresAt'>;

/** Stores a call that waits for a second operator, written down; false where `openMax` of whoever asks wait already. */
export function askForApproval(
  db: Database,
  asked: NewApproval,
  openMax: number,
  action: OperatorAction,
): Promise<boolean> {
  const { call, hash, body, askedBy, people, askedAt, expiresAt } = asked;
  return changeOnce(db, {
    action,
    type: 'operator.approval_asked',
    subject: action.id,
    details: { call },
    before: null,
    after: null,
    now: askedAt,
    when: sql`(SELECT count(*) FROM operator_approvals WHERE asked_by = ${askedBy} AND used_by IS NULL AND state <> 'rejected'
                 AND expires_at > CAST(${askedAt} AS INTEGER)) < CAST(${openMax} AS INTEGER)`,
    writes: (takesPlace) => [
      sql`INSERT INTO operator_approvals (id, call, hash, body, asked_by, people, asked_at, expires_at, state)
          SELECT ${action.id}, ${call}, ${hash}, ${body}, ${askedBy}, ${JSON.stringify(people)}, ${askedAt}, ${expiresAt}, 'asked'
          WHERE ${takesPlace} ON CONFLICT DO NOTHING`,
    ],
  });
}

export async function findApproval(db: Database, id: string): Promise<ApprovalRow | null> {
  return (await db.select().from(operatorApprovals).where(eq(operatorApprovals.id, id)).get()) ?? null;
}

/** Calls that have not expired, newest first, after the last one of the page before. */
export function listApprovals(
  db: Database,
  {
    now,
    state,
    before,
    limit,
  }: {
    readonly now: number;
    /** Null for any. */
    readonly state: ApprovalState | null;
    readonly before: string | null;
    readonly limit: number;
  },
): Promise<ApprovalRow[]> {
  return db
    .select()
    .from(operatorApprovals)
    .where(
      and(
        gt(operatorApprovals.expiresAt, now),
        state === null ? undefined : eq(operatorApprovals.state, state),
        before === null ? undefined : lt(operatorApprovals.id, before),
      ),
    )
    .orderBy(desc(operatorApprovals.id))
    .limit(limit);
}

/** Decides on a call that is in a state still, and used for nothing; written down. */
export function decideApproval(
  db: Database,
  {
    id,
    from,
    state,
    reason,
    now,
  }: { id: string; from: ApprovalState; state: 'approved' | 'rejected'; reason: string; now: number },
  action: OperatorAction,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: `operator.approval_${state}`,
    subject: id,
    details: { reason },
    before: { state: from },
    after: { state },
    now,
    when: sql`EXISTS (SELECT 1 FROM operator_approvals WHERE id = ${id} AND state = ${from} AND used_by IS NULL)`,
    writes: (takesPlace) => [
      sql`UPDATE operator_approvals SET state = ${state}, decided_by = ${action.actor}, decided_at = ${now}
          WHERE id = ${id} AND state = ${from} AND used_by IS NULL AND ${takesPlace}`,
    ],
  });
}

/**
 * Uses an approval for an action, of whoever asked for this very call; once, and again for the same action.
 *
 * @throws TokenEnded where a kill switch has ended the token of the action
 */
export async function claimApproval(
  db: Database,
  {
    id,
    hash,
    askedBy,
    action,
    now,
  }: { id: string; hash: string; askedBy: string; action: Pick<OperatorAction, 'id' | 'tokenIssuedAt'>; now: number },
): Promise<boolean> {
  const bearer = { userId: askedBy, issuedAt: action.tokenIssuedAt ?? null };
  const claimed = await db
    .update(operatorApprovals)
    .set({ usedBy: action.id })
    .where(
      and(
        eq(operatorApprovals.id, id),
        eq(operatorApprovals.hash, hash),
        eq(operatorApprovals.askedBy, askedBy),
        eq(operatorApprovals.state, 'approved'),
        // An action that it was used for may be repeated until it is known to be done.
        or(gt(operatorApprovals.expiresAt, now), eq(operatorApprovals.usedBy, action.id)),
        sql`coalesce(${operatorApprovals.usedBy}, ${action.id}) = ${action.id}`,
        // Whoever approved has pulled their kill switch since, is dismissed, or runs the venue no more: their word stands no more, but for what was begun by it.
        or(
          eq(operatorApprovals.usedBy, action.id),
          sql`EXISTS (SELECT 1 FROM users WHERE id = ${operatorApprovals.decidedBy}
            AND tokens_valid_after <= ${operatorApprovals.decidedAt} AND deactivated_at IS NULL
            AND owner = ${VENUE_OWNER} AND EXISTS (SELECT 1 FROM json_each(users.roles) WHERE value = 'operator'))`,
        ),
        tokenStands(bearer),
      ),
    )
    .returning({ id: operatorApprovals.id });
  if (claimed.length === 0) await refuseEndedToken(db, bearer);
  return claimed.length === 1;
}
