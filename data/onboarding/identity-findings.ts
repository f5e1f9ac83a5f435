import { type SQL, sql } from 'drizzle-orm';
import { DECIDING_EFFECTS, type FindingEffect, stateAfter } from '../../domain/onboarding/finding-effects.ts';
import type { PartyFinding, Screening } from '../../domain/onboarding/identity-verification.ts';
import { operatorEvent } from '../audit/trail/operator-events.ts';
import type { Database } from '../database.ts';
import type { identities } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';
import { partyFindingsWrite } from './entities.ts';
import { HOLD_APPROVAL, NO_HELD_APPROVAL } from './held-approvals.ts';

type IdentityRow = Readonly<typeof identities.$inferSelect>;

interface FoundEffect {
  readonly effect: Exclude<FindingEffect, 'nothing'>;
  /** Null where nothing was found within the time; without `checkedAt` where it says nothing of what stands. */
  readonly screening: (Omit<Screening, 'checkedAt'> & { readonly checkedAt: number | null }) | null;
  /** Whether a match in lists of sanctions is among it. */
  readonly isListed: boolean;
  /** Until when the provider's word is good; null of what is no such word. */
  readonly expiresAt: number | null;
  readonly reason: string | null;
  readonly decidedBy: string;
  readonly changeId: string;
  /** What was found of parties of an entity, by handing in; of a person nothing. */
  readonly parties: readonly { readonly submission: string; readonly findings: readonly PartyFinding[] }[];
  /** What was told, for the trail; null of what is nothing against anybody. */
  readonly word: FoundWord | null;
}

/** What a provider has told against somebody, as it stands in the trail: never changed, whatever becomes of the identity. */
interface FoundWord {
  /** UUIDv7 of the entry. */
  readonly id: string;
  /** Names what was told of which handing in: the same for a repetition. */
  readonly hash: string;
  readonly provider: string;
  readonly details: Readonly<Record<string, unknown>>;
}

const FOUND = 'operator.identity_found';
const APPROVED_BY_OPERATOR = 'operator.identity_approved';

/** Whether an operator has approved with this very word before them (`decideByOperator` asks for all that was told by then): its repetition takes nothing back. */
export async function isOverruled(db: Database, { id }: Pick<IdentityRow, 'id'>, hash: string): Promise<boolean> {
  const [rows] = await sqlBatch(db, [
    sql`SELECT 1 FROM domain_events found JOIN domain_events approved ON approved.subject = found.subject AND approved.created_at >= found.created_at
        WHERE found.type GLOB 'operator.*' AND found.subject = ${id} AND found.type = ${FOUND} AND found.payload ->> '$.details.word' = ${hash}
          AND approved.type GLOB 'operator.*' AND approved.type = ${APPROVED_BY_OPERATOR} LIMIT 1`,
  ]);
  return rows !== undefined && rows.length > 0;
}

/** Whether this very word was told of the identity before. */
export async function isKnownWord(db: Database, { id }: Pick<IdentityRow, 'id'>, hash: string): Promise<boolean> {
  const [rows] = await sqlBatch(db, [sql`SELECT 1 WHERE ${isTold(id, hash)}`]);
  return rows?.length === 1;
}

const isTold = (id: string, hash: string): SQL =>
  sql`EXISTS (SELECT 1 FROM domain_events WHERE type GLOB 'operator.*' AND subject = ${id} AND type = ${FOUND} AND payload ->> '$.details.word' = ${hash})`;

/** Whether an operator has approved the handing in whose approval of before counts. */
const HELD_BY_OPERATOR: SQL = sql`EXISTS (SELECT 1 FROM domain_events approved WHERE approved.type GLOB 'operator.*' AND approved.subject = identities.id
    AND approved.type = ${APPROVED_BY_OPERATOR}
    AND approved.created_at >= (SELECT submitted_at FROM identity_statements WHERE submission = identities.held_submission))`;

/** A match stays one, and what was searched counts over what was not. */
const worseOf = (column: SQL, found: string): SQL =>
  sql`CASE WHEN ${column} = 'match' OR ${found} = 'unchecked' THEN ${column} ELSE ${found} END`;

/**
 * Does to an identity what a finding does (`FINDING_EFFECTS`), once, where it stands as it was read: with another word since then, it may be another effect. What was found against somebody goes into the trail with it. What is kept for an operator alone is no change
 * of the identity that it is kept for longer by.
 *
 * @returns false where it stands otherwise by now: the effect is another one then
 */
