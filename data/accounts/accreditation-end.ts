import { type SQL, sql } from 'drizzle-orm';
import type { AccreditationEnd } from '../../domain/accreditation/accreditation-at.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';

/** As a column: JSON of an `AccreditationEnd`, or null. */
type EndText = string | null;

/**
 * Until when an account counts as verified, and whether its owner has certified it themselves; null where no verification ends. What an operator has ended, and the account's facts do not follow yet, ends
 * at once, the person's own word with it; a record that is open is of after that end.
 *
 * @param account the name under which the statement has the row of `accounts`
 */
export function accreditationEndOf(account: 'accounts' | 'a'): SQL<EndText> {
  const of = sql.raw(account);
  return sql`coalesce(
    (SELECT json_object('endsAt', min(e.created_at), 'leaves', 'nothing') FROM accreditation_ends e
     WHERE e.account = ${of}.id AND e.lifted_at IS NULL AND e.applied = 0
       AND NOT EXISTS (SELECT 1 FROM accreditation_records r WHERE r.account = ${of}.id AND r.ended_at IS NULL) HAVING count(*) > 0),
    (SELECT json_object('endsAt', max(CASE WHEN r.kind = 'third_party' THEN r.expires_at END),
                        'leaves', iif(max(r.kind = 'self_attestation'), 'certified', 'expired'))
     FROM accreditation_records r WHERE r.account = ${of}.id AND r.ended_at IS NULL
     HAVING count(CASE WHEN r.kind = 'third_party' THEN 1 END) > 0
       AND count(CASE WHEN r.kind = 'third_party' AND r.expires_at IS NULL THEN 1 END) = 0))`;
}

export function readAccreditationEnd(text: EndText): AccreditationEnd | undefined {
  return text === null ? undefined : (JSON.parse(text) as AccreditationEnd);
}

/** The ends of these accounts' verifications; those without one are left out. */
export async function readAccreditationEnds(
  db: Database,
  ids: readonly string[],
): Promise<ReadonlyMap<string, AccreditationEnd>> {
  const [rows] = await sqlBatch<[{ id: string; end: EndText }[]]>(db, [
    sql`SELECT a.id, ${accreditationEndOf('a')} AS "end" FROM json_each(${JSON.stringify(ids)}) j CROSS JOIN accounts a ON a.id = j.value`,
  ]);
  return new Map(
    rows.flatMap(({ id, end }) => {
      const read = readAccreditationEnd(end);
      return read === undefined ? [] : [[id, read] as const];
    }),
  );
}
