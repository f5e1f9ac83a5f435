import { sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';
import type { AuditCheck, AuditRow } from './audit-check.ts';
import { brokerChecks } from './broker.ts';
import { corporateActionChecks } from './corporate-actions.ts';
import { doubleEntryChecks } from './double-entry.ts';
import { holdChecks } from './holds.ts';
import { lotChecks } from './lots.ts';
import { overdraftChecks } from './overdraft.ts';
import { partnerSettlementChecks } from './partner-settlements.ts';
import { registerChecks } from './register.ts';
import { settlementChecks } from './settlement.ts';
import { unsettledChecks } from './unsettled.ts';

const CHECKS: readonly AuditCheck[] = [
  ...doubleEntryChecks,
  ...overdraftChecks,
  ...holdChecks,
  ...lotChecks,
  ...settlementChecks,
  ...brokerChecks,
  ...unsettledChecks,
  ...registerChecks,
  ...partnerSettlementChecks,
  ...corporateActionChecks,
];

/** Checks L1–L4 and the lots over the whole ledger, in one batch: every check sees the same moment, also while orders trade. */
export async function runAudit(db: Database): Promise<AuditRow[]> {
  const queries = CHECKS.flatMap((check) => [
    sql.raw(check.examined),
    sql.raw(`SELECT violation FROM (${check.violations}) LIMIT 1`),
  ]);
  const results = await sqlBatch(db, queries);
  return CHECKS.map((check, index) => {
    const [counted] = results[2 * index] as { examined: number }[];
    const [broken] = results[2 * index + 1] as { violation: string }[];
    return {
      invariant: check.invariant,
      claim: check.claim,
      holds: broken === undefined,
      examined: counted?.examined ?? 0,
      violation: broken?.violation ?? null,
    };
  });
}
