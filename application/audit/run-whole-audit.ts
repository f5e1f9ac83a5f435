import type { AuditRow } from '../../data/audit/audit-check.ts';
import { runAudit } from '../../data/audit/run-audit.ts';
import { database } from '../../data/database.ts';
import { listMarkets } from '../../data/markets/markets.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';
import { projected } from '../ledger/projected.ts';
import { settleBook } from '../ledger/settle-before-read.ts';
import { auditArchive } from './audit-archive.ts';
import { auditHolds } from './audit-holds.ts';
import { auditLedger } from './audit-ledger.ts';
import { auditProjection } from './audit-projection.ts';

export interface WholeAudit {
  /** Books that did not settle in time; the checks hold regardless. */
  readonly unsettledBooks: readonly string[];
  readonly checks: readonly AuditRow[];
}

/** L1–L5 and the lots: in the ledger, in D1 once it shows what every book has settled, and between ledger, books and D1. */
export async function runWholeAudit(env: LedgerEnv): Promise<WholeAudit> {
  const db = database(env.DB);
  const books = (await listMarkets(db)).map(({ symbol }) => symbol);
  const settled = await Promise.all(books.map((symbol) => settleBook(env, symbol)));
  await projected(env);
  const checks = [
    ...(await runAudit(db)),
    ...(await auditLedger(env)),
    await auditHolds(env, books),
    ...(await auditProjection(env)),
    ...(await auditArchive(env)),
  ];
  return { unsettledBooks: books.filter((_, index) => !settled[index]), checks };
}
