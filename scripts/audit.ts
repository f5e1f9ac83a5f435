import { existsSync } from 'node:fs';
import type { AuditRow } from '../data/audit/audit-check.ts';
import { auditTable } from './local/audit-table.ts';
import { PATHS } from './local/paths.ts';
import { fetchAudit } from './local/remote-audit.ts';
import { findRunning } from './local/run-lock.ts';
import { WRANGLER_ENVIRONMENT } from './local/wrangler-environment.ts';

Object.assign(process.env, WRANGLER_ENVIRONMENT);

/**
 * `npm run audit`: checks L1–L4 and the lots. A running system is asked (that of EXCHANGE_URL and IAM_URL, or the one that `npm start`
 * runs), which settles its books first; otherwise the database in .state is opened. Exit 1 when a check does not hold.
 */
async function audit(): Promise<AuditRow[]> {
  const { EXCHANGE_URL: exchange, IAM_URL: iam } = process.env;
  if (exchange !== undefined && iam !== undefined) return fetchAudit({ exchange, iam });
  const running = findRunning();
  if (running !== null) return fetchAudit(local(running.port));
  if (!existsSync(PATHS.state)) throw new Error(`There is no ledger in ${PATHS.state} yet: run \`npm start\` first.`);
  const { openLocalLedger } = await import('./local/local-ledger.ts');
  const ledger = await openLocalLedger();
  try {
    return await ledger.audit();
  } finally {
    await ledger.close();
  }
}

function local(port: number): { exchange: string; iam: string } {
  return { exchange: `http://localhost:${port}/exchange`, iam: `http://localhost:${port}/iam` };
}

try {
  const rows = await audit();
  console.log(auditTable(rows));
  process.exitCode = rows.every((row) => row.holds) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