export async function writeFinding(db: Database, row: IdentityRow, found: FoundEffect, now: number): Promise<boolean> {
  const { id, state, submission, heldSubmission, decidedBy, applied, version } = row;
  const stands = sql`id = ${id} AND state = ${state} AND submission IS ${submission} AND held_submission IS ${heldSubmission} AND decided_by IS ${decidedBy}
    AND version = ${version} AND applied = CAST(${applied ? 1 : 0} AS INTEGER)`;
  const isStanding = sql`EXISTS (SELECT 1 FROM identities WHERE ${stands})`;
  const assignments = [...screeningOf(found), ...approvalOf(found), ...needsPersonOf(found), ...decisionOf(found, now)];
  const results = await sqlBatch(db, [
    ...found.parties.map((of) => partyFindingsWrite(of.findings, sql`SELECT ${of.submission} WHERE ${isStanding}`)),
    ...(found.word === null ? [] : [wordWrite(row, found, found.word, isStanding, now)]),
    sql`UPDATE identities SET state = ${stateAfter(found.effect, state)}, ${sql.join(assignments, sql`, `)}, version = version + 1, updated_at = ${found.effect === 'note' ? sql`updated_at` : now}
        WHERE ${stands} RETURNING id`,
  ]);
  return results.at(-1)?.length === 1;
}

/** One entry for one word, however often it is told. */
function wordWrite(
  { id, account, state }: IdentityRow,
  { effect, reason }: FoundEffect,
  word: FoundWord,
  isStanding: SQL,
  now: number,
): SQL {
  return operatorEvent({
    action: { id: word.id, actor: word.provider, requestId: id, ...(reason === null ? {} : { reason }) },
    type: FOUND,
    subject: id,
    createdAt: now,
    details: { account, ...word.details, word: word.hash },
    before: JSON.stringify({ state }),
    after: JSON.stringify({ state: stateAfter(effect, state) }),
    when: sql`${isStanding} AND NOT ${isTold(id, word.hash)}`,
  });
}

function screeningOf({ screening }: FoundEffect): SQL[] {
  if (screening === null) return [];
  const { sanctions, adverseMedia, checkedAt } = screening;
  return [
    sql`sanctions = ${worseOf(sql`sanctions`, sanctions)}`,
    sql`adverse_media = ${worseOf(sql`adverse_media`, adverseMedia)}`,
    ...(checkedAt === null ? [] : [sql`checked_at = max(coalesce(checked_at, 0), ${checkedAt})`]),
  ];
}

/** What becomes of approvals and of the reason. What an operator has written to the person stays as it is while the state does. */
function approvalOf({ effect, reason, expiresAt, isListed }: FoundEffect): SQL[] {
  switch (effect) {
    case 'note':
      return [
        sql`reason = CASE WHEN state = 'IN_REVIEW' AND (sanctions <> 'match' OR ${isListed ? 1 : 0} = 1) THEN coalesce(${reason}, reason) ELSE reason END`,
      ];
    case 'shorten':
      // What an operator has approved ends as operators have said.
      return [
        sql`expires_at = CASE WHEN decided_by LIKE 'provider:%' THEN min(expires_at, CAST(${expiresAt} AS INTEGER)) ELSE expires_at END`,
        sql`held_until = CASE WHEN ${HELD_BY_OPERATOR} THEN held_until ELSE min(held_until, CAST(${expiresAt} AS INTEGER)) END`,
      ];
    case 'look':
      return [sql`reason = ${reason}`, sql`expires_at = NULL`];
    case 'doubt':
      return [HOLD_APPROVAL, sql`reason = ${reason}`, sql`expires_at = NULL`];
    case 'end':
      return [NO_HELD_APPROVAL, sql`expires_at = NULL`];
    case 'approve':
    case 'refuse':
    case 'suspend':
      return [NO_HELD_APPROVAL, sql`reason = ${reason}`, sql`expires_at = ${expiresAt}`];
  }
}

/** Nobody is let in by a provider alone of whom something was found later: an operator looks. */
function needsPersonOf({ effect, screening, isListed }: FoundEffect): SQL[] {
  const isFound = screening !== null && effect !== 'approve' && effect !== 'shorten' && effect !== 'look';
  return isFound || isListed ? [sql`needs_person = 1`] : [];
}

function decisionOf({ effect, decidedBy, changeId }: FoundEffect, now: number): SQL[] {
  if (!DECIDING_EFFECTS.has(effect)) return [];
  return [sql`decided_at = ${now}, decided_by = ${decidedBy}, change_id = ${changeId}, applied = CAST(0 AS INTEGER)`];
}
