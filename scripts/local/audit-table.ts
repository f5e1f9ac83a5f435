import type { AuditRow } from '../../data/audit/audit-check.ts';

const INVARIANT_WIDTH = 10;

/** The audit as a person reads it: a line per check, the first violation under the one it breaks. */
export function auditTable(rows: readonly AuditRow[]): string {
  const claims = Math.max(...rows.map((row) => row.claim.length));
  const lines = rows.flatMap((row) => [
    `${row.invariant.padEnd(INVARIANT_WIDTH)} ${row.claim.padEnd(claims)} ${String(row.examined).padStart(10)} rows  ${row.holds ? 'holds' : 'BROKEN'}`,
    ...(row.violation === null ? [] : [`${''.padEnd(INVARIANT_WIDTH)} first violation: ${row.violation}`]),
  ]);
  const broken = rows.filter((row) => !row.holds).length;
  return [
    ...lines,
    broken === 0 ? `all ${rows.length} checks hold` : `${broken} of ${rows.length} checks do not hold`,
  ].join('\n');
}
