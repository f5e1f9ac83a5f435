import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { anvilPath } from '../../scripts/contracts/devnet.ts';

const ROOT = join(import.meta.dirname, '..', '..');
const hasDevnet = anvilPath() !== null;
if (!hasDevnet) console.warn('npm run demo:bridge is not tested: anvil has no program for this machine');

it.skipIf(!hasDevnet)(
  'npm run demo:bridge brings an asset both ways for two tenants, and what does not go through back, on chains and a system of its own',
  { timeout: 600_000 },
  async () => {
    const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
      execFile(
        'npm',
        ['run', '--silent', 'demo:bridge'],
        { cwd: ROOT, env: { ...process.env, SERVICES: 'chains' }, maxBuffer: 1e7 },
        (error, stdout, stderr) => {
          resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
        },
      );
    });
    for (const part of [
      'confirming → attesting → limit_check → signing → broadcast → confirmed',
      'neither tenant reaches the other’s accounts or transfers',
      'more than a day’s limit is refused',
      'confirming → attesting → limit_check → queued → signing → confirmed',
      'refund_broadcast → refunded: vetoed',
      'refund_broadcast → refunded: wrong_amount',
      'checks hold',
    ])
      expect(output).toContain(part);
    expect([code, output.match(/does not hold/g)]).toEqual([0, null]);
  },
);
