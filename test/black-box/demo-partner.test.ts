import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/local/port.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('a lister and an agent go from onboarding to reports over HTTP, register and ledger agree share by share, and the audit holds', {
  timeout: 400_000,
}, async () => {
  const env = { ...process.env, PORT: String(await freePort()), SERVICES: '' };
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, ['scripts/demo-partner.ts'], { cwd: ROOT, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
  expect([code, output]).toEqual([0, expect.stringMatching(/all \d+ checks hold/)]);
  for (const step of [
    'trade.executed and transfer.initiated arrived and verify',
    'the settlement is SETTLED',
    'Juniper Winters: 40 in the register, 40 in the ledger',
    'Priya Raman: 15 for 60 shares, paid',
    'Juniper Winters: 60 in the register, 60 in the ledger',
    'dividend.declared and corporate_action.announced arrived and verify',
  ])
    expect(output).toContain(step);
  for (const report of ['shareholder-register', 'transfer-log', 'dividend-history', 'form-ta-2'])
    expect(output).toMatch(new RegExp(`^ {2}${report}:$`, 'm'));
});
