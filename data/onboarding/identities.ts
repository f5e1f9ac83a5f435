import { and, asc, eq, gt, inArray, lt, type SQL, sql } from 'drizzle-orm';
import type { Attested } from '../../domain/onboarding/identity-attestations.ts';
import { DOCUMENTS_MAX, kindsOf, slotOf } from '../../domain/onboarding/identity-documents.ts';
import {
  type IdentityState,
  type IdentitySubject,
  OPERATOR_APPROVAL_MS,
  OPERATOR_DECISIONS,
  type OperatorDecision,
} from '../../domain/onboarding/identity-state.ts';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import { changeOnce } from '../change-once.ts';
import type { Database } from '../database.ts';
import { identities, identityDocuments } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';
import { partiesWrite } from './entities.ts';
import { HOLD_APPROVAL, NO_HELD_APPROVAL } from './held-approvals.ts';
import { countsChange, hasChangesLeft, openToPerson } from './person-changes.ts';

export type IdentityRow = Readonly<typeof identities.$inferSelect>;
export type DocumentRow = Readonly<typeof identityDocuments.$inferSelect>;

export async function findIdentity(db: Database, id: string): Promise<IdentityRow | null> {
  return (await db.select().from(identities).where(eq(identities.id, id)).get()) ?? null;
}

export async function findIdentityOfUser(db: Database, userId: string): Promise<IdentityRow | null> {
  return (await db.select().from(identities).where(eq(identities.userId, userId)).get()) ?? null;
}

export async function findIdentityOfSubmission(db: Database, submission: string): Promise<IdentityRow | null> {
  return (await db.select().from(identities).where(eq(identities.submission, submission)).get()) ?? null;
}

/** Whose handing in of before it was, that which is decided on or counts now left out. */
export async function findIdentityOfFormer(db: Database, submission: string): Promise<IdentityRow | null> {
  const of = sql`id = (SELECT identity FROM identity_statements WHERE submission = ${submission})`;
  return (await db.select().from(identities).where(of).get()) ?? null;
}

/** Begins an identity; one that the person has stays as it is. */
export async function addIdentity(
  db: Database,
  row: Pick<IdentityRow, 'id' | 'userId' | 'account' | 'owner'>,
  now: number,
): Promise<void> {
  const begun = {
    ...row,
    state: 'DRAFT',
    facts: '',
    attested: [],
    version: 1,
    createdAt: now,
    updatedAt: now,
  } as const;
  await db.insert(identities).values(begun).onConflictDoNothing();
}

/** Writes down what the person states; false where it has changed meanwhile, is no longer theirs to change, or as much was stated today as may be. */
export async function stateFacts(
  db: Database,
  { id, version }: Pick<IdentityRow, 'id' | 'version'>,
  {
    facts,
    attested,
    needsPerson,
  }: { readonly facts: string; readonly attested: readonly Attested[]; readonly needsPerson: boolean },
  now: number,
): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET facts = ${facts}, attested = ${JSON.stringify(attested)}, needs_person = max(needs_person, CAST(${needsPerson ? 1 : 0} AS INTEGER)),
          version = version + 1, updated_at = ${now}, ${countsChange(now)}
        WHERE id = ${id} AND version = ${version} AND ${openToPerson(now)} AND shredded_at IS NULL AND ${hasChangesLeft(now)} RETURNING id`,
  ]);
  return rows?.length === 1;
}

interface HandingIn {
  readonly submission: string;
  readonly provider: string | null;
  readonly needsPerson: boolean;
  /** Ids of the parties of an entity; of a person none. */
  readonly parties: readonly string[];
}

const HAS_MATCH: SQL = sql`(sanctions = 'match' OR adverse_media = 'match')`;

/** Nothing was searched of what is handed in anew. A match stays one, with its time: another spelling does not make it go away. */
export const KEEP_MATCHES: SQL = sql`checked_at = CASE WHEN ${HAS_MATCH} THEN checked_at END,
          sanctions = CASE sanctions WHEN 'match' THEN 'match' ELSE 'unchecked' END,
          adverse_media = CASE adverse_media WHEN 'match' THEN 'match' ELSE 'unchecked' END`;

/** Hands in what stands at this version, once, and keeps what was stated by then. An approval that stands counts until its end, or the next decision. */
export async function submit(
  db: Database,
  { id, version }: Pick<IdentityRow, 'id' | 'version'>,
  { submission, provider, needsPerson, parties }: HandingIn,
  now: number,
): Promise<boolean> {
  const state: IdentityState = provider === null ? 'IN_REVIEW' : 'SUBMITTED';
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET state = ${state}, submission = ${submission}, submitted_at = ${now}, provider = ${provider}, reference = NULL, asked_at = 0,
          ${KEEP_MATCHES}, expires_at = NULL, decided_at = NULL, decided_by = NULL,
          reason = NULL, ${HOLD_APPROVAL}, version = version + 1, updated_at = ${now}, needs_person = max(needs_person, CAST(${needsPerson ? 1 : 0} AS INTEGER), ${HAS_MATCH})
        WHERE id = ${id} AND version = ${version} AND ${openToPerson(now)} AND applied = 1 AND shredded_at IS NULL RETURNING id`,
    sql`INSERT INTO identity_statements (submission, identity, facts, attested, submitted_at)
        SELECT submission, id, facts, attested, submitted_at FROM identities WHERE submission = ${submission}`,
    partiesWrite(submission, parties),
  ]);
  return rows?.length === 1;
}

