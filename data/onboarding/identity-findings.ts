import { type SQL, sql } from 'drizzle-orm';
import { DECIDING_EFFECTS, type FindingEffect, stateAfter } from '../../domain/onboarding/finding-effects.ts';
import type { PartyFinding, Screening } from '../../domain/onboarding/identity-verification.ts';
import type { Database } from '../database.ts';
import type { identities } from '../schema/onboarding.ts';
import { sqlBatch } from '../sql-batch.ts';
import { partyFindingsWrite } from './entities.ts';
import { HOLD_APPROVAL, NO_HELD_APPROVAL } from './held-approvals.ts';

type IdentityRow = Readonly<typeof identities.$inferSelect>;

interface FoundEffect {
  readonly effect: Exclude<FindingEffect, 'nothing'>;
  /** Null where nothing was found within the time. */
  readonly screening: Screening | null;
  /** Whether a match in lists of sanctions is among it. */
  readonly isListed: boolean;
  /** Until when the provider's word is good; null of what is no such word. */
  readonly expiresAt: number | null;
  readonly reason: string | null;
  readonly decidedBy: string;
  readonly changeId: string;
  /** What was found of parties of an entity, of the handings in that are named; of a person nothing. */
  readonly parties: readonly PartyFinding[];
  readonly submissions: readonly string[];
}

/** A match stays one, and what was searched counts over what was not. */
const worseOf = (column: SQL, found: string): SQL =>
  sql`CASE WHEN ${column} = 'match' OR ${found} = 'unchecked' THEN ${column} ELSE ${found} END`;

/**
 * Does to an identity what a finding does (`FINDING_EFFECTS`), once, where it stands as it was read.
 *
 * @returns false where it stands otherwise by now: the effect is another one then
 */
export async function writeFinding(
  db: Database,
  { id, state, submission, heldSubmission, decidedBy }: IdentityRow,
  found: FoundEffect,
  now: number,
): Promise<boolean> {
  const stands = sql`id = ${id} AND state = ${state} AND submission IS ${submission} AND held_submission IS ${heldSubmission} AND decided_by IS ${decidedBy}`;
  const assignments = [...screeningOf(found), ...approvalOf(found), ...needsPersonOf(found), ...decisionOf(found, now)];
  const [, rows] = await sqlBatch(db, [
    partyFindingsWrite(
      found.parties,
      sql`SELECT value FROM json_each(${JSON.stringify(found.submissions)}) WHERE EXISTS (SELECT 1 FROM identities WHERE ${stands})`,
    ),
    sql`UPDATE identities SET state = ${stateAfter(found.effect, state)}, ${sql.join(assignments, sql`, `)}, version = version + 1, updated_at = ${now}
        WHERE ${stands} RETURNING id`,
  ]);
  return rows?.length === 1;
}

function screeningOf({ screening }: FoundEffect): SQL[] {
  if (screening === null) return [];
  const { sanctions, adverseMedia, checkedAt } = screening;
  return [
    sql`sanctions = ${worseOf(sql`sanctions`, sanctions)}`,
    sql`adverse_media = ${worseOf(sql`adverse_media`, adverseMedia)}`,
    sql`checked_at = max(coalesce(checked_at, 0), ${checkedAt})`,
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
        sql`held_until = min(held_until, CAST(${expiresAt} AS INTEGER))`,
      ];
    case 'look':
      return [sql`reason = ${reason}`, sql`expires_at = NULL`];
    case 'doubt':
      return [HOLD_APPROVAL, sql`reason = ${reason}`, sql`expires_at = NULL`];
    case 'approve':
    case 'refuse':
    case 'suspend':
    case 'end':
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
