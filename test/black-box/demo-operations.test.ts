import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');

function run(script: string, args: readonly string[] = [], env: Record<string, string> = {}) {
  return new Promise<{ code: number; output: string }>((resolve) => {
    const command = [join('scripts', script), ...args];
    execFile(
      process.execPath,
      command,
      { cwd: ROOT, env: { ...process.env, SERVICES: '', ...env } },
      (error, stdout, stderr) => {
        resolve({ code: typeof error?.code === 'number' ? error.code : 0, output: stdout + stderr });
      },
    );
  });
}

test('an operator that the command makes runs an empty venue over HTTP, and the audit holds', {
  timeout: 400_000,
}, async () => {
  const { code, output } = await run('demo-operations.ts');
  expect([code, output]).toEqual([0, expect.stringMatching(/all \d+ checks hold/)]);
  for (const step of [
    'the OAuth client that they sign in through',
    'trade ten shares',
    'halts the market',
    'suspends the asset',
    'busts the trade',
    'executes the one and rejects the other',
  ])
    expect(output).toContain(step);
});

test('npm run operator:create makes the first operator, no second one, and another where that is asked for', {
  timeout: 400_000,
}, async () => {
  const state = mkdtempSync(join(tmpdir(), 'exchange-'));
  try {
    const create = (name: string, phone: string, ...more: string[]) =>
      run('operator-create.ts', ['--name', name, '--email', 'o@venue.example', '--phone', phone, ...more], {
        STATE_DIR: state,
      });
    expect(await create("Olivia O'Neill", 'not a number')).toMatchObject({ code: 1 });
    expect(await create("Olivia O'Neill", '+15550101000')).toMatchObject({
      code: 0,
      output: expect.stringContaining("Olivia O'Neill is operator"),
    });
    expect(await create('Mallory', '+15550101009')).toMatchObject({
      code: 1,
      output: expect.stringContaining("Nothing was made: the venue has operators, Olivia O'Neill (+15550101000)"),
    });
    expect(await create('Otto', '+15550101000', '--another')).toMatchObject({
      code: 1,
      output: expect.stringContaining("is another user's"),
    });
    expect(await create('Otto', '+15550101001', '--another')).toMatchObject({ code: 0 });
  } finally {
    rmSync(state, { recursive: true, force: true });
  }
});