/** The provider was asked, and may have said under which id it knows the handing in. */
export async function noteIdentityAsked(
  db: Database,
  submission: string,
  askedAt: number,
  reference: string | null,
): Promise<void> {
  await db
    .update(identities)
    .set({ askedAt, ...(reference === null ? {} : { reference }) })
    .where(eq(identities.submission, submission));
}

interface DecisionOfOperator {
  readonly decision: OperatorDecision;
  /** Of the identity as they have looked at it. */
  readonly version: number;
  /** What they write to the person, who reads it. Why they decide so is the action's reason, for the trail alone. */
  readonly message: string | null;
}

/**
 * An operator's decision, with who made it, once for each action: on what they have looked at, and nothing that was found, stated or decided since.
 *
 * @returns false where the state allows it not, or it has changed since it was looked at
 */
export function decideByOperator(
  db: Database,
  { id, account, state, submission, sanctions, adverseMedia }: IdentityRow,
  { decision, version, message }: DecisionOfOperator,
  action: OperatorAction,
  now: number,
): Promise<boolean> {
  const { from, to } = OPERATOR_DECISIONS[decision];
  // Whose approval of before counts can be refused wherever their renewal is.
  const isRefusable = decision === 'refuse' ? sql`held_until IS NOT NULL` : sql`false`;
  // Nobody is let in, or asked for more, of whom nothing is left: nobody could say who it was.
  const isThere = decision === 'refuse' ? sql`true` : sql`shredded_at IS NULL`;
  const stands = sql`id = ${id} AND state = ${state} AND submission = ${submission} AND version = ${version} AND ${isThere}
    AND (state IN (SELECT value FROM json_each(${JSON.stringify(from)})) OR ${isRefusable})`;
  return changeOnce(db, {
    action,
    type: `operator.identity_${decision === 'ask-back' ? 'asked_back' : decision === 'approve' ? 'approved' : 'refused'}`,
    subject: id,
    details: message === null ? { account } : { account, message },
    before: { state, sanctions, adverseMedia },
    after: { state: to },
    now,
    when: sql`EXISTS (SELECT 1 FROM identities WHERE ${stands})`,
    writes: (takesPlace) => [
      sql`UPDATE identities SET state = ${to}, reason = ${message}, decided_at = ${now}, decided_by = ${action.actor}, change_id = ${action.id},
            applied = 0, updated_at = ${now}, version = version + 1, expires_at = ${to === 'APPROVED' ? now + OPERATOR_APPROVAL_MS : null}, needs_person = ${decision === 'ask-back' ? sql`1` : sql`needs_person`}${decision === 'ask-back' ? sql`` : sql`, ${NO_HELD_APPROVAL}`}
          WHERE ${stands} AND ${takesPlace}`,
    ],
  });
}

/** The account's facts follow from a decision, and the person was told; from a later one they may not yet. */
export async function noteIdentityApplied(db: Database, id: string, changeId: string): Promise<void> {
  await db
    .update(identities)
    .set({ applied: true })
    .where(and(eq(identities.id, id), eq(identities.changeId, changeId)));
}

