import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runOperations } from './demo-operations/run-operations.ts';
import { auditTable } from './local/audit-table.ts';
import { type OwnSettings, ownSettings, startOwnSystem } from './local/own-system.ts';
import { PATHS } from './local/paths.ts';

const OPERATOR = { name: 'Olivia Reyes', email: 'olivia@venue.example', phone: '+15550101000', client: 'console' };

/** `npm run demo:operations`: a venue is run from an empty database on, over HTTP, by the operator that `npm run operator:create` makes. */
async function demo(): Promise<boolean> {
  const settings = await ownSettings();
  say(await makeOperator(settings));
  const system = await startOwnSystem({ ...settings, hasDemo: false });
  try {
    say(`an empty venue runs at ${system.origin}`);
    const checks = await runOperations(system.origin, OPERATOR, say);
    console.log(`\n${auditTable(checks)}`);
    return checks.every(({ holds }) => holds);
  } finally {
    await system.stop();
  }
}

/** What the command says. */
async function makeOperator({ env }: OwnSettings): Promise<string> {
  const { name, email, phone, client } = OPERATOR;
  const args = ['--name', name, '--email', email, '--phone', phone, '--client', client];
  const command = [join(PATHS.root, 'scripts', 'operator-create.ts'), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, command, { cwd: PATHS.root, env });
  return stdout.trim();
}

function say(text: string): void {
  console.log(`- ${text}`);
}

try {
  process.exitCode = (await demo()) ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
