import { type SQL, sql } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import type { VerifiedTerms } from '../../domain/accreditation/verification.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';
import type { AccreditationVerification } from './accreditation-verifications.ts';

type Decided = Pick<AccreditationVerification, 'id' | 'account' | 'evidenceKind' | 'provider'>;

/**
 * A request that waits for its provider is VERIFIED, and its accreditation record made under its id. One that does not wait stays as it is. Like everything
 * here one batch, so that of findings that contradict each other the later one meets all or nothing of the one before.
 *
 * @param told statements that tell of it (`isDecidedNow`); so of all that decides
 */
export async function grantVerification(
  db: Database,
  request: Decided,
  terms: VerifiedTerms,
  now: number,
  told: readonly SQL[] = [],
): Promise<void> {
  const { id } = request;
  await sqlBatch(db, [
    insertRecord({ ...request, ...terms, record: id, now }, isIn(id, 'REQUESTED')),
    sql`UPDATE accreditation_verifications
        SET state = 'VERIFIED', reason = NULL, expires_at = ${terms.expiresAt}, decided_at = ${now}, applied = 0, change_id = ${id}
        WHERE id = ${id} AND state = 'REQUESTED'`,
    ...told,
  ]);
}

/** A request that nobody has decided is REFUSED. */
export async function refuseVerification(
  db: Database,
  id: string,
  reason: string,
  now: number,
  told: readonly SQL[] = [],
): Promise<void> {
  await sqlBatch(db, [refuse(id, reason, now), ...told]);
}

/** The provider says no: a request that it has not decided is REFUSED, one that it had verified is REVOKED and its accreditation ended. */
export async function takeBackVerification(
  db: Database,
  request: Decided,
  reason: string,
  now: number,
  told: readonly SQL[] = [],
): Promise<void> {
  const { id, account, provider } = request;
  const actor = `provider:${provider}`;
  await sqlBatch(db, [
    refuse(id, reason, now),
    endRecords({ id, account, actor, reason, now }, isIn(id, 'VERIFIED')),
    sql`UPDATE accreditation_verifications
        SET state = 'REVOKED', reason = ${reason}, ended_at = ${now}, ended_by = ${actor}, applied = 0, change_id = ${uuidv7()}
        WHERE id = ${id} AND state = 'VERIFIED'`,
    ...told,
  ]);
}

/** A verified request ends earlier: its record ends, and another one takes its place until then. A later end changes nothing. */
export async function shortenVerification(
  db: Database,
  request: Decided,
  terms: VerifiedTerms,
  now: number,
): Promise<void> {
  const { id, account, provider } = request;
  const { expiresAt } = terms;
  const isLonger = sql`EXISTS (SELECT 1 FROM accreditation_verifications
                               WHERE id = ${id} AND state = 'VERIFIED' AND expires_at > ${expiresAt})`;
  const record = uuidv7();
  const ending = { id, account, actor: `provider:${provider}`, reason: 'shortened', now };
  await sqlBatch(db, [
    endRecords(ending, isLonger),
    insertRecord({ ...request, ...terms, record, now }, isLonger),
    sql`UPDATE accreditation_verifications SET expires_at = ${expiresAt}, applied = 0, change_id = ${record}
        WHERE id = ${id} AND ${isLonger}`,
  ]);
}

export type DecidedState = 'VERIFIED' | 'REFUSED' | 'REVOKED';

/** Condition that this very batch has decided a request so: for what tells of it. */
export function isDecidedNow(id: string, state: DecidedState, now: number): SQL {
  return sql`EXISTS (SELECT 1 FROM accreditation_verifications
                     WHERE id = ${id} AND state = ${state} AND ${sql.raw(state === 'REVOKED' ? 'ended_at' : 'decided_at')} = ${now})`;
}

function isIn(id: string, state: AccreditationVerification['state']): SQL {
  return sql`EXISTS (SELECT 1 FROM accreditation_verifications WHERE id = ${id} AND state = ${state})`;
}

function refuse(id: string, reason: string, now: number): SQL {
  return sql`UPDATE accreditation_verifications SET state = 'REFUSED', reason = ${reason}, decided_at = ${now}, applied = 1
             WHERE id = ${id} AND state IN ('REQUESTED', 'IN_REVIEW')`;
}

interface Recorded extends Decided, VerifiedTerms {
  readonly record: string;
  readonly now: number;
}

function insertRecord({ record, now, ...of }: Recorded, when: SQL): SQL {
  return sql`
    INSERT INTO accreditation_records
      (id, account, kind, verifier, evidence, evidence_kind, at, expires_at, actor, created_at, verification)
    SELECT ${record}, ${of.account}, 'third_party', ${of.verifier}, ${of.evidence}, ${of.evidenceKind}, ${of.verifiedAt}, ${of.expiresAt},
           ${`provider:${of.provider}`}, ${now}, ${of.id}
    WHERE ${when} ON CONFLICT DO NOTHING`;
}

interface Ending {
  readonly id: string;
  readonly account: string;
  readonly actor: string;
  readonly reason: string;
  readonly now: number;
}

function endRecords({ id, account, actor, reason, now }: Ending, when: SQL): SQL {
  return sql`
    UPDATE accreditation_records SET ended_at = ${now}, ended_by = ${actor}, ended_reason = ${reason}
    WHERE account = ${account} AND (id = ${id} OR verification = ${id}) AND ended_at IS NULL AND ${when}`;
}