/** Approvals whose provider's word is out of date, the longest ago first. */
export async function listOutdatedApprovals(db: Database, now: number, limit: number): Promise<string[]> {
  const [rows] = await sqlBatch<[{ id: string }[]]>(db, [
    sql`SELECT id FROM identities WHERE state = 'APPROVED' AND expires_at <= CAST(${now} AS INTEGER) ORDER BY expires_at LIMIT ${limit}`,
  ]);
  return rows.map(({ id }) => id);
}

/** Ends an approval whose provider's word is out of date, once; false where it is decided otherwise by now. */
export async function expireApproval(
  db: Database,
  { id, changeId, decidedBy }: { readonly id: string; readonly changeId: string; readonly decidedBy: string },
  now: number,
): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identities SET state = 'EXPIRED', reason = NULL, decided_at = ${now}, decided_by = ${decidedBy}, change_id = ${changeId}, applied = 0,
          version = version + 1, updated_at = ${now}
        WHERE id = ${id} AND state = 'APPROVED' AND expires_at <= CAST(${now} AS INTEGER) RETURNING id`,
  ]);
  return rows?.length === 1;
}

/** An approval by a provider that does not take effect, because the venue has refused the account: an operator decides. */
export async function returnToOperator(
  db: Database,
  { id, changeId }: Pick<IdentityRow, 'id' | 'changeId'>,
  now: number,
): Promise<void> {
  const state: IdentityState = 'IN_REVIEW';
  await db
    .update(identities)
    .set({
      state,
      reason: 'account_rejected',
      expiresAt: null,
      decidedAt: null,
      decidedBy: null,
      applied: true,
      updatedAt: now,
    })
    .where(and(eq(identities.id, id), sql`change_id = ${changeId} AND state = 'APPROVED' AND applied = 0`));
}

/** Those whose account does not follow them yet, and were not looked at since: what takes something away before an approval, then the longest ago first. */
export function listUnappliedIdentities(db: Database, askedBefore: number, limit: number): Promise<IdentityRow[]> {
  return db
    .select()
    .from(identities)
    .where(and(sql`applied = 0`, lt(identities.askedAt, askedBefore)))
    .orderBy(sql`state = 'APPROVED'`, identities.askedAt)
    .limit(limit);
}

/** Those that wait for their provider, and were not looked at since; longest ago first. */
export function listWaitingIdentities(db: Database, askedBefore: number, limit: number): Promise<IdentityRow[]> {
  return db
    .select()
    .from(identities)
    .where(and(sql`state = 'SUBMITTED' AND applied = 1`, lt(identities.askedAt, askedBefore)))
    .orderBy(identities.askedAt)
    .limit(limit);
}

/** Nobody who may be looking reads or counts what was found of themselves. */
export const notOf = (people: readonly string[]): SQL =>
  sql`user_id NOT IN (SELECT value FROM json_each(${JSON.stringify(people)}))`;

interface IdentityFilter {
  /** Of this organization alone; null for all. */
  readonly owner: string | null;
  /** User ids of whoever may be asking: their own is left out. */
  readonly viewers: readonly string[];
  readonly state: IdentityState | null;
  /** Id of the last one of the page before. */
  readonly after: string | null;
  readonly limit: number;
}

/** What was handed in once, the longest ago first. */
export function listIdentities(
  db: Database,
  { owner, viewers, state, after, limit }: IdentityFilter,
): Promise<IdentityRow[]> {
  const conditions: SQL[] = [sql`submission IS NOT NULL`, notOf(viewers)];
  if (owner !== null) conditions.push(eq(identities.owner, owner));
  if (state !== null) conditions.push(eq(identities.state, state));
  if (after !== null) conditions.push(gt(identities.id, after));
  return db
    .select()
    .from(identities)
    .where(and(...conditions))
    .orderBy(asc(identities.id))
    .limit(limit);
}

/** Writes down what is about to be stored; false where the person has shown as much as they may, or may show nothing now. */
export async function announceDocument(db: Database, row: Omit<DocumentRow, 'storedAt'>): Promise<boolean> {
  const { id, identity, kind, type, bytes, object, createdAt } = row;
  const [rows] = await sqlBatch(db, [
    sql`INSERT INTO identity_documents (id, identity, kind, type, bytes, object, created_at)
        SELECT ${id}, ${identity}, ${kind}, ${type}, ${bytes}, ${object}, ${createdAt}
        WHERE (SELECT count(*) FROM identity_documents WHERE identity = ${identity} AND ${notHandedIn(identity)}) < CAST(${DOCUMENTS_MAX} AS INTEGER)
          AND EXISTS (SELECT 1 FROM identities WHERE id = ${identity} AND ${openToPerson(createdAt)} AND shredded_at IS NULL AND ${hasChangesLeft(createdAt)})
        ON CONFLICT DO NOTHING RETURNING id`,
    // Nobody has left it alone who shows something: it is not shredded while bytes are on their way.
    sql`UPDATE identities SET updated_at = max(updated_at, CAST(${createdAt} AS INTEGER)), ${countsChange(createdAt)} WHERE id = ${identity} AND EXISTS (SELECT 1 FROM identity_documents WHERE id = ${id})`,
  ]);
  return rows?.length === 1;
}

/** Of a document: it came after the last handing in. */
const notHandedIn = (identity: string): SQL =>
  sql`created_at > coalesce((SELECT submitted_at FROM identities WHERE id = ${identity}), 0)`;

/** Takes back the older ones of a slot that were never handed in. @returns them: their bytes may go */
export async function takeBackOlder(
  db: Database,
  { id, identity, kind }: Pick<DocumentRow, 'id' | 'identity' | 'kind'>,
  now: number,
): Promise<{ readonly id: string; readonly object: string }[]> {
  const kinds = kindsOf(slotOf(kind));
  const [rows] = await sqlBatch<[{ id: string; object: string }[]]>(db, [
    sql`UPDATE identity_documents SET stored_at = NULL
        WHERE identity = ${identity} AND id < ${id} AND stored_at IS NOT NULL AND kind IN (SELECT value FROM json_each(${JSON.stringify(kinds)})) AND ${notHandedIn(identity)}
          AND EXISTS (SELECT 1 FROM identities WHERE id = ${identity} AND ${openToPerson(now)} AND shredded_at IS NULL) RETURNING id, object`,
  ]);
  return rows;
}

/** Its bytes are there. False where it was handed in meanwhile, is another's now, or a sweep has taken it: then it counts for nothing. */
export async function confirmDocument(
  db: Database,
  { id, identity }: Pick<DocumentRow, 'id' | 'identity'>,
  subject: IdentitySubject,
  now: number,
): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`UPDATE identity_documents SET stored_at = coalesce(stored_at, ${now}) WHERE id = ${id}
          AND EXISTS (SELECT 1 FROM identities WHERE id = ${identity} AND subject = ${subject} AND ${openToPerson(now)} AND shredded_at IS NULL) RETURNING id`,
  ]);
  return rows?.length === 1;
}

/** What a person has shown, in the order in which they did; what is not wholly stored is left out. */
export function listDocuments(db: Database, identity: string): Promise<DocumentRow[]> {
  return db
    .select()
    .from(identityDocuments)
    .where(and(eq(identityDocuments.identity, identity), sql`${identityDocuments.storedAt} IS NOT NULL`))
    .orderBy(identityDocuments.id);
}

/** A document of this identity and no other. */
export async function findDocument(db: Database, identity: string, id: string): Promise<DocumentRow | null> {
  return (await listDocuments(db, identity)).find((document) => document.id === id) ?? null;
}

/** Documents whose bytes never came, announced before a time. */
export function listUnstoredDocuments(db: Database, before: number, limit: number): Promise<DocumentRow[]> {
  return db
    .select()
    .from(identityDocuments)
    .where(and(sql`stored_at IS NULL`, lt(identityDocuments.createdAt, before)))
    .limit(limit);
}

export async function deleteDocuments(db: Database, ids: readonly string[]): Promise<void> {
  await db.delete(identityDocuments).where(inArray(identityDocuments.id, [...ids]));
}

export async function listAllDocuments(db: Database, identity: string): Promise<DocumentRow[]> {
  return db.select().from(identityDocuments).where(eq(identityDocuments.identity, identity));
}
