import { runPartner } from './demo-partner/run-partner.ts';
import { auditTable } from './local/audit-table.ts';
import { runningSystem } from './local/own-system.ts';
import { fetchAudit } from './local/remote-audit.ts';

/**
 * `npm run demo:partner`: a cross-lister and a transfer agent run their business over HTTP, at the system that runs on PORT or at one of its own: onboarding,
 * a listing, a trade with its webhooks and transfer, a dividend, a split, and all reports. Prints each step, and the audit. Exit code 1 where an answer is not the
 * expected one, or a check does not hold.
 */
async function demo(): Promise<boolean> {
  const say = (text: string) => console.log(text);
  const system = await runningSystem(say);
  try {
    await runPartner(system.origin, say);
    const checks = await fetchAudit({ exchange: `${system.origin}/exchange`, iam: `${system.origin}/iam` });
    say(`\n${auditTable(checks)}`);
    return checks.every(({ holds }) => holds);
  } finally {
    await system.stop();
  }
}

try {
  process.exitCode = (await demo()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
