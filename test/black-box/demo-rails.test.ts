import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { freePort } from '../../scripts/local/port.ts';

const ROOT = join(import.meta.dirname, '..', '..');

test('one user buys and sells on all seven categories over HTTP, each order is followed until it is settled, and the audit holds', {
  timeout: 400_000,
}, async () => {
  const env = { ...process.env, PORT: String(await freePort()), SERVICES: '' };
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, ['scripts/demo-rails.ts'], { cwd: ROOT, env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
    });
  });
  expect([code, output]).toEqual([0, expect.stringMatching(/all \d+ checks hold/)]);
  const categories = output.split(/\n\n/);
  for (const name of ['stocks', 'fixed-income', 'commodities', 'forex', 'crypto', 'privates', 'pre-ipo']) {
    const [life = ''] = categories.filter((part) => part.startsWith(`${name}: `));
    expect(life.match(/^ {2}BUY .+PENDING$/m), `${name}:\n${output}`).not.toBeNull();
    expect(life.match(/^ {2}SELL .+PENDING$/m), `${name}:\n${output}`).not.toBeNull();
    expect(life.match(/EXECUTED/g), `${name}:\n${output}`).toHaveLength(2);
    expect(life.match(/settled/g), `${name}:\n${output}`).toHaveLength(2);
  }
});
