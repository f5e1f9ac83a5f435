import { and, desc, eq, gt, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { accreditationVerifications, verificationEvents } from '../schema/accounts.ts';

export type AccreditationVerification = Readonly<typeof accreditationVerifications.$inferSelect>;

/** Adds a request; one under this id stays as it is, and so does the account's open one beside which none is added. */
export async function addVerification(db: Database, request: AccreditationVerification): Promise<void> {
  const { id, account, owner, evidenceKind, provider, actor, createdAt, askedAt } = request;
  await db.run(sql`
    INSERT INTO accreditation_verifications (id, account, owner, evidence_kind, provider, state, actor, created_at, asked_at, applied)
    SELECT ${id}, ${account}, ${owner}, ${evidenceKind}, ${provider}, 'REQUESTED', ${actor}, ${createdAt}, ${askedAt}, 0
    WHERE NOT EXISTS (SELECT 1 FROM accreditation_verifications WHERE account = ${account} AND state = 'REQUESTED')
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

/** Those that wait for their provider, and were not asked about since; longest ago first. */
export function listWaitingVerifications(
  db: Database,
  askedBefore: number,
  limit: number,
): Promise<AccreditationVerification[]> {
  return db
    .select()
    .from(accreditationVerifications)
    .where(and(eq(accreditationVerifications.applied, false), lt(accreditationVerifications.askedAt, askedBefore)))
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

/** Decides an open request; what was decided before stays. */
export async function decideVerification(
  db: Database,
  id: string,
  decision: Pick<AccreditationVerification, 'state' | 'reason' | 'expiresAt' | 'decidedAt' | 'applied'>,
): Promise<void> {
  await db
    .update(accreditationVerifications)
    .set(decision)
    .where(and(eq(accreditationVerifications.id, id), eq(accreditationVerifications.state, 'REQUESTED')));
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
